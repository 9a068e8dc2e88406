import { WebhookError } from './webhook-error.ts'

/** `Headers`, or the headers of a Node request. */
export type HeadersLike = { get(name: string): string | null } | Record<string, string | string[] | undefined>

/** A signature as the headers of a delivery give it. */
export interface Signature {
  scheme: 'v1' | 'v2' | 'standard'
  /** What is signed before the body. */
  prefix: string
  /** One of them must be right. */
  macs: Uint8Array<ArrayBuffer>[]
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
  const v2 = /^t=(\d{1,12}),sha256=([0-9a-f]{64})$/i.exec(own ?? '')
  if (v2) return { scheme: 'v2', prefix: `${v2[1]}.`, time: Number(v2[1]), macs: [fromHex(v2[2]!)] }
  if (own?.startsWith('t=')) throw malformed('X-Signature')
  const standard = headerOf(headers, 'webhook-signature')
  if (standard !== undefined) return standardSignature(headers, standard)
  if (own === undefined) {
    throw new WebhookError(
      'missingSignature',
      'There is no X-Signature header. Deliveries are signed if the callback has an `auth.secretKey`.',
    )
  }
  const v1 = /^sha256=([0-9a-f]{64})$/i.exec(own)
  if (!v1) throw malformed('X-Signature')
  return { scheme: 'v1', prefix: '', macs: [fromHex(v1[1]!)] }
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

const malformed = (name: string) =>
  new WebhookError('malformedSignature', `The header ${name} is not one that the service sends.`)

export function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const record = headers as Record<string, string | string[] | undefined>
  const value = record[name] ?? record[Object.keys(record).find((key) => key.toLowerCase() === name) ?? name]
  return Array.isArray(value) ? value.join() : value
}

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16))

export const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
