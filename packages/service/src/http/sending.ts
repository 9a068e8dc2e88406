import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left of the rate limit, as headers: names and values in turn. */
    quota: readonly string[] | null
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

const SECURITY = Object.entries(SECURITY_HEADERS).flat()

/**
 * Sends what an endpoint answers, past the framework: with its head as a flat list Node sends ten headers for what
 * two cost as an object, which is a third of the time that a remembered answer takes.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  bytes: Uint8Array,
  type = JSON_TYPE,
): void {
  // Too late: the deadline has passed, and the request was answered by it.
  if (reply.sent) return
  reply.hijack()
  const { raw } = reply
  raw.writeHead(status, [
    ...SECURITY,
    'x-request-id',
    request.id,
    ...(request.quota ?? []),
    'content-type',
    type,
    'content-length',
    String(bytes.length),
  ])
  raw.end(bytes)
}

/** Gives every other answer the headers that it has not set itself. */
export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const standing = [...SECURITY, 'x-request-id', request.id, ...(request.quota ?? [])]
  for (let i = 0; i < standing.length; i += 2) {
    if (!reply.hasHeader(standing[i]!)) void reply.header(standing[i]!, standing[i + 1])
  }
  return reply
}
