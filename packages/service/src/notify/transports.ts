import { Duplex } from 'node:stream'
import { createTransport } from 'nodemailer'
import type { Letter } from './letters.ts'

/** What came of handing a message over. */
export interface Handover {
  /** `unknown`: all of it was written, and then no answer came. */
  outcome: 'accepted' | 'tryAgain' | 'refused' | 'unknown'
  /** What the other side said, without anybody's address. */
  detail: string
}

export interface Envelope {
  /** The same for every attempt, so that mail servers can tell a repeat. */
  id: string
  to: string
  cc: string[]
  letter: Letter
}

export interface Transport {
  /** Calls `leaving` before the first byte of the message is let go: where that fails, none is. */
  send(envelope: Envelope, leaving: () => Promise<void>): Promise<Handover>
  close(): void
}

const TIMEOUT_MS = 30_000
const MOST_DETAIL = 500
/** By one worker, over one channel. */
export const SENT_AT_ONCE = 8

/** E-mail by SMTP. The address of the server may say who the mail is from: `?from=orders@example.com`. */
export function emailBy(address: string, host: string, { timeoutMs = TIMEOUT_MS } = {}): Transport {
  const url = new URL(address)
  const from = url.searchParams.get('from') ?? `no-reply@${host}`
  url.searchParams.delete('from')
  const mailer = createTransport({
    url: url.href,
    pool: true,
    maxConnections: SENT_AT_ONCE,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
  // A mail is read when the server is there and knows us. Once the last byte was, the server may have it.
  mailer.use('stream', (mail, done) => {
    const { leaving, written } = mail.data as unknown as Passing
    mail.message.transform(() => letThrough(leaving).once('end', written))
    done()
  })
  const handOver = async (
    { id, to, cc, letter }: Envelope,
    recipients: string[],
    leaving: () => Promise<void>,
  ): Promise<Handover> => {
    let isWritten = false
    const written = () => {
      isWritten = true
    }
    try {
      const { language, subject, text, html } = letter
      const mail = {
        from,
        to: addressed(to),
        cc: cc.map((each) => addressed(each)),
        envelope: { from, to: recipients.map((each) => addressed(each)) },
        subject,
        text,
        html,
        messageId: `<${id}@${host}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': language,
        },
        leaving,
        written,
      }
      const sent = (await mailer.sendMail(mail)) as Sent
      return { outcome: 'accepted', detail: withoutAddresses(sent.response ?? '') + refusedOf(sent) }
    } catch (error) {
      return refusalOf(error as MailError, isWritten)
    }
  }
  return {
    /** First to whom it is for, and then the copies: so neither is sent twice because the other was not taken. */
    async send(envelope, leaving) {
      const { to, cc } = envelope
      const first = await handOver(envelope, [to], leaving)
      if (first.outcome !== 'accepted' || cc.length === 0) return first
      const copies = await handOver(envelope, cc, async () => {})
      const told = copies.outcome === 'accepted' ? copies.detail : `${copies.outcome}, ${copies.detail}`
      return { outcome: 'accepted', detail: `${first.detail}; copies: ${told}`.slice(0, MOST_DETAIL) }
    },
    close: () => mailer.close(),
  }
}

interface Passing {
  leaving: () => Promise<void>
  written: () => void
}

const letThrough = (leaving: () => Promise<void>) =>
  Duplex.from(async function* (mail: AsyncIterable<Buffer>) {
    await leaving()
    yield* mail
  })

interface Sent {
  response?: string
  rejectedErrors?: { response?: string }[]
}

/** Taken as it is: in a text the library would look for several. */
const addressed = (address: string) => ({ name: '', address })

/** Of several copies some may be taken and others not. */
const refusedOf = ({ rejectedErrors = [] }: Sent) =>
  rejectedErrors.map(({ response = '' }) => `; refused: ${withoutAddresses(response)}`).join('')

interface MailError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/**
 * RFC 5321: 4xx may pass, 5xx will not; but only what is said of the recipient or of the mail is about this message. A
 * greeting, a password or a sender that is refused is the operator's to mend, and all mails wait for it. Without an
 * answer another try may find the server back, unless the whole mail had been written: then nobody knows.
 */
function refusalOf({ responseCode, response, code, command, message }: MailError, isWritten: boolean): Handover {
  const detail = withoutAddresses(response ?? `${code ?? 'error'}: ${message}`)
  if (responseCode === undefined && isWritten) return { outcome: 'unknown', detail }
  const isFinal = responseCode === undefined || responseCode >= 500
  const isAboutIt = code === 'EMESSAGE' || (code === 'EENVELOPE' && (command === 'RCPT TO' || command === 'API'))
  return { outcome: isFinal && isAboutIt ? 'refused' : 'tryAgain', detail }
}

/**
 * Text messages by an HTTP endpoint that takes the form of Twilio's message API: `To`, `Body`, and whatever the address
 * says in its query, such as `From`. Credentials stand before the host.
 */
export function textsBy(address: string, { timeoutMs = TIMEOUT_MS } = {}): Transport {
  const url = new URL(address)
  const fixed = [...url.searchParams]
  const credentials = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)
  const authorization = url.username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` }
  const target = `${url.origin}${url.pathname}`
  return {
    async send({ to, letter }, leaving) {
      await leaving()
      try {
        const response = await fetch(target, {
          method: 'POST',
          headers: { ...authorization, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams([...fixed, ['To', to], ['Body', letter.short]]).toString(),
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        })
        // Nothing of what it says is kept: it likes to repeat the message, and with it the link.
        await response.body?.cancel()
        return { outcome: outcomeOf(response.status), detail: String(response.status) }
      } catch (error) {
        const { name, cause } = error as Error & { cause?: { code?: string } }
        // A connection that never came about has carried nothing.
        const isUnheard = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
          cause?.code ?? '',
        )
        return { outcome: isUnheard ? 'tryAgain' : 'unknown', detail: cause?.code ?? name }
      }
    },
    close: () => {},
  }
}

function outcomeOf(status: number): Handover['outcome'] {
  if (status >= 200 && status < 300) return 'accepted'
  // What stands before the server may have lost the answer alone.
  if (status === 502 || status === 504) return 'unknown'
  return status < 400 || status >= 500 || MENDABLE.has(status) ? 'tryAgain' : 'refused'
}

/** Said of the address, the credentials or the moment, and not of the message. */
const MENDABLE = new Set([401, 403, 404, 405, 407, 408, 429])

/** Servers like to repeat whom they were asked to reach, and what they were asked to say. */
const withoutAddresses = (text: string) =>
  text
    .slice(0, 4 * MOST_DETAIL)
    .replaceAll(/\b\w+:\/\/\S+|\S*\/o\/\S+/g, '…')
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '…')
    // A telephone number has ten digits or more; what a server answers with, such as 550 5.1.1, fewer.
    .replaceAll(/\+?\d(?:[\s().-]*\d){9,}/g, '…')
    .slice(0, MOST_DETAIL)
