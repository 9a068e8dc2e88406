import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainTextSealer } from '../../src/operations/sealing/seal-plain-text.ts'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork } from '../webhooks/working.ts'
import { applied, messageAbout, operate, report } from '../support/operator.ts'
import { CLINICS, participantWorld } from '../participants/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { splitOrders, unsealCallbacks, unsealOrders, unsealRecords } from '../support/earlier-build.ts'
import { columnsOf, foundIn } from '../support/readable.ts'
import { startService, TEST_KEY, type TestService } from '../support/service.ts'
import { body, cancelled, created, DISCREET, PERSON, post, SECRET, stored } from '../orders/given.ts'

const SPECIMEN = 'SPEC-0815'
const SECRETS = {
  lastName: 'Lopez',
  line1: '1200 Ogden Avenue',
  specimen: SPECIMEN,
  query: 'query-secret',
  answer: 'what the receiver said',
  refusal: 'what the mail server said',
  document: 'Lopez report.pdf',
}

const PDF = Buffer.from('%PDF-1.7\n').toString('base64')

/** The responses to all kinds of reads, to be compared later. */
const asked = async (service: TestService, { id, resultId, deliveryId, messageId }: Given) =>
  Promise.all([
    service.call(SECRET, `/api/v2/orders/${id}`),
    service.call(DISCREET, `/api/v2/orders/${id}`),
    service.call(SECRET, '/api/v2/orders'),
    service.call(SECRET, `/api/v2/orders?specimenId=${SPECIMEN}`),
    service.call(SECRET, `/api/v2/orders/${id}/events`),
    operate(service, 'GET', `/bookings?clinicId=${CLINICS[0]!.id}`),
    operate(service, 'GET', `/deliveries/${deliveryId}`),
    operate(service, 'GET', `/messages/${messageId}`),
    operate(service, 'GET', `/results/${resultId}`),
  ]).then((answers) => answers.map(({ status, text }) => ({ status, text })))

interface Given {
  id: string
  resultId: string
  deliveryId: string
  messageId: string
  message: object
  sent: ReturnType<typeof body>
}

/** An order with everything that belongs to it. */
async function given(service: TestService): Promise<Given> {
  const receiver = await httpReceiver((_, response) => response.writeHead(500).end(SECRETS.answer))
  const callback = { url: `${receiver.url}?key=${SECRETS.query}`, auth: { type: 'bearer', token: 'receiver-token' } }
  const sent = body({ participant: PERSON, callback, orderMatching: { enabled: true, matchScore: 100 } })
  const order = (await post(service, sent)).body
  await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: CLINICS[0]!.id })
  await deliverAll(service)
  const other = await created(service, { participant: { ...PERSON, birthDate: '1970-01-01' } })
  const message = messageAbout(other, {
    kind: 'collector',
    event: 'collected',
    specimen: { id: SPECIMEN },
    documents: [{ name: SECRETS.document, contentType: 'application/pdf', content: PDF }],
  })
  await report(service, messageAbout(other, { kind: 'collector', event: 'checkedIn' }))
  const { id: resultId } = await applied(service, message)
  const [claimed] = await service.store.notifications.claim('email', 1, 60)
  const attempt = { at: new Date(), durationMs: 5, outcome: 'refused', detail: SECRETS.refusal }
  await service.store.notifications.record(claimed!, { state: 'failed', attempt })
  const [delivery] = await service.pool<{ id: string }[]>`select id from deliveries where order_id = ${order.id}`
  const ids = { id: order.id, resultId, deliveryId: delivery!.id, messageId: claimed!.id }
  return { ...ids, message, sent }
}

/** Stores all rows as an earlier build did. */
async function unseal(service: TestService): Promise<void> {
  const orders = await service.pool<{ id: string }[]>`select id from orders`
  await unsealOrders(
    service,
    orders.map(({ id }) => id),
  )
  for (const { id } of orders) await unsealCallbacks(service, id)
  await unsealRecords(service)
}

const plainText = async ({ pool }: TestService) => foundIn(await columnsOf(pool), SECRETS).toSorted()

describe('plain text of earlier builds', () => {
  let service: TestService
  let known: Given
  let before: { status: number; text: string }[]
  beforeAll(async () => {
    service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
    await service.apply(participantWorld())
    known = await given(service)
    before = await asked(service, known)
    await unseal(service)
  })
  afterAll(async () => {
    await endWork()
    await service.stop()
  })

  test('plain text of an earlier build is read as if it were sealed', async () => {
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    expect(await plainText(service)).toEqual([
      'answer in delivery_attempts.excerpt',
      'document in documents.name',
      'lastName in documents.name',
      'lastName in orders.content',
      'lastName in orders.participant',
      'line1 in orders.content',
      'line1 in orders.participant',
      'query in callbacks.url',
      'refusal in notification_attempts.detail',
      'specimen in orders.content',
      'specimen in orders.head',
      'specimen in orders.specimen_ids',
    ])
    expect(await asked(service, known)).toEqual(before)
  })

  test('orders, callbacks and reports of an earlier build are matched, updated and repeated as before', async () => {
    expect((await post(service, known.sent)).body).toMatchObject({ id: known.id, matched: { score: 100 } })
    // The same address is not registered twice, and the new row is sealed.
    const rows = await service.pool`select url from callbacks where order_id = ${known.id}`
    expect(rows).toEqual([{ url: null }])
    expect((await report(service, known.message)).body.id).toBe(known.resultId)
    expect((await report(service, { ...known.message, courier: 'Another' })).status).toBe(409)
    const message = messageAbout({ code: '' }, { match: { specimenId: SPECIMEN } })
    expect((await report(service, message)).body).toMatchObject({ state: 'applied' })
  })

  test('plain text of an earlier build is sealed by the service in batches, and reads stay the same', async () => {
    await unseal(service)
    const now = await asked(service, known)
    const seal = plainTextSealer(service.store)
    const { sealed, failed } = await seal(Date.now())
    expect([sealed > 5, failed]).toEqual([true, 0])
    expect(await plainText(service)).toEqual([])
    expect(await asked(service, known)).toEqual(now)
    expect((await report(service, known.message)).body.id).toBe(known.resultId)
    expect((await report(service, { ...known.message, courier: 'Another' })).status).toBe(409)
    expect(await plainTextSealer(service.store)(Date.now())).toEqual({ sealed: 0, failed: 0 })
  })

  test('rows that cannot be opened because a key is missing are skipped', async () => {
    const lost = await created(service, { participant: { ...PERSON, birthDate: '1972-01-01' } })
    await unseal(service)
    await service.pool`update orders set identifiers = '\\x00'::bytea where id = ${lost.id}`
    const { sealed, failed } = await plainTextSealer(service.store)(Date.now())
    expect([sealed > 5, failed]).toEqual([true, 1])
    await service.pool`delete from orders where id = ${lost.id}`
    expect(await plainText(service)).toEqual([])
  })

  test('an order in plain text is sealed when it changes', async () => {
    const order = await created(service, { participant: { ...PERSON, birthDate: '1971-01-01' } })
    await unsealOrders(service, [order.id])
    expect((await cancelled(service, order.id)).status).toBe(200)
    expect(await plainText(service)).toEqual([])
    expect((await service.call(SECRET, order.url)).body).toMatchObject({
      status: 'cancelled',
      participant: { lastName: 'Lopez' },
    })
  })

  test('plain text of an earlier build is sealed by "ots keys rotate" too', async () => {
    await unseal(service)
    const now = await asked(service, known)
    const renewed = { id: 'renewed', secret: 'the key of the next year' }
    await rotateKeys(createStore(service.pool, new Keyring([renewed, TEST_KEY])))
    expect(await plainText(service)).toEqual([])
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, renewed])))
    expect(await asked(service, known)).toEqual(now)
  })
})

describe('orders that an earlier build sealed in two values', () => {
  let service: TestService
  let known: Given
  let before: { status: number; text: string }[]
  const inTwoValues = async () => {
    const rows = await service.pool<{ id: string }[]>`select id from orders where sealed_content is not null`
    return rows.map(({ id }) => id)
  }
  beforeAll(async () => {
    service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
    await service.apply(participantWorld())
    known = await given(service)
    before = await asked(service, known)
  })
  afterAll(async () => {
    await endWork()
    await service.stop()
  })
  const split = async () => {
    const orders = await service.pool<{ id: string }[]>`select id from orders`
    await splitOrders(
      service,
      orders.map(({ id }) => id),
    )
    expect(await inTwoValues()).toHaveLength(orders.length)
  }

  test('an order in two values is read, listed and searched as if it were in one', async () => {
    await split()
    expect(await asked(service, known)).toEqual(before)
    const again = await post(service, known.sent)
    expect([again.status, again.body.id]).toEqual([200, known.id])
  })

  test('an order in two values is found by the profile appCollection', async () => {
    const recorded = { firstName: 'Anna', lastName: 'Novak', birthDate: '1974-01-01' }
    const order = await stored(service, { source: 'app', services: [{ status: 'collected' }], participant: recorded })
    await splitOrders(service, [order.id])
    const orderMatching = { enabled: true, profile: 'appCollection' }
    const { status, body: found } = await post(service, body({ participant: recorded, orderMatching }))
    expect([status, found.id]).toEqual([200, order.id])
  })

  test('an order in two values is stored in one when it changes', async () => {
    const order = await created(service, { participant: { ...PERSON, birthDate: '1973-01-01' } })
    await splitOrders(service, [order.id])
    expect((await cancelled(service, order.id)).status).toBe(200)
    expect(await inTwoValues()).not.toContain(order.id)
    expect((await service.call(SECRET, order.url)).body).toMatchObject({
      status: 'cancelled',
      participant: { lastName: 'Lopez' },
    })
  })

  test('"ots keys rotate" stores orders of two values in one', async () => {
    await split()
    const now = await asked(service, known)
    const renewed = { id: 'renewed', secret: 'the key of the next year' }
    await rotateKeys(createStore(service.pool, new Keyring([renewed, TEST_KEY])))
    expect(await inTwoValues()).toEqual([])
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, renewed])))
    expect(await asked(service, known)).toEqual(now)
  })

  test('"ots keys rotate" stores orders of two values in one without a new key, too', async () => {
    await split()
    await rotateKeys(service.store)
    expect(await inTwoValues()).toEqual([])
  })
})

describe('background sealing', () => {
  test('the background pass continues in the next round where the last one ended', async () => {
    const service = await startService()
    await service.apply(participantWorld())
    const order = await created(service, { participant: PERSON })
    await unsealOrders(service, [order.id])
    await service.pool`
      insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, specimen_ids, head,
        participant, content, blocking_keys)
      select tenant_id, id || n, code || n, company_id, location_id, status, created_at, updated_at, specimen_ids, head,
        participant, content || jsonb_build_object('id', id || n), blocking_keys
      from orders, generate_series(1, 2500) n`
    const seal = plainTextSealer(service.store)
    const first = await seal(Date.now())
    const second = await seal(Date.now())
    expect([first.sealed, first.sealed + second.sealed]).toEqual([2000, 2501])
    // Nothing is left, so it pauses for a minute.
    await unsealOrders(service, [order.id])
    const now = Date.now()
    expect(await seal(now + 30_000)).toEqual({ sealed: 0, failed: 0 })
    expect(await seal(now + 61_000)).toEqual({ sealed: 1, failed: 0 })
    await service.stop()
  })
})
