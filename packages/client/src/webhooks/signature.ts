import { WebhookError } from './webhook-error.ts'

/** `Headers`, or the headers of a Node request. */
export type HeadersLike = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/** A signature as the headers of a delivery give it. */
export interface Signature {
  scheme: 'v1' | 'v2' | 'standard'
  /** What is signed before the body. */
  prefix: string
  /** One of them must be right. */
  macs: Uint8Array[]
  /** Unix seconds; v1 signs no time. */
  time?: number
  /** The event, where its id is signed. */
  eventId?: string
}

/**
 * The signature to check: `X-Signature` of v2, else Standard Webhooks, else `X-Signature` of v1. v1 comes last because it
 * signs no time.
 */
export function signatureOf(headers: HeadersLike): Signature {
  const own = headerOf(headers, 'x-signature')
  const [isOwn, time, hex = ''] = /^(?:t=(\d{1,12}),)?sha256=([\da-f]{64})$/i.exec(own ?? '') ?? []
  if (time) return { scheme: 'v2', prefix: `${time}.`, time: Number(time), macs: [fromHex(hex)] }
  const standard = headerOf(headers, 'webhook-signature')
  if (standard !== undefined) return standardSignature(headers, standard)
  if (isOwn) return { scheme: 'v1', prefix: '', macs: [fromHex(hex)] }
  if (own !== undefined) throw malformed('X-Signature')
  throw new WebhookError(
    'missingSignature',
    'There is no X-Signature header. Does the callback have an `auth.secretKey`?',
  )
}

function standardSignature(headers: HeadersLike, list: string): Signature {
  const eventId = headerOf(headers, 'webhook-id')
  const time = headerOf(headers, 'webhook-timestamp') ?? ''
  const macs = list
    .split(' ')
    .flatMap((each) => (/^v1,[A-Za-z0-9+/]{43}=$/.test(each) ? [fromBase64(each.slice(3))] : []))
  if (!eventId || !/^\d{1,12}$/.test(time) || macs.length === 0) throw malformed('webhook-signature')
  return { scheme: 'standard', prefix: `${eventId}.${time}.`, time: Number(time), macs: macs.slice(0, 5), eventId }
}

const malformed = (name: string) => new WebhookError('malformedSignature', `Malformed header ${name}.`)

export function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const record = headers as Record<string, string | string[] | undefined>
  const value = record[name] ?? record[Object.keys(record).find((key) => key.toLowerCase() === name) ?? name]
  return Array.isArray(value) ? value.join() : value
}

const fromHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16))

export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
