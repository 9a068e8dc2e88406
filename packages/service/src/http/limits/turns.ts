import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { sendRefusal } from '../broken-requests.ts'
import { connectionOf } from '../connections.ts'
import { requestIdOf } from '../request-id.ts'
import { batchPerTurn } from '../turn-batches.ts'
import { watchChunks } from './floods.ts'

/** Requests that may wait on one connection until those before them are answered. */
export const MOST_PIPELINED = 32

const EXCESS = {
  status: 429,
  code: 'tooManyRequests',
  detail: `More than ${MOST_PIPELINED} requests wait on this connection. Wait for their answers, or use more connections.`,
} as const

/**
 * Answers the requests of a connection one after the other. A client that sends a change and a read together expects the read to
 * see the change. Replaces the last listener of the server, so it is to be called when all are set.
 */
export function answerInTurn(server: Server): void {
  type Listener = (this: Server, request: IncomingMessage, response: ServerResponse) => void
  const [answer] = server.listeners('request').slice(-1) as [Listener]
  server.off('request', answer)
  const begin = ({ request, response }: Arrival) => {
    const { socket } = request
    if (connectionOf(socket).refused !== response && socket.writable) answer.call(server, request, response)
  }
  const beginSoon = batchPerTurn(begin)
  server.on('request', (request, response) => {
    const { socket } = request
    const connection = connectionOf(socket)
    // Nothing is answered after a refusal or after `Connection: close`, so nothing may be done either.
    if (connection.isRefused || !socket.writable) return
    connection.begin(response)
    // Node takes what follows for another protocol, and drops it.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    watchChunks(request)
    if (connection.unanswered.length === 1) return beginSoon({ request, response })
    if (connection.unanswered.length > MOST_PIPELINED + 1) {
      const headers = { 'retry-after': '1', 'x-request-id': requestIdOf(request.headers['x-request-id']) }
      connection.refuse(() => sendRefusal(EXCESS, socket, headers), response)
      // More requests would only fill memory.
      return socket.pause()
    }
    response.once('socket', () => process.nextTick(begin, { request, response }))
  })
}

interface Arrival {
  request: IncomingMessage
  response: ServerResponse
}
