import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../errors.ts'

/** Requests of one connection that may wait behind each other for their answers. */
const MOST_PIPELINED = 32

/** So many chunks of a body may be small ones. */
const SMALL_CHUNKS = 1_000
const SMALL_CHUNK = 64

/** How many requests of a connection wait behind another; most connections never have any. */
const waiting = new WeakMap<object, number>()

/**
 * Refuses what costs much and weighs little: hundreds of requests in one packet, and bodies in chunks of a few bytes. Each
 * request and each chunk is cheap, but Node works on all of a packet at once. Requests that do neither pay nothing here.
 */
export function refuseFloods(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (reply.raw.socket === null && isOnePipelinedTooMany(request, reply)) return refusePipelined(request, reply)
    if (request.headers['transfer-encoding'] !== undefined) refuseSmallChunks(request, reply)
    done()
  })
}

/** Connections whose last answer is on its way; what comes behind it is not answered. */
const ended = new WeakSet<object>()

/** Answers those before, then this one with a refusal, and closes the connection. */
function refusePipelined({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  if (ended.has(socket) || socket.destroyed) return void reply.hijack()
  ended.add(socket)
  const problem = {
    code: 'tooManyRequests',
    detail: `More than ${MOST_PIPELINED} requests wait on this connection. Wait for their answers, or use more connections.`,
  } as const
  void sendError(reply.header('connection', 'close'), 429, [problem])
}

/** A response gets its socket when all those before it are sent. */
function isOnePipelinedTooMany({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean {
  const before = waiting.get(socket) ?? 0
  if (before >= MOST_PIPELINED || socket.destroyed) return true
  waiting.set(socket, before + 1)
  raw.once('close', () => waiting.set(socket, waiting.get(socket)! - 1))
  return false
}

function refuseSmallChunks({ raw }: FastifyRequest, reply: FastifyReply): void {
  const push = raw.push.bind(raw)
  let [chunks, bytes] = [0, 0]
  let isRefused = false
  // Where Node hands over each chunk: listening for them would start the body's flow.
  raw.push = (chunk: Buffer | null, encoding) => {
    if (isRefused) return false
    chunks += 1
    bytes += chunk?.length ?? 0
    if (chunks <= SMALL_CHUNKS || bytes >= chunks * SMALL_CHUNK) return push(chunk, encoding)
    isRefused = true
    const problem = {
      code: 'badRequest',
      detail: 'The body is sent in too many small chunks. Use larger chunks or a Content-Length.',
    } as const
    void sendError(reply.header('connection', 'close'), 400, [problem])
    return false
  }
}
