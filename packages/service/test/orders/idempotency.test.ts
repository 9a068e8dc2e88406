import { SCOPES, type Scope } from '@order-testing/contract'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Unavailable } from '../../src/store/db/errors.ts'
import { createServer } from '../../src/http/server.ts'
import { refusalOf } from '../http/answers.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { body, cancelled, DISCREET, PERSON, post, SECRET, world } from './given.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const DAY = 86_400_000
const clock = { now: START }

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => clock.now })
  await service.apply(world())
})
afterAll(() => service.stop())
afterEach(() => {
  clock.now = START
})

let keys = 0
const freshKey = () => `key-${(keys += 1)}`
/** Repeats what a busy service could not answer, as the answer says. */
async function send(key: string, sent: unknown = body(), secret = SECRET, path = '/api/v2/orders') {
  for (;;) {
    const answer = await post(service, sent, { secret, path, headers: { 'idempotency-key': key } })
    if (answer.status !== 503) return answer
  }
}

const total = async () => (await service.call(SECRET, '/api/v2/orders')).body.total as number

describe('Idempotency-Key', () => {
  test('the same key and body get the bytes of the first answer and create no second order', async () => {
    const [key, sent] = [freshKey(), body({ participant: PERSON })]
    const first = await send(key, sent)
    expect(first.status).toBe(201)
    const before = await total()
    const second = await send(key, sent)
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await total()).toBe(before)
  })

  test('a repeat gets the first answer even if the order has changed since', async () => {
    const key = freshKey()
    const first = await send(key)
    await cancelled(service, first.body.id)
    expect((await send(key)).text).toBe(first.text)
  })

  test('bodies that differ in whitespace are the same request', async () => {
    const key = freshKey()
    const first = await send(key)
    expect((await send(key, JSON.stringify(body(), null, 4))).text).toBe(first.text)
  })

  test('the same key with another body is a conflict', async () => {
    const key = freshKey()
    await send(key)
    expect(refusalOf(await send(key, body({ testReason: 'sweep' })))).toBe('409 conflict /Idempotency-Key')
    expect(refusalOf(await send(key, {}))).toBe('409 conflict /Idempotency-Key')
    expect(refusalOf(await send(key, body(), SECRET, '/api/v1/orders'))).toBe('409 conflict /Idempotency-Key')
  })

  test('tokens do not share keys', async () => {
    const [key, sent] = [freshKey(), body({ participant: PERSON })]
    const first = await send(key, sent)
    const other = await send(key, sent, DISCREET)
    expect(other.status).toBe(201)
    expect(other.body.id).not.toBe(first.body.id)
    expect(other.body.participant).not.toHaveProperty('identifiers')
  })

  test('a repeat does not show identifiers that the token may no longer read', async () => {
    const [key, sent, secret] = [freshKey(), body({ participant: PERSON }), 'secret-of-a-token-that-loses-a-scope']
    const withScopes = (scopes: Scope[]) => service.apply(world({ tokens: [token(secret, { scopes })] }))
    await withScopes([...SCOPES])
    const first = await send(key, sent, secret)
    expect(first.body.participant.identifiers).toHaveLength(1)
    await withScopes(SCOPES.filter((scope) => scope !== 'order.participant.read'))
    const { identifiers: _, ...participant } = first.body.participant
    // A node checks its cached tokens twice a second.
    await expect.poll(async () => (await send(key, sent, secret)).body).toEqual({ ...first.body, participant })
  })

  describe('ruling 41: a repeat of a match by a token that lost order.participant.read', () => {
    const known = { ...PERSON, firstName: 'Wilhelmina', lastName: 'Oppenheimer', middleName: 'Ada' }
    const withScopes = (secret: string, scopes: readonly Scope[]) =>
      service.apply(world({ tokens: [token(secret, { scopes: [...scopes] })] }))
    /** Sends an order that has a match, removes the scope, and sends it again. */
    async function matchedTwice(secret: string, participant: object) {
      const [key, sent] = [freshKey(), body({ participant, orderMatching: { enabled: true, matchScore: 80 } })]
      await withScopes(secret, SCOPES)
      const first = await send(key, sent, secret)
      await withScopes(
        secret,
        SCOPES.filter((scope) => scope !== 'order.participant.read'),
      )
      // A node checks its cached tokens twice a second.
      await expect.poll(async () => (await send(key, sent, secret)).body.participant).not.toHaveProperty('identifiers')
      return [first, await send(key, sent, secret)] as const
    }

    beforeAll(() => send(freshKey(), body({ participant: known })))

    test('it shows the participant of the request and the threshold, not those on file', async () => {
      const sent = {
        firstName: ' Wilhelmina',
        lastName: 'Oppenheimer',
        birthDate: known.birthDate,
        phone: '(630) 555-0142',
      }
      // Day and month swapped, with the same phone and e-mail address: 93.3.
      const swapped = { ...sent, birthDate: '1990-07-03', email: known.email }
      const [first, second] = await matchedTwice('secret-of-a-token-with-a-match', swapped)
      expect([first.status, first.body.matched.score, first.body.participant.middleName]).toEqual([200, 93.3, 'Ada'])
      expect([second.status, second.body]).toEqual([
        200,
        {
          ...first.body,
          matched: { originalSource: 'api', score: 85 },
          participant: {
            address: null,
            birthDate: '1990-07-03',
            email: known.email,
            firstName: 'Wilhelmina',
            lastName: 'Oppenheimer',
            middleName: null,
            phone: '+16305550142',
          },
        },
      ])
    })

    test('an exact match keeps its score of 100', async () => {
      const { middleName: _, ...sent } = known
      const [first, second] = await matchedTwice('secret-of-a-token-with-an-exact-match', sent)
      expect([first.status, first.body.matched.score]).toEqual([200, 100])
      expect([second.body.matched.score, second.body.participant.middleName]).toEqual([100, null])
    })
  })

  test('a key has up to 255 characters', async () => {
    const key = 'k'.repeat(255)
    expect((await send(key)).status).toBe(201)
    expect(refusalOf(await send(`${key}k`))).toBe('400 tooBig /Idempotency-Key')
    expect(refusalOf(await send(''))).toBe('400 tooSmall /Idempotency-Key')
  })

  test('a response is kept for 24 hours', async () => {
    const key = freshKey()
    const first = await send(key)
    clock.now = new Date(START.getTime() + DAY - 1)
    expect((await send(key)).text).toBe(first.text)
    clock.now = new Date(START.getTime() + DAY)
    const second = await send(key)
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false])
    expect((await send(key)).text).toBe(second.text)
  })

  test('after 24 hours a key can be used for another body', async () => {
    const key = freshKey()
    await send(key)
    clock.now = new Date(START.getTime() + DAY)
    expect((await send(key, body({ testReason: 'sweep' }))).status).toBe(201)
  })

  test('the response to a refused request is not kept', async () => {
    const key = freshKey()
    expect((await send(key, body({ testReason: 'whim' }))).status).toBe(400)
    expect((await send(key, body({ location: { id: 'missing' } }))).status).toBe(400)
    expect((await send(key)).status).toBe(201)
  })

  test('fifty concurrent requests with one key create one order and all get its answer', async () => {
    const [key, before] = [freshKey(), await total()]
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(key)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.at(0)!.status).toBe(201)
    expect(await total()).toBe(before + 1)
  })

  test('of fifty concurrent requests with one key and two bodies, those of one body succeed', async () => {
    const [key, before] = [freshKey(), await total()]
    const bodies = [body(), body({ testReason: 'sweep' })]
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => send(key, bodies[i % 2])))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([count(201), count(409)]).toEqual([25, 25])
    expect(await total()).toBe(before + 1)
  })

  test('with order matching, each key has its own answer and there is one order', async () => {
    const sent = body({
      participant: { firstName: 'Two', lastName: 'Keys', birthDate: '1971-05-06' },
      orderMatching: { enabled: true },
    })
    const [a, b] = [freshKey(), freshKey()]
    const first = await send(a, sent)
    const second = await send(b, sent)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual({ ...first.body, matched: { originalSource: 'api', score: 100 } })
    expect((await send(a, sent)).text).toBe(first.text)
    expect(await send(b, sent)).toMatchObject({ status: 200, text: second.text })
  })

  test('with order matching, fifty concurrent requests with two keys create one order', async () => {
    const sent = body({
      participant: { firstName: 'Two', lastName: 'Atonce', birthDate: '1972-07-08' },
      orderMatching: { enabled: true },
    })
    const both = [freshKey(), freshKey()]
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => send(both.at(i % 2)!, sent)))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(2)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(25)
  })

  test('a repeat does not register its callback again', async () => {
    const [key, sent] = [freshKey(), body({ callback: { url: 'https://hooks.example.com/once' } })]
    const { body: order } = await send(key, sent)
    await send(key, sent)
    const rows = await service.pool`select from callbacks where order_id = ${order.id}`
    expect(rows).toHaveLength(1)
  })
})

test('a retry after a failure past the commit gets the answer of the order', async () => {
  let fails = true
  const { store } = service
  const flaky: typeof store = {
    ...store,
    orders: {
      ...store.orders,
      async insert(...given) {
        const written = await store.orders.insert(...given)
        if (fails) throw new Unavailable('The connection was lost.', { code: 'ECONNRESET' })
        return written
      },
    },
  }
  const app = await createServer({ store: flaky, logger: pino({ level: 'silent' }), rateLimit: 0 })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const before = await total()
  const ask = () =>
    fetch(`${origin}/api/v2/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${SECRET}`,
        'content-type': 'application/json',
        'idempotency-key': 'after-commit',
      },
      body: JSON.stringify(body()),
    })
  expect((await ask()).status).toBe(503)
  expect(await total()).toBe(before + 1)
  fails = false
  const retried = await ask()
  expect(retried.status).toBe(201)
  const { id } = (await retried.json()) as { id: string }
  expect((await service.call(SECRET, `/api/v2/orders/${id}`)).status).toBe(200)
  expect(await total()).toBe(before + 1)
  await app.close()
})
