import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The rate limit headers: alternating names and values. */
    quota: readonly string[] | null
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers of every answer: no caching, no sniffing, no framing, no subresources. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

const SECURITY = Object.entries(SECURITY_HEADERS).flat()

const standingHeaders = ({ id, quota }: FastifyRequest) => [...SECURITY, 'x-request-id', id, ...(quota ?? [])]

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
  const own = ['content-type', type, 'content-length', String(bytes.length)]
  raw.writeHead(status, [...standingHeaders(request), ...own])
  raw.end(bytes)
}

/** Adds the common headers to answers of the framework, unless they are set. */
export function addStandingHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const standing = standingHeaders(request)
  for (let i = 0; i < standing.length; i += 2) {
    if (!reply.hasHeader(standing[i]!)) void reply.header(standing[i]!, standing[i + 1])
  }
  return reply
}
