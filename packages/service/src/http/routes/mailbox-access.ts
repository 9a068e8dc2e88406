import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback } from '../../domain/webhooks/address-ranges.ts'
import type { Caller } from '../../domain/access/caller.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Authenticate } from '../authentication.ts'
import { requireScope } from '../scopes.ts'
import { sendError } from '../errors.ts'

export interface MailboxAccess {
  /** Names of this host, besides the loopback names. */
  hosts: readonly string[]
  /** Whether the service is reachable by others: a proxy may hide that a request comes from elsewhere. */
  isPublic: boolean
  authenticate: Authenticate
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose mail is shown; null for all tenants, on this machine only. */
    mailboxTenant: string | null
  }
}

/**
 * Admits requests from this machine, unless the service is public, and operators from elsewhere. The Host header must name
 * this host, so that another site cannot read the mailbox by DNS rebinding.
 */
export const mailboxAccess =
  ({ hosts, isPublic, authenticate }: MailboxAccess) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const host = hostnameOf(request.headers.host ?? '')
    const isLocal = LOOPBACK_NAMES.has(host)
    if (!isLocal && !hosts.some((name) => name.toLowerCase() === host)) {
      sendError(reply, 403, [{ code: 'badRequest', detail: WRONG_HOST }])
      return
    }
    if (isLocal && !isPublic && isFromThisMachine(request)) return
    try {
      const caller: Caller = await authenticate(bearerOf(request.headers.authorization))
      requireScope(caller, ['operator.messages.read'])
      request.mailboxTenant = caller.tenantId
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const problems = error.problems.map(({ code }) => ({ code, detail: SIGN_IN }))
      sendError(reply.header('www-authenticate', CHALLENGE), 401, problems)
    }
  }

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Headers that proxies add. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

const WRONG_HOST = 'The Host header names another host. Use localhost, 127.0.0.1, [::1] or the host of OTS_PUBLIC_URL.'
const SIGN_IN =
  'The mailbox requires an operator token with the scope operator.messages.read: send Authorization: Bearer <token>. In a browser, sign in with any user name and the token as password.'
const CHALLENGE = 'Bearer, Basic realm="Sandbox mailbox", charset="UTF-8"'

const hostnameOf = (header: string) => /^(\[[^\]]*\]|[^:]*?)\.?(?::\d*)?$/.exec(header)?.[1]?.toLowerCase() ?? ''

const isFromThisMachine = ({ headers, socket }: FastifyRequest) =>
  isLoopback(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)

/** Browsers send user name and password as Basic authentication; the password is the token. */
function bearerOf(header: string | undefined): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return header
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`
}
