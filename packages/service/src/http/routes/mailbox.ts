import { escapeHtml } from '@order-testing/pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/refusal.ts'
import { isLoopback } from '../../domain/webhooks/address-ranges.ts'
import type { MailboxRow } from '../../store/notifications/mailbox.ts'
import type { Store } from '../../store/store.ts'
import type { Authenticate } from '../authentication.ts'
import { bearerOf } from '../basic.ts'
import { sendError } from '../errors.ts'
import { requireScope } from '../scopes.ts'
import { JSON_TYPE } from '../sending.ts'

interface MailboxAccess {
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

const MAX_SHOWN = 50

/** Serves what a sandbox would have sent, as HTML and JSON. Not in production. */
export function addMailbox(app: FastifyInstance, { store, ...access }: { store: Store } & MailboxAccess): void {
  app.decorateRequest('mailboxTenant', null)
  const onRequest = mailboxAccess(access)
  const newest = ({ mailboxTenant }: FastifyRequest) => store.mailbox.page({ limit: MAX_SHOWN, page: 1 }, mailboxTenant)
  app.get('/sandbox/mailbox.json', { onRequest }, async (request, reply) => {
    const { rows, total } = await newest(request)
    if (reply.sent) return reply
    return reply.type(JSON_TYPE).send(JSON.stringify({ data: rows.map(present), total }))
  })
  app.get('/sandbox/mailbox', { onRequest }, async (request, reply) => {
    const { rows } = await newest(request)
    if (reply.sent) return reply
    return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page(rows))
  })
}

/**
 * Admits requests from this machine, unless the service is public, and operators from elsewhere. The Host header must name
 * this host, so that another site cannot read the mailbox by DNS rebinding.
 */
const mailboxAccess =
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
      const caller = await authenticate(bearerOf(request.headers.authorization))
      requireScope(caller, ['operator.messages.read'], 401)
      request.mailboxTenant = caller.tenantId
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const problems = error.problems.map(({ code }) => ({ code, detail: SIGN_IN }))
      sendError(reply.header('www-authenticate', CHALLENGE), 401, problems)
    }
  }

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

const WRONG_HOST = 'The Host header names another host. Use localhost, 127.0.0.1, [::1] or the host of OTS_PUBLIC_URL.'
const SIGN_IN =
  'The mailbox requires an operator token with the scope operator.messages.read: send Authorization: Bearer <token>. In a browser, sign in with any user name and the token as password.'
const CHALLENGE = 'Bearer, Basic realm="Sandbox mailbox", charset="UTF-8"'

const hostnameOf = (header: string) => /^(\[[^\]]*\]|[^:]*?)\.?(?::\d*)?$/.exec(header)?.[1]?.toLowerCase() ?? ''

const isFromThisMachine = ({ headers, socket }: FastifyRequest) =>
  isLoopback(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const present = ({ id, notificationId, at, content }: MailboxRow) => ({
  id,
  messageId: notificationId,
  at: at.toISOString(),
  ...content,
})

function page(rows: MailboxRow[]): string {
  const articles = rows.map(({ at, content: { language = 'en', to, cc = [], subject, text } }) => {
    const recipients = [to, ...cc].map(escapeHtml).join(', ')
    return `<article>
<h2 lang="${escapeHtml(language)}">${escapeHtml(subject ?? 'Text message')}</h2>
<p class="to">To ${recipients}, <time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></p>
<p class="text" lang="${escapeHtml(language)}">${linkUrls(escapeHtml(text))}</p>
</article>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox mailbox</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; overflow-wrap: anywhere; padding: 1.5rem 1rem }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; margin: 1rem 0; padding: 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 0 }
.to { margin: .25rem 0 .75rem; opacity: .75 } .text { margin: 0; white-space: pre-wrap }
</style>
</head>
<body>
<main>
<h1>Sandbox mailbox</h1>
<p>No mail or text server is configured (OTS_SMTP_URL, OTS_SMS_URL), so messages to participants and requesters are kept here.</p>
${articles.join('\n') || '<p>No messages yet. Create an order with the scheduling option "link".</p>'}
</main>
</body>
</html>
`
}

const linkUrls = (text: string) => text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
