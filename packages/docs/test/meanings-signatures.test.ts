import { createHmac } from 'node:crypto'
import { verifyWebhook, WebhookError } from '@order-testing/client/webhooks'
import { signStandard, signV1, signV2 } from '@order-testing/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signaturesPage } from '../src/meanings/signatures.ts'
import { SAMPLE, signatureVectors, type SignatureVector } from '../src/meanings/signature-vectors.ts'

const { vectors, toleranceSeconds } = signatureVectors()
const { markdown } = signaturesPage()

/** What the headers should be, computed here and not by the code under test. */
function headersBySecret({ scheme, headers, body }: SignatureVector, secret: string): string {
  const mac = (text: string) => createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(text, 'utf8'))
  const [, time] = /^t=(\d+)/.exec(headers['x-signature'] ?? '') ?? []
  if (scheme === 'v2') return `t=${time},sha256=${mac(`${time}.${body}`).digest('hex')}`
  if (scheme === 'v1') return `sha256=${mac(body).digest('hex')}`
  return `v1,${mac(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`
}

describe.each(vectors)('the vector $name', (vector) => {
  const { headers, body, secrets, now, isSigned, isAccepted, reason } = vector

  test(`a plain HMAC of the body ${isSigned ? 'gives' : 'does not give'} the signature`, () => {
    const sent = (headers['x-signature'] ?? headers['webhook-signature'] ?? '').split(' ')
    expect(secrets.some((secret) => sent.includes(headersBySecret(vector, secret)))).toBe(isSigned)
  })

  test(`the client ${isAccepted ? 'accepts' : 'refuses'} the delivery`, async () => {
    const verified = verifyWebhook({ body: Buffer.from(body), headers, secret: secrets, now: new Date(1000 * now) })
    const outcome = await verified.then(
      () => 'accepted',
      (error: unknown) => (error instanceof WebhookError ? error.reason : String(error)),
    )
    expect(outcome).toBe(isAccepted ? 'accepted' : reason)
  })

  test('the page names the vector', () => {
    expect(markdown).toContain(`| \`${vector.name}\` |`)
  })
})

test('the vectors cover every scheme, and have both kinds of outcomes', () => {
  for (const scheme of ['v1', 'v2', 'standard']) expect(vectors.some((each) => each.scheme === scheme)).toBe(true)
  expect(vectors.filter(({ isAccepted }) => isAccepted).length).toBeGreaterThan(5)
  expect(vectors.filter(({ isAccepted }) => !isAccepted).length).toBeGreaterThan(5)
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
})

test('the vectors survive being written as JSON', () => {
  expect(JSON.parse(JSON.stringify(signatureVectors()))).toEqual(signatureVectors())
})

test('Limits: a signature is accepted for five minutes, and no longer', () => {
  expect(toleranceSeconds).toBe(300)
  expect(markdown).toContain('more than 5 minutes old')
})

test('the signatures on the page are those of the vectors', () => {
  const now = new Date(1000 * SAMPLE.timestamp)
  const signatureOf = (name: string) => vectors.find((each) => each.name === name)!.headers
  expect(signV2({ ...SAMPLE, now })).toBe(signatureOf('v2')['x-signature'])
  expect(signV1({ ...SAMPLE, body: SAMPLE.order })).toBe(signatureOf('v1')['x-signature'])
  expect(signStandard({ ...SAMPLE, id: SAMPLE.eventId, now })).toBe(signatureOf('standard')['webhook-signature'])
  for (const name of ['v2', 'v1']) expect(markdown).toContain(`X-Signature: ${signatureOf(name)['x-signature']}`)
  expect(markdown).toContain(`webhook-signature: ${signatureOf('standard')['webhook-signature']}`)
})

describe('the receiver on the page', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  const ofV2 = vectors.filter(({ scheme, secrets }) => scheme === 'v2' && secrets.length === 1)

  test.each(ofV2)(
    'it judges the signature of $name as it should',
    async ({ headers, body, secrets, now, ...expected }) => {
      vi.setSystemTime(1000 * now)
      const [, source = ''] = /```js\n([^]*?)\n```/.exec(markdown) ?? []
      const { isGenuine } = (await import(
        /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${source}\nexport { isGenuine }`)}`
      )) as { isGenuine: (body: Buffer, signature: string | undefined, secret: string) => boolean }
      const isFresh = expected.reason !== 'clockSkew'
      expect(isGenuine(Buffer.from(body), headers['x-signature'], secrets[0]!)).toBe(expected.isSigned && isFresh)
    },
  )
})
