import { createTransport } from 'nodemailer'
import type { Letter } from './letters.ts'

/** What came of handing a message over. */
export interface Handover {
  outcome: 'accepted' | 'tryAgain' | 'refused'
  /** What the other side said, without anybody's address. */
  detail: string
}

export interface Envelope {
  /** The same for every attempt, so that servers can tell a repeat. */
  id: string
  to: string
  cc: string[]
  letter: Letter
}

export interface Transport {
  send(envelope: Envelope): Promise<Handover>
  close(): void
}

const TIMEOUT_MS = 30_000

/** E-mail by SMTP. The address of the server may say who the mail is from: `?from=orders@example.com`. */
export function emailBy(address: string, host: string): Transport {
  const url = new URL(address)
  const from = url.searchParams.get('from') ?? `no-reply@${host}`
  url.searchParams.delete('from')
  const mailer = createTransport({
    url: url.href,
    pool: true,
    maxConnections: 4,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as Parameters<typeof createTransport>[0])
  return {
    async send({ id, to, cc, letter }) {
      try {
        const { subject, text, html } = letter
        const messageId = `<${id}@${host}>`
        const sent = (await mailer.sendMail({ from, to, cc, subject, text, html, messageId })) as { response?: string }
        return { outcome: 'accepted', detail: withoutAddresses(sent.response ?? '') }
      } catch (error) {
        return refusalOf(error as MailError)
      }
    },
    close: () => mailer.close(),
  }
}

interface MailError extends Error {
  code?: string
  responseCode?: number
  response?: string
}

/** RFC 5321: 4xx may pass, 5xx will not. Without an answer, another try may find the server back. */
function refusalOf({ responseCode, response, code, message }: MailError): Handover {
  const isFinal = (responseCode !== undefined && responseCode >= 500) || code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    outcome: isFinal && !(responseCode !== undefined && responseCode < 500) ? 'refused' : 'tryAgain',
    detail: withoutAddresses(response ?? `${code ?? 'error'}: ${message}`),
  }
}

/**
 * Text messages by an HTTP endpoint that takes the form of Twilio's message API: `To`, `Body`, and whatever the address
 * says in its query, such as `From`. Credentials stand before the host.
 */
export function textsBy(address: string): Transport {
  const url = new URL(address)
  const fixed = [...url.searchParams]
  const credentials = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)
  const authorization = url.username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` }
  const target = `${url.origin}${url.pathname}`
  return {
    async send({ to, letter }) {
      try {
        const response = await fetch(target, {
          method: 'POST',
          headers: { ...authorization, 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams([...fixed, ['To', to], ['Body', letter.short]]).toString(),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const said = withoutAddresses((await response.text()).slice(0, 500))
        return { outcome: outcomeOf(response.status), detail: `${response.status} ${said}`.trim() }
      } catch (error) {
        return { outcome: 'tryAgain', detail: withoutAddresses((error as Error).message) }
      }
    },
    close: () => {},
  }
}

function outcomeOf(status: number): Handover['outcome'] {
  if (status >= 200 && status < 300) return 'accepted'
  return status === 429 || status === 408 || status >= 500 ? 'tryAgain' : 'refused'
}

/** Servers like to repeat whom they were asked to reach. */
const withoutAddresses = (text: string) =>
  text
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '…')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '…')
    .slice(0, 500)
