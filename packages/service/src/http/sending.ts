import type { FastifyReply, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from './security-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The rate limit headers: alternating names and values. */
    quota: readonly string[] | null
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

const SECURITY = Object.entries(SECURITY_HEADERS).flat()

/**
 * Sends an answer without the framework. Node writes a flat list of headers five times faster than an object, which saves a
 * third of the time of a cached answer.
 */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  bytes: Uint8Array,
  type = JSON_TYPE,
): void {
  // The deadline has already answered the request.
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

/** Adds the common headers to answers of the framework, unless they are set. */
export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const standing = [...SECURITY, 'x-request-id', request.id, ...(request.quota ?? [])]
  for (let i = 0; i < standing.length; i += 2) {
    if (!reply.hasHeader(standing[i]!)) void reply.header(standing[i]!, standing[i + 1])
  }
  return reply
}
