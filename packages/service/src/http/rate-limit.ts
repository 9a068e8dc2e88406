import type { RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../domain/refusal.ts'

/** Tokens counted at once: whoever is pushed out starts anew, so these are more than a node serves in a minute. */
const COUNTED = 200_000

/** Requests a minute by token, its own limit before the service's. Each node counts for itself. */
export function perToken(fallback: number): RateLimitPluginOptions {
  const limitOf = (request: FastifyRequest) => request.caller?.rateLimit ?? fallback
  return {
    hook: 'onRequest',
    cache: COUNTED,
    timeWindow: 60_000,
    max: (request) => limitOf(request),
    allowList: (request) => limitOf(request) === 0,
    keyGenerator: (request) => `${request.caller?.tenantId}\n${request.caller?.tokenId}`,
    errorResponseBuilder: (_request, { ttl }) =>
      refuse('tooManyRequests', `Too many requests with this token. Try again in ${Math.ceil(ttl / 1000)} seconds.`),
    enableDraftSpec: true,
  }
}
