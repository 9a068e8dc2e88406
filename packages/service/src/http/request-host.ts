import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../domain/webhooks/address-ranges.ts'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** The host name of a `Host` header, in lower case. */
export const hostnameOf = (header: string | undefined) =>
  /^(\[[^\]]*\]|[^:]*?)\.?(?::\d*)?$/.exec(header ?? '')?.[1]?.toLowerCase() ?? ''

/** Whether a request names this machine. Another site that points its name here by DNS rebinding names itself instead. */
export const hasLoopbackName = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  LOOPBACK_NAMES.has(hostnameOf(headers.host))

/** Whether a request comes from this machine, as far as proxies do not hide that it does not. */
export const isFromThisMachine = (request: Pick<FastifyRequest, 'headers' | 'socket'>) =>
  isLoopback(request.socket.remoteAddress ?? '') && !isForwarded(request)

export const isForwarded = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  PROXY_HEADERS.some((name) => headers[name] !== undefined)

/**
 * Whether a request names its host, and once: a proxy before us may have read another name than we do. Node would refuse a missing
 * one without the error body, and accept two.
 */
export function isAddressed({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let names = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') names += 1
  }
  return names === 1 || (names === 0 && httpVersionMinor === 0)
}
