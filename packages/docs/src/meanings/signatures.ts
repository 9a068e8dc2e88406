import { SIGNATURE_TOLERANCE_SECONDS, signStandard, signV1, signV2 } from '@order-testing/contract'
import type { Page } from '../page.ts'
import { code, fenced, numbered, referencePage, table } from './markdown.ts'
import { SAMPLE, signatureVectors } from './signature-vectors.ts'

/** How deliveries are signed, and vectors to test a receiver with. */
export const signaturesPage = (): Page =>
  referencePage('signatures', 'Signatures', [
    "If the `auth` of a callback has a `secretKey`, every delivery is signed with it, so that you can tell ours from anybody else's. All signatures are HMAC-SHA256, keyed with the UTF-8 bytes of the `secretKey`. There are two ways to check a delivery, `X-Signature` and the headers of Standard Webhooks: choose one.",
    table(['Header', 'Signed', 'In deliveries of', 'Form'], FORMS),
    '::: tip\nIn TypeScript, `verifyWebhook` of `@order-testing/client/webhooks` does all of this. For other languages there are [Standard Webhooks](https://www.standardwebhooks.com) libraries.\n:::',
    '## Rules for all of them {#rules}',
    numbered([
      'Take the body **as the bytes that arrived**, before a framework parses it. JSON that was parsed and written again is not what was signed.',
      'Compare in constant time, with `timingSafeEqual`, `hmac.compare_digest` or the like.',
      `Refuse a delivery whose signed time is more than ${MINUTES} minutes old, or as far in the future: it may be a recording. Keep your clock synchronised.`,
      'Choose by the form of `X-Signature`: if it begins with `t=`, it is v2. A body with `"object": "event"` must have a v2 signature; only `"object": "order"` may have one of v1.',
      'Answer 400 or 401 to what fails, and do not say why. The service tries again, so a mistake of yours costs no event.',
    ]),
    '## v2 {#v2}',
    numbered([
      'Split `X-Signature` at the comma: `t=` is the time in Unix seconds, `sha256=` the signature in lower-case hexadecimal.',
      'Join the time as text, a period, and the raw body: `<t>.<body>`.',
      'Compute HMAC-SHA256 of that with your `secretKey`, in hexadecimal.',
      'Compare it with the signature, and `t` with your clock.',
    ]),
    sample('X-Signature', signV2({ ...SAMPLE, now: NOW }), SAMPLE.body),
    fenced('sh', `printf '%s' '${SAMPLE.timestamp}.${SAMPLE.body}' | openssl dgst -sha256 -hmac '${SAMPLE.secret}'`),
    fenced('js', RECEIVER),
    '## v1 {#v1}',
    'The same without the time: `X-Signature: sha256=<hex>` over the raw body alone. Since no time is signed, anyone who has seen a v1 delivery can send it again. Check the Standard Webhooks headers instead, which v1 deliveries have too, or move to v2.',
    sample('X-Signature', signV1({ ...SAMPLE, body: SAMPLE.order }), SAMPLE.order),
    fenced('sh', `printf '%s' '${SAMPLE.order}' | openssl dgst -sha256 -hmac '${SAMPLE.secret}'`),
    '## Standard Webhooks {#standard}',
    numbered([
      'Join `webhook-id`, `webhook-timestamp` and the raw body with periods: `<id>.<timestamp>.<body>`.',
      'Compute HMAC-SHA256 of that with your `secretKey`, in base64.',
      '`webhook-signature` is `v1,` and the signature. The standard allows several, separated by blanks: one that fits is enough. (This `v1` is the version of the standard, not of our API.)',
      'Compare `webhook-timestamp` with your clock.',
    ]),
    `Libraries take the secret as \`whsec_\` and base64. Give them \`whsec_\` + base64(\`secretKey\`): for ${code(SAMPLE.secret)} that is ${code(`whsec_${Buffer.from(SAMPLE.secret).toString('base64')}`)}. The \`secretKey\` that you register is the plain text.`,
    fenced(
      'text',
      `webhook-id: ${SAMPLE.eventId}\nwebhook-timestamp: ${SAMPLE.timestamp}\nwebhook-signature: ${signStandard({ ...SAMPLE, id: SAMPLE.eventId, now: NOW })}\n\n${SAMPLE.body}`,
    ),
    '## Changing the secret {#rotation}',
    numbered([
      'Let your receiver accept the old and the new secret.',
      'Register the callback of each open order again with the new `secretKey`: `PUT /api/v2/orders/{id}/callback` with the same URL. Send the complete callback.',
      'Remove the old secret once the last order with it is closed and its deliveries have ended.',
    ]),
    'A delivery has one signature, made with the secret that its callback has at the time of the attempt. So a retry after the change is signed with the new one.',
    '## Test vectors {#vectors}',
    'All of them as JSON: [signature-vectors.json](./signature-vectors.json). A receiver that knows `secrets`, and whose clock shows `now`, accepts exactly those with `isAccepted`.',
    table(['Name', 'What it shows', 'Accept?', 'Reason'], vectorRows()),
    'To see real deliveries misbehave, use the [sandbox](../guides/sandbox.md): it sends wrong signatures, duplicates and late v1 deliveries on request.',
  ])

const NOW = new Date(1000 * SAMPLE.timestamp)
const MINUTES = SIGNATURE_TOLERANCE_SECONDS / 60

const FORMS = [
  ['`X-Signature`', 'time and body', 'v2', '`t=<unix seconds>,sha256=<hex>`'],
  ['`X-Signature`', 'body', 'v1', '`sha256=<hex>`'],
  ['`webhook-signature`', 'event id, time and body', 'v1 and v2', '`v1,<base64>`'],
]

const RECEIVER = `import { createHmac, timingSafeEqual } from 'node:crypto'

/** rawBody: the Buffer as it arrived. */
function isGenuine(rawBody, signature, secretKey) {
  const [, t, hex] = /^t=(\\d+),sha256=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  if (!hex || Math.abs(Date.now() / 1000 - t) > ${SIGNATURE_TOLERANCE_SECONDS}) return false
  const expected = createHmac('sha256', secretKey).update(t + '.').update(rawBody).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}`

const sample = (header: string, value: string, body: string) => fenced('text', `${header}: ${value}\n\n${body}`)

const vectorRows = () =>
  signatureVectors().vectors.map(({ name, about, isAccepted, reason }) => [
    code(name),
    about,
    isAccepted ? 'yes' : 'no',
    reason === undefined ? '' : code(reason),
  ])
