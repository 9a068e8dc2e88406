import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../errors.ts'

/** After this many chunks, the average chunk must not be small. */
export const SMALL_CHUNKS = 1_000
export const SMALL_CHUNK = 64

/**
 * Refuses small input that is expensive to process: bodies in tiny chunks. Node processes all of a packet in one turn of the event
 * loop. Other requests pay nothing here.
 */
export function refuseFloods(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers['transfer-encoding'] !== undefined) refuseSmallChunks(request, reply)
    done()
  })
}

function refuseSmallChunks({ raw }: FastifyRequest, reply: FastifyReply): void {
  const push = raw.push.bind(raw)
  let [chunks, bytes] = [0, 0]
  let isRefused = false
  // Intercepts chunks where Node pushes them, because a `data` listener would start the stream.
  raw.push = (chunk: Buffer | null, encoding) => {
    if (isRefused) return false
    chunks += 1
    bytes += chunk?.length ?? 0
    if (chunks <= SMALL_CHUNKS || bytes >= chunks * SMALL_CHUNK) return push(chunk, encoding)
    isRefused = true
    const detail = 'The body is sent in too many small chunks. Use larger chunks or a Content-Length.'
    void sendError(reply.header('connection', 'close'), 400, [{ code: 'badRequest', detail }])
    return false
  }
}
