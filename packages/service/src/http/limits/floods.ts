import type { IncomingMessage } from 'node:http'
import { sendRefusal } from '../broken-requests.ts'
import { connectionOf } from '../connections.ts'

/** After this many chunks, the average chunk must not be small. */
export const SMALL_CHUNKS = 1_000
export const SMALL_CHUNK = 64

const TOO_MANY = {
  status: 400,
  code: 'badRequest',
  detail: 'The body is sent in too many small chunks. Use larger chunks or a Content-Length.',
} as const

/**
 * Refuses small input that is expensive to process: a body in tiny chunks. Node processes all of a packet in one turn of the event
 * loop, so this is to be called as soon as a request arrives. Requests without chunks pay nothing here.
 */
export function watchChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const push = request.push.bind(request)
  let [chunks, bytes] = [0, 0]
  let isRefused = false
  // Intercepts chunks where Node pushes them, because a `data` listener would start the stream.
  request.push = (chunk: Buffer | null, encoding) => {
    if (isRefused) return false
    chunks += 1
    bytes += chunk?.length ?? 0
    if (chunks <= SMALL_CHUNKS || bytes >= chunks * SMALL_CHUNK) return push(chunk, encoding)
    isRefused = true
    connectionOf(request.socket).refuse(() => sendRefusal(TOO_MANY, request.socket))
    return false
  }
}
