import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@order-testing/contract'
import { errorBody } from './errors.ts'

const BROKEN: Record<string, { status: number; problem: Problem }> = {
  HPE_HEADER_OVERFLOW: { status: 431, problem: { code: 'tooBig', detail: 'The headers are larger than 16 KiB.' } },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    problem: { code: 'badRequest', detail: 'The request did not arrive in time.' },
  },
}

const UNREADABLE = {
  status: 400,
  problem: { code: 'badRequest', detail: 'This is not a readable HTTP request.' } as const,
}

/** Answers what is no HTTP request, so that even then the error body is what the client sees. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const { status, problem } = BROKEN[error.code ?? ''] ?? UNREADABLE
  const body = JSON.stringify(errorBody(status, [problem]))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-Id: ${randomUUID()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
