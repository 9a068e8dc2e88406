import { SIGNATURE_TOLERANCE_SECONDS } from '@order-testing/contract'

/** A delivery to check a receiver with. */
export interface SignatureVector {
  name: string
  /** What it shows. */
  about: string
  scheme: 'v1' | 'v2' | 'standard'
  /** The secrets that the receiver knows; one of them must fit. */
  secrets: readonly string[]
  /** The receiver's clock, in Unix seconds. */
  now: number
  headers: Record<string, string>
  /** To be encoded as UTF-8. */
  body: string
  /** Whether a secret of the receiver made the signature for this body. */
  isSigned: boolean
  /** Whether the receiver accepts the delivery. */
  isAccepted: boolean
  /** Why not; the `reason` that `verifyWebhook` of our client gives. */
  reason?: string
}

const SECRET = 'correct-horse-battery-staple'
const SIGNED_AT = 1_772_463_937
const EVENT_ID = 'evt_01K9Z7Q2M4T8V6W3X5Y1B0C2D4'

const EVENT = `{"object":"event","id":"${EVENT_ID}","type":"order.updated","createdAt":"2026-03-02T15:05:36.480Z","data":{"object":"order","id":"ord_01K9Z6","code":"K7M4-2QXD","url":"/api/v2/orders/ord_01K9Z6"}}`
const UTF8_EVENT = EVENT.replace('"url":', '"externalId":"Núñez – 検査 🧪","url":')
/** Real v1 deliveries have all members of the order. */
const ORDER = '{"object":"order","id":"ord_01K9Z6","code":"K7M4-2QXD","status":"negative","isFinal":true}'

/** The delivery that the pages show. */
export const SAMPLE = { secret: SECRET, timestamp: SIGNED_AT, eventId: EVENT_ID, body: EVENT, order: ORDER }

/** Computed with OpenSSL and Python, not with code of this service. */
const V2 = 't=1772463937,sha256=530f730713cfd4c9bd82deebe9eb4fcd7c9fe8c2d7211a5958962d4574f9ed49'
const V2_UTF8 = 't=1772463937,sha256=b9ce9fe94fcfeaf3c819671a0ec8249c0970b1e845552506c2ab4d060b59a362'
const V2_UTF8_SECRET = 't=1772463937,sha256=7b5315e1082bdcd4d21d3a804b11a55034cf5f99fb5c18be7f0348c48c8df31b'
const V2_EMPTY_OBJECT = 't=1772463937,sha256=4bfaa72514c165fc4f4b9c2d917a235d97d3b80973f51d7fd4811f487a6e6e59'
const V2_NOTHING = 't=1772463937,sha256=f7f1c9149ec89f469abee0f7927bdc705cbb29d3f88a458e3a125d79cd501282'
const V2_OLD_SECRET = 't=1772463937,sha256=8b6043c97e9ee34bc16c2e255eb48f158cdecf62b522ceb22a2ac6adafecd477'
const V2_OTHER_SECRET = 't=1772463937,sha256=c38a0e2ed4223320f5e7da7c59fdc878f465e034a19b9866b93afa34a53f97b1'
const V1 = 'sha256=1ddf15fd323130c0eb633ddc46aac228447e4a856f0940f31d9bcb3ea10a6679'
const V1_EVENT = 'sha256=98456d1a8ef3435eb5b6a6d5a9883aa459a5bf01861a7ba98fdaabe5f41b3b51'
const STANDARD = 'v1,9iHM+wE2i6PGUhKHZSPpKi7Jr0nKC9SFD80iO2aj0Qo='
const STANDARD_ORDER = 'v1,UOpxDvDrnVudBTAjfxnWuYzlSYEbFTZo2eGgajSa9vc='
const STANDARD_OLD_SECRET = 'v1,ZItyFKO32kuqe3xlLMWVdixPSOCR3otOJSUJYu05jrA='

const accepted = { isSigned: true, isAccepted: true }
const forged = { isSigned: false, isAccepted: false }
const v2 = { scheme: 'v2', secrets: [SECRET], now: SIGNED_AT, body: EVENT } as const
const standardHeaders = { 'webhook-id': EVENT_ID, 'webhook-timestamp': String(SIGNED_AT) }

const VECTORS: SignatureVector[] = [
  vector('v2', 'A v2 delivery.', { ...v2, headers: { 'x-signature': V2 }, ...accepted }),
  vector('v2-five-minutes', 'Exactly 300 seconds old: still accepted.', {
    ...v2,
    now: SIGNED_AT + 300,
    headers: { 'x-signature': V2 },
    ...accepted,
  }),
  vector('v2-utf8-body', 'A body with characters of two, three and four bytes. Sign the bytes, not the characters.', {
    ...v2,
    body: UTF8_EVENT,
    headers: { 'x-signature': V2_UTF8 },
    ...accepted,
  }),
  vector('v2-utf8-secret', 'A secret with characters outside ASCII. The key is its UTF-8 bytes.', {
    ...v2,
    secrets: ['sécret 検査'],
    headers: { 'x-signature': V2_UTF8_SECRET },
    ...accepted,
  }),
  vector('v2-rotation', 'Signed with the old secret, while the receiver knows the new and the old one.', {
    ...v2,
    secrets: [SECRET, 'the-secret-before'],
    headers: { 'x-signature': V2_OLD_SECRET },
    ...accepted,
  }),
  vector('v1', 'A v1 delivery. Its signature has no time.', {
    ...v2,
    scheme: 'v1',
    body: ORDER,
    headers: { 'x-signature': V1 },
    ...accepted,
  }),
  vector('standard', 'The headers of Standard Webhooks.', {
    ...v2,
    scheme: 'standard',
    headers: { ...standardHeaders, 'webhook-signature': STANDARD },
    ...accepted,
  }),
  vector('standard-v1-body', 'Standard Webhooks headers of a v1 delivery: they sign the time, unlike `X-Signature`.', {
    ...v2,
    scheme: 'standard',
    body: ORDER,
    headers: { ...standardHeaders, 'webhook-signature': STANDARD_ORDER },
    ...accepted,
  }),
  vector(
    'standard-two-signatures',
    'Two signatures in one header, as the standard allows during a change of secrets. One that fits is enough. This service sends one.',
    {
      ...v2,
      scheme: 'standard',
      headers: { ...standardHeaders, 'webhook-signature': `${STANDARD_OLD_SECRET} ${STANDARD}` },
      ...accepted,
    },
  ),
  vector('v2-empty-object', 'The signature is right, but `{}` is no delivery.', {
    ...v2,
    body: '{}',
    headers: { 'x-signature': V2_EMPTY_OBJECT },
    isSigned: true,
    isAccepted: false,
    reason: 'malformedBody',
  }),
  vector('v2-empty-body', 'The signature is right, but an empty body is no delivery.', {
    ...v2,
    body: '',
    headers: { 'x-signature': V2_NOTHING },
    isSigned: true,
    isAccepted: false,
    reason: 'malformedBody',
  }),
  vector('v2-too-old', 'Signed by the service, but 301 seconds ago: it may be a recording.', {
    ...v2,
    now: SIGNED_AT + 301,
    headers: { 'x-signature': V2 },
    isSigned: true,
    isAccepted: false,
    reason: 'clockSkew',
  }),
  vector('v2-time-changed', 'A recording with a fresh time. The time is signed, so this fails.', {
    ...v2,
    now: SIGNED_AT + 3600,
    headers: { 'x-signature': V2.replace(String(SIGNED_AT), String(SIGNED_AT + 3600)) },
    ...forged,
    reason: 'wrongSecret',
  }),
  vector('v2-body-changed', 'The body was parsed and written again with blanks.', {
    ...v2,
    body: JSON.stringify(JSON.parse(EVENT), null, 1),
    headers: { 'x-signature': V2 },
    ...forged,
    reason: 'bodyChanged',
  }),
  vector('v2-wrong-secret', 'Signed with a secret that the receiver does not know.', {
    ...v2,
    headers: { 'x-signature': V2_OTHER_SECRET },
    ...forged,
    reason: 'wrongSecret',
  }),
  vector('v2-cut-off', 'A signature that is cut off.', {
    ...v2,
    headers: { 'x-signature': V2.slice(0, -2) },
    ...forged,
    reason: 'malformedSignature',
  }),
  vector('v2-without-time', 'A v2 event with a v1 signature: refuse it, or a recording could be sent again forever.', {
    ...v2,
    scheme: 'v1',
    headers: { 'x-signature': V1_EVENT },
    isSigned: true,
    isAccepted: false,
    reason: 'versionMismatch',
  }),
  vector('unsigned', 'No signature at all.', { ...v2, headers: {}, ...forged, reason: 'missingSignature' }),
]

/** The content of `signature-vectors.json`. */
export const signatureVectors = () => ({
  about:
    'Deliveries to test a webhook receiver with. A receiver that knows `secrets` and whose clock shows `now` accepts exactly those with `isAccepted`.',
  toleranceSeconds: SIGNATURE_TOLERANCE_SECONDS,
  vectors: VECTORS,
})

function vector(name: string, about: string, rest: Omit<SignatureVector, 'name' | 'about'>): SignatureVector {
  return { name, about, ...rest }
}
