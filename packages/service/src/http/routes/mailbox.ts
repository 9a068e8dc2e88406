import { createHash } from 'node:crypto'
import { ENGLISH, MAILBOX_STYLES, mailboxPage, type MailboxMail, type MailView } from '@order-testing/pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../../domain/refusal.ts'
import type { MailboxRow } from '../../store/notifications/mailbox.ts'
import type { Store } from '../../store/store.ts'
import type { Authenticate } from '../authentication.ts'
import { bearerOf } from '../basic.ts'
import { sendError } from '../errors.ts'
import { hasLoopbackName, hostnameOf, isFromThisMachine } from '../request-host.ts'
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
export function addMailbox(
  app: FastifyInstance,
  { store, hasDocs, ...access }: { store: Store; hasDocs: boolean } & MailboxAccess,
): void {
  app.decorateRequest('mailboxTenant', null)
  const onRequest = mailboxAccess(access)
  const newest = ({ mailboxTenant, query }: FastifyRequest) =>
    store.mailbox.page({ limit: MAX_SHOWN, ...filterOf(query) }, mailboxTenant)
  const read = ({ mailboxTenant, params }: FastifyRequest) =>
    store.mailbox.read((params as { id: string }).id, mailboxTenant)
  app.get('/sandbox/mailbox.json', { onRequest }, async (request, reply) => {
    const { rows, total } = await newest(request)
    if (reply.sent) return reply
    return reply.type(JSON_TYPE).send(JSON.stringify({ data: rows.map(present), total }))
  })
  app.get('/sandbox/mailbox', { onRequest }, async (request, reply) => {
    const found = await newest(request)
    if (reply.sent) return reply
    const { message, view } = request.query as { message?: unknown; view?: unknown }
    const mails = found.rows.map(toMail)
    const chosen = mails.find(({ id }) => id === message)
    const page = mailboxPage({
      mails,
      total: found.total,
      shown: chosen ?? mails[0],
      isChosen: chosen !== undefined,
      view: VIEWS.find((each) => each === view) ?? 'html',
      filter: { order: '', address: '', ...filterOf(request.query) },
      docs: hasDocs ? '/docs/operator-api/orders#operatorReadOrder' : null,
    })
    return reply.headers(PAGE).type('text/html; charset=utf-8').send(page)
  })
  app.get('/sandbox/mailbox/:id/page', { onRequest }, async (request, reply) => {
    const mail = await read(request)
    if (reply.sent) return reply
    if (mail?.content.html === undefined) throw notFound()
    return reply.headers(LETTER).type('text/html; charset=utf-8').send(asShown(mail.content))
  })
  app.get('/sandbox/mailbox/:id/files/:file', { onRequest }, async (request, reply) => {
    const mail = await read(request)
    if (reply.sent) return reply
    const file = mail?.content.attachments?.[Number((request.params as { file: string }).file)]
    if (!file) throw notFound()
    return reply
      .headers({
        ...LETTER,
        'content-disposition': `attachment; filename="${file.filename.replaceAll(/[^\w.-]/g, '_')}"`,
      })
      .type(file.contentType)
      .send(Buffer.from(file.content, 'base64'))
  })
}

const VIEWS: readonly MailView[] = ['html', 'text', 'phone']

function filterOf(query: unknown): { order?: string; address?: string } {
  const { order, address } = query as { order?: unknown; address?: unknown }
  const text = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\u0000', '').trim().slice(0, 320) : ''
  return { ...(text(order) !== '' && { order: text(order) }), ...(text(address) !== '' && { address: text(address) }) }
}

/**
 * Admits requests from this machine, unless the service is public, and operators from elsewhere. The Host header must name
 * this host, so that another site cannot read the mailbox by DNS rebinding.
 */
const mailboxAccess =
  ({ hosts, isPublic, authenticate }: MailboxAccess) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const host = hostnameOf(request.headers.host)
    const isLocal = hasLoopbackName(request)
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

const WRONG_HOST = 'The Host header names another host. Use localhost, 127.0.0.1, [::1] or the host of OTS_PUBLIC_URL.'
const SIGN_IN =
  'The mailbox requires an operator token with the scope operator.messages.read: send Authorization: Bearer <token>. In a browser, sign in with any user name and the token as password.'
const CHALLENGE = 'Bearer, Basic realm="Sandbox mailbox", charset="UTF-8"'

const hashOf = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`

const PAGE = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${MAILBOX_STYLES.map(hashOf).join(' ')}; font-src 'self'; img-src data:; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
}

/** A mail may contain what others have written: it runs nothing, and is shown in the mailbox only. */
const LETTER = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; form-action 'none'; frame-ancestors 'self'; base-uri 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Mail clients open links in a window of their own, and show attached pictures in their place. */
function asShown({ html = '', attachments = [] }: MailboxRow['content']): string {
  const opened = html.replace('<head>', '<head><base target="_blank">')
  return attachments.reduce(
    (page, { cid, contentType, content }) =>
      cid === undefined ? page : page.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`),
    opened,
  )
}

type Found = MailboxRow & { order: string | null }

const fileUrl = (id: string, index: number) => `/sandbox/mailbox/${id}/files/${index}`

const present = ({ id, notificationId, at, order, content: { attachments = [], ...content } }: Found) => ({
  id,
  messageId: notificationId,
  order,
  at: at.toISOString(),
  ...content,
  attachments: attachments.map(({ filename, contentType }, i) => ({ filename, contentType, url: fileUrl(id, i) })),
})

const toMail = ({ id, at, order, content }: Found): MailboxMail => ({
  id,
  channel: content.channel,
  language: content.language ?? ENGLISH,
  at,
  sender: content.sender ?? null,
  to: content.to,
  cc: content.cc ?? [],
  isCopy: content.isCopy ?? false,
  subject: content.subject ?? null,
  text: content.text,
  hasPage: content.html !== undefined,
  order,
  files: (content.attachments ?? []).map(({ filename }, i) => ({ name: filename, url: fileUrl(id, i) })),
})
