import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsOf, foundIn } from '../support/readable.ts'
import { openOrder } from '../../src/store/orders/rows.ts'
import { SealRefusal } from '../../src/store/sealing/keyring.ts'
import { pack, shorten } from '../../src/store/sealing/packing.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { body, cancelled, created, DISCREET, PERSON, post, SECRET, TENANT, world } from '../orders/given.ts'

const HIDDEN = {
  ssn: '536-22-8841',
  license: 'L555-HIDDEN-0001',
  token: 'hidden-receiver-token',
  signing: 'hidden-signing-secret',
  header: 'hidden-header-value',
  apiKey: 'hidden-api-key',
  user: 'hidden-user-name',
  password: 'hidden-password',
  custom: 'hidden-custom-value',
}

const participant = {
  ...PERSON,
  identifiers: [
    { type: 'ssn', value: HIDDEN.ssn },
    { type: 'driverLicense', value: HIDDEN.license, issuingState: 'IL' },
  ],
}

const AUTHS = [
  { type: 'bearer', token: HIDDEN.token, secretKey: HIDDEN.signing },
  { type: 'apiKey', apiKey: HIDDEN.apiKey },
  { type: 'basic', username: HIDDEN.user, password: HIDDEN.password },
  { type: 'custom', custom: { 'X-Secret': HIDDEN.custom } },
]

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService({ logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) })
  await service.apply(world())
  for (const [i, auth] of AUTHS.entries()) {
    const callback = { url: `https://hooks.example.com/${i}`, auth, headers: { 'X-Header': HIDDEN.header } }
    const sent = body({
      participant,
      callback,
      orderMatching: { enabled: true },
      testReason: i < 2 ? 'random' : 'sweep',
    })
    for (const path of ['/api/v1/orders', '/api/v2/orders']) {
      const answer = await post(service, sent, { path, headers: { 'idempotency-key': `${path} ${i}` } })
      await cancelled(service, answer.body.id)
      // Requests with the same values that are refused or fail.
      await post(service, { ...sent, participant: { ...participant, ssn: HIDDEN.ssn } }, { path })
    }
  }
  await service.call(SECRET, `/api/v2/orders?specimenId=${HIDDEN.ssn}`)
})
afterAll(() => service.stop())

describe('secrets at rest', () => {
  test('identifiers and callback secrets are not readable in any table', async () => {
    const columns = await columnsOf(service.pool)
    for (const name of ['orders.id', 'callbacks.id', 'events.id', 'deliveries.id', 'idempotency_keys.key'])
      expect({ name, isThere: columns.has(name) }).toEqual({ name, isThere: true })
    // Proves that the search finds plain text.
    expect(foundIn(columns, { company: 'acme' })).toContain('company in orders.company_id')
    expect(columns.get('callbacks.origin')).toContain('https://hooks.example.com')
    expect(foundIn(columns, HIDDEN)).toEqual([])
  })

  test('identifiers and callback secrets are in no log line, even at the most verbose level', async () => {
    // A statement with all of them that fails.
    await service.pool`alter table orders add constraint never check (code = '') not valid`
    expect((await post(service, body({ participant }))).status).toBe(500)
    await service.pool`alter table orders drop constraint never`
    const log = lines.join('')
    expect(log).toContain('Request failed')
    const words = [...Object.values(HIDDEN), 'Lopez', 'maria@example.com', '555-0142', '1990-03-07', 'hooks.example']
    expect(words.filter((word) => log.includes(word))).toEqual([])
  })

  test('identifiers are shown to tokens that may read them', async () => {
    const { body: page } = await service.call(SECRET, '/api/v2/orders')
    for (const order of page.data) expect(order.participant.identifiers[0].value).toBe(HIDDEN.ssn)
  })
})

describe('sealed orders', () => {
  test('a sealed order is shown without its participant to a token that may not read participants', async () => {
    const { id } = await created(service, { participant })
    const { body: order } = await service.call(DISCREET, `/api/v2/orders/${id}`)
    const { body: page } = await service.call(DISCREET, '/api/v2/orders')
    expect([order.id, order.participant]).toEqual([id, undefined])
    expect(page.data[0].participant).toBeUndefined()
  })

  test('a sealed value that was moved to another row or column does not open', async () => {
    const [one, other] = [await created(service, { participant }), await created(service, { participant })]
    const status = async (secret: string) => (await service.call(secret, `/api/v2/orders/${one.id}`)).status
    expect([await status(SECRET), await status(DISCREET)]).toEqual([200, 200])
    await service.pool`
      update orders o set sealed_answer = p.sealed_answer from orders p where o.id = ${one.id} and p.id = ${other.id}`
    expect([await status(SECRET), await status(DISCREET)]).toEqual([500, 500])
    const row = { id: other.id, sealedAnswer: null, content: null, identifiers: null }
    const order = JSON.stringify(await service.store.orders.find(TENANT, other.id))
    const sealedAs = (column: string) =>
      testKeyring.seal(pack('content', shorten('content', order)), `order ${column} ${TENANT} ${other.id}`)
    const opened = (column: string) => openOrder(testKeyring, TENANT, { ...row, sealedContent: sealedAs(column) })
    expect(opened('content').id).toBe(other.id)
    expect(() => opened('answer')).toThrow(SealRefusal)
    await service.pool`delete from orders where id = any(${[one.id, other.id]})`
  })
})
