import { request, METHODS, type IncomingMessage } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '@order-testing/contract'
import { startService, type TestService } from '../support/service.ts'
import { expectCommonHeaders, problemsOf, type Answer } from './answers.ts'
import { exchange, exchangeOne } from './raw.ts'
import { exampleOf, placeOf, prairieCatalog, prairieToken, everyOperation, type Request } from './walk.ts'

const SECRET = 'prairie-secret-full'
/** Enough for likely faults, few enough for every build; a failure prints its seed. */
const RUNS = { numRuns: 100 }

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.apply(prairieCatalog('prairie', [prairieToken(SECRET)]))
})

afterAll(() => service.stop())

/** A success, a refusal as the interface has it, or a failure of ours, which nothing that is sent may bring about. */
function kindOf(answer: Answer): 'success' | 'refusal' | 'failure' {
  if (answer.status >= 500) return 'failure'
  if (answer.status >= 300) problemsOf(answer)
  expectCommonHeaders(answer.headers)
  return answer.status < 300 ? 'success' : 'refusal'
}

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Uint8Array | string
}

/** Sends what Node's client lets through, which is more than browsers do. */
function send({ method, path, headers: fields, body = '' }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(service.origin, {
      method,
      path,
      agent: false,
      headers: { authorization: `Bearer ${SECRET}`, ...fields },
    })
    sent.on('response', (response) => void read(response).then(resolve, reject))
    sent.on('error', reject)
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks = (await response.toArray()) as Buffer[]
  const headers = new Headers(response.headers as Record<string, string>)
  return { status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') }
}

const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((each) => Buffer.from(each))

/** Pieces that parsers stumble over, mixed with anything. */
const piece = fc.oneof(
  fc.constantFrom(...'/ // ? & = # % %2 %00 %2F %ff %F0%9F%98%80 .. . ; + ~ * [] : @'.split(' ')),
  fc.constantFrom(...'__proto__ constructor api v2 page limit name search companies 1e9 -1 true'.split(' ')),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => encodeURIComponent(text)),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((text) => text.replaceAll(' ', '')),
)
const pieces = fc.array(piece, { maxLength: 12 }).map((each) => each.join(''))
const anyMethod = fc.constantFrom(...METHODS.filter((each) => each !== 'CONNECT' && each !== 'HEAD'))
const example = fc.constantFrom(...everyOperation).map((endpoint) => exampleOf(endpoint))

test('any path is answered', async () => {
  await fc.assert(
    fc.asyncProperty(anyMethod, pieces, async (method, path) => {
      expect(kindOf(await send({ method, path: `/${path}` }))).not.toBe('failure')
    }),
    RUNS,
  )
})

test('any path below one of ours is answered', async () => {
  await fc.assert(
    fc.asyncProperty(example, pieces, async ({ method, path }, more) => {
      expect(kindOf(await send({ method, path: placeOf(path).replace(/[^/]*$/, () => more) }))).not.toBe('failure')
    }),
    RUNS,
  )
})

test('any query is answered', async () => {
  await fc.assert(
    fc.asyncProperty(example, pieces, async ({ method, path }, query) => {
      expect(kindOf(await send({ method, path: `${placeOf(path)}?${query}` }))).not.toBe('failure')
    }),
    RUNS,
  )
})

test('any value of any parameter is answered', async () => {
  const parameter = fc.constantFrom(
    ...everyOperation.flatMap(({ query, path, method }) =>
      Object.keys(query?.shape ?? {}).map((name) => ({ name, method, path })),
    ),
  )
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String), fc.bigInt().map(String))
  await fc.assert(
    fc.asyncProperty(parameter, value, async ({ name, method, path }, text) => {
      expect(kindOf(await send({ method, path: `${path}?${name}=${encodeURIComponent(text)}` }))).not.toBe('failure')
    }),
    RUNS,
  )
})

test('any value of a header is answered', async () => {
  const name = fc.constantFrom(
    ...`accept accept-encoding accept-version authorization content-encoding content-type cookie expect forwarded host
      idempotency-key if-none-match origin range te upgrade x-http-method-override x-request-id`.split(/\s+/),
  )
  const value = bytes(60).map((each) => each.toString('latin1').replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''))
  await fc.assert(
    fc.asyncProperty(example, name, value, async (request_, header, text) => {
      const headers = { [header]: header === 'authorization' ? `Bearer ${text}` : text }
      expect(kindOf(await exchangeOne(service.origin, written(request_, headers)))).not.toBe('failure')
    }),
    RUNS,
  )
})

const bodied = everyOperation.filter(({ body }) => body)
const headers = { 'content-type': 'application/json' }

test('any bytes are answered as a body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...bodied), bytes(200), async (endpoint, body) => {
      expect(kindOf(await send({ ...exampleOf(endpoint), headers, body }))).not.toBe('failure')
    }),
    RUNS,
  )
})

test('any JSON is answered as a body, and as any member of one', async () => {
  const member = fc.constantFrom(
    ...bodied.flatMap((endpoint) => [null, ...membersOf(endpoint)].map((name) => ({ name, endpoint }))),
  )
  await fc.assert(
    fc.asyncProperty(member, fc.json({ stringUnit: 'binary' }), async ({ name, endpoint }, text) => {
      const { body, ...request_ } = exampleOf(endpoint)
      const changed = `${JSON.stringify({ ...(body as object), ...(name !== null && { [name]: undefined }) }).slice(0, -1)},"${name}":${text}}`
      const whole = name === null ? text : changed.replace(/^\{,/, '{')
      expect(kindOf(await send({ ...request_, headers, body: whole }))).not.toBe('failure')
    }),
    RUNS,
  )
})

const membersOf = ({ body }: Endpoint) => (body instanceof z.ZodObject ? Object.keys(body.shape) : [])

/** Ends whatever a parser may be waiting for. */
const FULL_STOP = '\r\n\r\n\0\r\n\r\n'

/** What all bytes must come to: at least one answer, and none of them a failure. */
async function kindsOfAnswersTo(sent: Buffer): Promise<string[]> {
  const answers = await exchange(service.origin, sent, { ending: FULL_STOP })
  return answers.length === 0 ? ['failure'] : answers.map((answer) => kindOf(answer))
}

test('any bytes at all are answered', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(300), async (sent) => {
      expect(await kindsOfAnswersTo(sent)).not.toContain('failure')
    }),
    RUNS,
  )
})

test('a good request with a few wrong bytes in it is answered', async () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  const wrong = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(example, wrong, async (request_, changes) => {
      const sent = written(request_)
      for (const [where, byte] of changes) sent[Math.floor(where * sent.length)] = byte
      expect(await kindsOfAnswersTo(sent)).not.toContain('failure')
    }),
    RUNS,
  )
})

/** A request as it goes over the wire, the connection closed behind it. */
function written({ method, path, body }: Request, fields: Record<string, string> = {}): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'x',
    authorization: `Bearer ${SECRET}`,
    'content-type': 'application/json',
    'content-length': text.length,
    connection: 'close',
    ...fields,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n'), 'latin1')
}
