import { Duplex } from 'node:stream'
import type { Transporter } from 'nodemailer'
import { redact } from '../domain/notifications/redact.ts'
import type { MailCheck } from '../domain/outside-diagnosis.ts'
import type { Content } from './compose.ts'

/** The result of handing a notification to a server. */
export interface Handover {
  /** `unknown`: everything was written, but no answer came. */
  outcome: 'accepted' | 'tryAgain' | 'refused' | 'unknown'
  /** The server's answer, with addresses and links removed. */
  detail: string
  /** How many copies were accepted. */
  copies?: number
}

export interface Envelope {
  /** The same for every attempt, so that mail servers can recognize a repeat. */
  id: string
  to: string
  content: Content
  /** Who gets a copy, and what it says. */
  cc: string[]
  copy: Content | null
}

export interface Transport {
  /** Calls `beforeSend` before the first byte of the notification is written; if that fails, nothing is sent. */
  send(envelope: Envelope, beforeSend: () => Promise<void>): Promise<Handover>
  close(): void
}

const TIMEOUT_MS = 30_000
const MAX_DETAIL = 500
/** Per worker and channel. */
export const MAX_CONCURRENT = 8

/** Sends e-mail by SMTP. The URL may set the sender: `?from=orders@example.com`. */
export function smtpTransport(address: string, host: string, { timeoutMs = TIMEOUT_MS } = {}): Transport {
  const url = new URL(address)
  const from = url.searchParams.get('from') ?? `no-reply@${host}`
  url.searchParams.delete('from')
  const open = async () => {
    const options = { pool: true, maxConnections: MAX_CONCURRENT, disableFileAccess: true, disableUrlAccess: true }
    const mailer = await createMailer(url, { ...options, ...timeoutsOf(timeoutMs) })
    // nodemailer reads the mail once the server has accepted us; after the last byte the server may have all of it.
    mailer.use('stream', (mail, done) => {
      const { beforeSend, onWritten } = mail.data as unknown as Hooks
      mail.message.transform(() => passThrough(beforeSend).once('end', onWritten))
      done()
    })
    return mailer
  }
  let opened: ReturnType<typeof open> | undefined
  const handOver = async (
    { id, to, content }: Pick<Envelope, 'id' | 'to' | 'content'>,
    beforeSend: () => Promise<void>,
  ): Promise<Handover> => {
    let isWritten = false
    const onWritten = () => {
      isWritten = true
    }
    try {
      const { language, sender = '', subject, text, html, attachments } = content
      const mail = {
        from: literal(from, sender),
        to: literal(to),
        envelope: { from, to: [literal(to)] },
        subject,
        text,
        html,
        attachments: attachments.map((each) => ({
          ...each,
          encoding: 'base64',
          contentDisposition: each.cid === undefined ? ('attachment' as const) : ('inline' as const),
        })),
        messageId: `<${id}@${host}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': language,
        },
        beforeSend,
        onWritten,
      }
      const mailer = await (opened ??= open())
      const sent = (await mailer.sendMail(mail)) as Sent
      return { outcome: 'accepted', detail: redact(sent.response ?? '') }
    } catch (error) {
      return toHandover(error as MailError, isWritten)
    }
  }
  return {
    /** Each copy is a mail of its own, sent after the recipient's: it has no link, and its outcome changes nothing. */
    async send({ id, to, content, cc, copy }, beforeSend) {
      const first = await handOver({ id, to, content }, beforeSend)
      if (first.outcome !== 'accepted' || !copy || cc.length === 0) return first
      const sent = await Promise.all(
        cc.map((each, i) => handOver({ id: `${id}.${i + 1}`, to: each, content: copy }, async () => {})),
      )
      const details = sent.map(({ outcome, detail }) => (outcome === 'accepted' ? detail : `${outcome}, ${detail}`))
      const copies = sent.filter(({ outcome }) => outcome === 'accepted').length
      return {
        outcome: 'accepted',
        detail: `${first.detail}; copies: ${details.join('; ')}`.slice(0, MAX_DETAIL),
        copies,
      }
    },
    // What could not be opened was reported with the mail.
    close: () => void opened?.then((mailer) => mailer.close()).catch(() => {}),
  }
}

/** The library is loaded with the first mail: most processes send none. */
async function createMailer(url: URL, options: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url: url.href, ...options } as Parameters<typeof createTransport>[0])
}

const timeoutsOf = (ms: number) => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms })

/** Connects and logs in, and sends nothing. */
export async function verifySmtp(address: string, { timeoutMs = TIMEOUT_MS } = {}): Promise<MailCheck> {
  const url = new URL(address)
  url.searchParams.delete('from')
  const mailer = await createMailer(url, timeoutsOf(timeoutMs))
  try {
    await mailer.verify()
    return { isAccepted: true }
  } catch (error) {
    const { code, response, message } = error as MailError
    return { isAccepted: false, isLogin: code === 'EAUTH', detail: redact(response ?? message) }
  } finally {
    mailer.close()
  }
}

interface Hooks {
  beforeSend: () => Promise<void>
  onWritten: () => void
}

const passThrough = (beforeSend: () => Promise<void>) =>
  Duplex.from(async function* (mail: AsyncIterable<Buffer>) {
    await beforeSend()
    yield* mail
  })

interface Sent {
  response?: string
}

/** As an object, because nodemailer would look for several addresses in a string. */
const literal = (address: string, name = '') => ({ name, address })

interface MailError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/**
 * RFC 5321: 4xx is temporary, 5xx permanent. But only answers about the recipient or the mail concern this notification: a
 * refused connection, password or sender is for the operator to fix, and all mails wait for it. Without an answer the mail
 * is retried, unless all of it had been written: then the outcome is unknown.
 */
function toHandover({ responseCode, response, code, command, message }: MailError, isWritten: boolean): Handover {
  const detail = redact(response ?? `${code ?? 'error'}: ${message}`)
  if (responseCode === undefined && isWritten) return { outcome: 'unknown', detail }
  const isFinal = responseCode === undefined || responseCode >= 500
  const isAboutMail = code === 'EMESSAGE' || (code === 'EENVELOPE' && (command === 'RCPT TO' || command === 'API'))
  return { outcome: isFinal && isAboutMail ? 'refused' : 'tryAgain', detail }
}

/**
 * Sends text messages through an HTTP endpoint with the form of Twilio's message API: `To`, `Body` and the URL's query
 * parameters, such as `From`. The URL holds the credentials as user name and password.
 */
export function smsTransport(address: string, { timeoutMs = TIMEOUT_MS } = {}): Transport {
  const url = new URL(address)
  const fixed = [...url.searchParams]
  const credentials = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)
  const authorization = url.username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` }
  const target = `${url.origin}${url.pathname}`
  return {
    async send({ to, content }, beforeSend) {
      await beforeSend()
      try {
        const response = await fetch(target, {
          method: 'POST',
          headers: { ...authorization, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams([...fixed, ['To', to], ['Body', content.short]]).toString(),
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        })
        // The body is not kept: it repeats the text message, and with it the link.
        await response.body?.cancel()
        return { outcome: outcomeOf(response.status), detail: String(response.status) }
      } catch (error) {
        const { name, cause } = error as Error & { cause?: { code?: string } }
        // Nothing was sent if there was no connection.
        const isUnsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
          cause?.code ?? '',
        )
        return { outcome: isUnsent ? 'tryAgain' : 'unknown', detail: cause?.code ?? name }
      }
    },
    close: () => {},
  }
}

function outcomeOf(status: number): Handover['outcome'] {
  if (status >= 200 && status < 300) return 'accepted'
  // A gateway may have lost only the answer.
  if (status === 502 || status === 504) return 'unknown'
  return status < 400 || status >= 500 || RETRYABLE.has(status) ? 'tryAgain' : 'refused'
}

/** About the endpoint, the credentials or the load, not about this text message. */
const RETRYABLE = new Set([401, 403, 404, 405, 407, 408, 429])
