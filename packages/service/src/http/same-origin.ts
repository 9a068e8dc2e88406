import type { FastifyRequest } from 'fastify'
import { CONSOLE_HEADER } from '@order-testing/contract/operator'
import { Refusal } from '../domain/refusal.ts'
import { hasLoopbackName } from './request-host.ts'

/** A request that another site may have made a browser send. */
export class ForeignRequest extends Refusal {
  constructor(detail: string) {
    super([{ code: 'badRequest', detail }])
  }
}

/**
 * Browsers add cookies to requests that other sites make. They send this header only for pages of the same origin, since
 * this service allows no other origin to (CORS), and they name the origin of the page that made the request.
 */
export function requireConsole(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (request.headers[CONSOLE_HEADER] !== '1')
    throw new ForeignRequest('Requests with a session cookie need the header X-Console: 1.')
  requireSameOrigin(request, publicOrigin)
}

export function requireSameOrigin(request: FastifyRequest, publicOrigin: string | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isForeign = (site !== undefined && site !== 'same-origin') || !isOwn(request, origin, publicOrigin)
  if (isForeign) throw new ForeignRequest('The request was made by a page of another origin.')
}

/** The public address, or the address of the request itself where there is none. */
function isOwn(request: FastifyRequest, origin: string | undefined, publicOrigin: string | undefined): boolean {
  if (origin === undefined || origin === publicOrigin) return true
  if (publicOrigin !== undefined && !hasLoopbackName(request)) return false
  return URL.canParse(origin) && new URL(origin).host === request.headers.host?.toLowerCase()
}
