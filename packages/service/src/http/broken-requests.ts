import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Problem } from '@order-testing/contract'
import { connectionOf, endGently } from './connections.ts'
import { errorBody } from './errors.ts'
import { makeRequestId } from './request-id.ts'
import { JSON_TYPE, SECURITY_HEADERS } from './sending.ts'

const SILENCE_MS = 60_000

type BrokenRequest = Problem & { status: number }

const BROKEN: Record<string, BrokenRequest> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'tooBig', detail: 'The headers are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'tooBig',
    detail: 'The chunk extensions are larger than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'badRequest', detail: 'The request did not arrive in time.' },
}

const UNREADABLE: BrokenRequest = { status: 400, code: 'badRequest', detail: 'Malformed HTTP request.' }

const TUNNEL: BrokenRequest = { status: 405, code: 'badRequest', detail: 'This server is not a proxy.' }

/** Answers malformed HTTP requests with the error body, after the requests before them. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return
  connectionOf(socket).refuse(() => sendRefusal(BROKEN[error.code ?? ''] ?? UNREADABLE, socket))
}

/** Handles requests that Node would otherwise refuse without the error body. */
export function takeOverFromNode(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listeners: without them, a reset would end the process, and a silent client keep the connection.
    socket.on('error', () => {})
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
    connectionOf(socket).refuse(() => sendRefusal(TUNNEL, socket, { allow: '' }))
  })
}

/** Sends an error body to a connection and closes it. */
export function sendRefusal(
  { status, ...problem }: BrokenRequest,
  socket: Duplex,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify(errorBody(status, [problem]))
  const fields = {
    ...SECURITY_HEADERS,
    'x-request-id': makeRequestId(),
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  endGently(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}
