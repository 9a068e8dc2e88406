import type { RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../domain/refusal.ts'

/** Requests a minute by token, its own limit before the service's. Each node counts for itself. */
export function perToken(fallback: number): RateLimitPluginOptions {
  const limitOf = (request: FastifyRequest) => request.caller?.rateLimit ?? fallback
  return {
    hook: 'onRequest',
    timeWindow: 60_000,
    max: (request) => limitOf(request),
    allowList: (request) => limitOf(request) === 0,
    keyGenerator: (request) => `${request.caller?.tenantId}\n${request.caller?.tokenId}`,
    errorResponseBuilder: (_request, { ttl }) =>
      refuse('tooManyRequests', `Too many requests with this token. Try again in ${Math.ceil(ttl / 1000)} seconds.`),
    enableDraftSpec: true,
  }
}
