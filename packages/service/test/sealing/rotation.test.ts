import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { changeOrders } from '../../src/operations/orders/change.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { hashSearchKeys } from '../../src/store/orders/rows.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { openCallback, type SealedCallback } from '../../src/store/webhooks/callback-sealing.ts'
import { createStore } from '../../src/store/store.ts'
import { recordEntries } from '../audit/given.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  body,
  cancelled,
  created,
  GLOBEX,
  only,
  PERSON,
  post,
  rewrite,
  SECRET,
  stored,
  TENANT,
  world,
} from '../orders/given.ts'

const OLD = { id: 'test', secret: 'a key for tests alone' }
const NEW = { id: 'fresh', secret: 'the key that comes after it' }
const CALLBACK = { url: 'https://hooks.example.com/a', auth: { type: 'bearer', token: 't', secretKey: 's' } }

describe('key rotation', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.apply(staffed())
  })
  afterAll(() => service.stop())

  /** The service on a node that has only these keys. */
  const nodeWith = async (...keys: (typeof OLD)[]) => {
    const store = createStore(service.pool, new Keyring(keys))
    const app = await createServer({ store, logger: pino({ level: 'silent' }), rateLimit: 0 })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const call: TestService['call'] = async (secret, input) => {
      const {
        method,
        path,
        body: sent,
        headers,
      } = typeof input === 'string' ? { method: 'GET', path: input } : { ...input }
      const response = await fetch(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(sent !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    }
    return { ...service, app, origin, call, store }
  }

  test('after a rotation every value opens with the new key alone, and orders are found', async () => {
    const people = Array.from({ length: 3 }, (_, i) => ({
      ...PERSON,
      birthDate: `198${i}-04-0${i + 1}`,
      identifiers: [{ type: 'ssn', value: `53622884${i}` }],
    }))
    const sent = people.map((participant) =>
      body({ participant, callback: CALLBACK, orderMatching: { enabled: true, matchScore: 100 } }),
    )
    const first = await Promise.all(
      sent.map((each, i) => post(service, each, { headers: { 'idempotency-key': `k${i}` } })),
    )
    expect(first.map(({ status }) => status)).toEqual([201, 201, 201])
    await cancelled(service, first.at(2)!.body.id)
    await rewrite(service, first[0]!.body.id, {
      services: (await service.store.orders.find(TENANT, first[0]!.body.id))!.services.map((each) => ({
        ...each,
        specimenId: 'SPEC-1',
      })),
    })
    const withSpecimen = async (node: TestService) =>
      (await node.call(SECRET, '/api/v2/orders?specimenId=SPEC-1')).body.data.map(({ id }: { id: string }) => id)
    const between = await nodeWith(NEW, OLD)
    expect(await withSpecimen(between)).toEqual([first[0]!.body.id])
    await between.app.close()
    const anonymous = await created(service, {
      participant: { firstName: 'No', lastName: 'Identifier', birthDate: '1970-01-01' },
    })

    const pdf = Buffer.from('%PDF-1.7\n').toString('base64')
    const documents = ['a.pdf', 'b.pdf'].map((name) => ({ name, contentType: 'application/pdf', content: pdf }))
    const message = messageAbout({ code: 'ZZZZ-ZZZZ' }, { documents })
    const result = await report(service, message)
    const letter = { channel: 'email', to: 'maria@example.com', text: 'a letter' } as const
    const simulated = {
      tenantId: TENANT,
      orderId: 'ord_1',
      id: 'sim_1',
      tokenId: 'token',
      simulation: { outcome: 'pass' },
    } as const
    await service.store.simulations.put(simulated, 0)
    const help = { place: 'Mullen, NE', miles: 75, note: 'I work nights.' }
    const asked = { tenantId: TENANT, id: 'hlp_1', orderId: first[0]!.body.id as string, createdAt: new Date() }
    await service.store.helpRequests.put({ ...asked, recipient: 'participant', reason: 'tooFar', details: help })
    const suppressed = { tenantId: TENANT, channel: 'email', address: 'maria@example.com' } as const
    const cause = { id: 'sup_1', reason: 'hardBounce', notificationId: null, createdAt: new Date() } as const
    await service.store.suppressions.add({ ...suppressed, ...cause })
    const agreed = {
      tenantId: TENANT,
      id: 'agr_1',
      orderId: first[0]!.body.id as string,
      kind: 'authorization',
    } as const
    const words = { version: '1', language: 'en', textHash: 'hash', text: 'I authorize it.', agreedAt: new Date() }
    const signature = { name: 'Maria Lopez', date: '2027-01-31' }
    await service.store.agreements.add([{ ...agreed, ...words, signature }])
    const wallet = { issuerId: '33880000', clientEmail: 'wallet@example.test', key: 'a key' }
    await service.store.wallets.put(TENANT, 'google', wallet, new Date())
    await service.store.mailbox.put({ id: 'mbx_1', notificationId: 'msg_1', at: new Date(), content: letter })

    const answered = { status: 500, error: null, detail: 'what it said', excerpt: 'what it answered' }
    const [claimed] = await service.store.deliveries.claim(randomUUID(), 1)
    const attempt = { at: new Date(), ms: 5, ...answered }
    await service.store.deliveries.record([{ delivery: claimed!, state: 'failed', wait: 0, isGone: false, attempt }])
    const [sending] = await service.store.notifications.claim('email', 1, 60)
    const refusal = { at: new Date(), durationMs: 5, outcome: 'refused', detail: 'what the server said' }
    await service.store.notifications.record(sending!, { state: 'failed', attempt: refusal })

    // Records what was answered so far.
    await service.call(GLOBEX, '/api/sandbox/v1/requests')
    const recorded = await service.pool`select from sandbox_requests`
    const store = createStore(service.pool, new Keyring([NEW, OLD]))
    const renewed = await rotateKeys(store)
    expect(renewed).toEqual({
      orders: 4,
      callbacks: 3,
      deliveries: 1,
      attempts: 1,
      answers: 3,
      results: 1,
      refusedMessages: 0,
      documents: 2,
      messages: 1,
      mailbox: 1,
      simulations: 1,
      // One was answered by a node with the new key.
      requests: recorded.length - 1,
      helpRequests: 1,
      agreements: 1,
      savedViews: 0,
      suppressions: 1,
      tokenRequests: expect.any(Number) as number,
      users: 0,
      sessions: 0,
      wallets: 1,
      auditDetails: 0,
      oldAuditDetails: 0,
      unsignedCheckpoints: 0,
    })
    const nothing = Object.fromEntries(Object.keys(renewed).map((name) => [name, 0]))
    expect(await rotateKeys(store)).toEqual(nothing)

    const node = await nodeWith(NEW)
    expect(await withSpecimen(node)).toEqual([first[0]!.body.id])
    for (const [i, { body: order }] of first.slice(0, 2).entries()) {
      const { services, ...rest } = (await node.call(SECRET, order.url)).body
      expect(rest).toEqual(Object.fromEntries(Object.entries(order).filter(([name]) => name !== 'services')))
      expect(services).toMatchObject([{ id: order.services[0].id, specimenId: i === 0 ? 'SPEC-1' : null }])
      const replayed = await post(node, sent[i], { headers: { 'idempotency-key': `k${i}` } })
      expect([replayed.status, replayed.text]).toEqual([201, first.at(i)!.text])
      expect((await post(node, sent[i])).body).toMatchObject({ id: order.id, matched: { score: 100 } })
    }
    const again = body({
      participant: { firstName: 'No', lastName: 'Identifier', birthDate: '1970-01-01' },
      orderMatching: { enabled: true },
    })
    expect((await post(node, again)).body).toMatchObject({ id: anonymous.id, matched: { score: 100 } })
    const callback = only(
      await service.pool<SealedCallback[]>`select tenant_id, order_id, id, url, secrets from callbacks limit 1`,
    )
    expect(openCallback(new Keyring([NEW]), callback)).toEqual(CALLBACK)
    expect(await node.store.deliveryRecords.attempts(TENANT, claimed!.id)).toMatchObject([answered])
    expect(await node.store.notifications.attempts(TENANT, sending!.id)).toMatchObject([
      { detail: 'what the server said' },
    ])
    const delivery = only(await service.pool<{ id: string; body: Buffer }[]>`select id, body from deliveries limit 1`)
    expect(new Keyring([NEW]).open(delivery.body, `delivery ${TENANT} ${delivery.id}`)).toContain('order.updated')
    const kept = (await operate(node, 'GET', `/results/${result.body.id}`)).body
    expect(kept.message.messageId).toBe(message.messageId)
    expect(kept.documents.map(({ name }: { name: string }) => name).toSorted()).toEqual(['a.pdf', 'b.pdf'])
    // A repeat is still told from another report with the same id.
    expect((await report(node, message)).body.id).toBe(result.body.id)
    expect((await report(node, { ...message, event: 'testing' })).status).toBe(409)
    const opened = new Keyring([NEW]).openBytes(
      only(await service.pool<{ content: Buffer }[]>`select content from documents where id = ${kept.documents[0].id}`)
        .content,
      `document ${TENANT} ${kept.documents[0].id}`,
    )
    expect(opened.toString()).toBe('%PDF-1.7\n')
    expect(
      (await node.store.requests.page({ tenantId: TENANT, tokenId: SECRET }, { limit: 20, page: 1 })).rows,
    ).not.toEqual([])
    expect(await node.store.simulations.claimDue(1)).toEqual([simulated])
    expect(await node.store.helpRequests.read(TENANT, asked.id)).toMatchObject({ details: help })
    expect(await node.store.suppressions.has(suppressed, 'Maria@Example.com')).toBe(true)
    expect((await node.store.mailbox.page({ limit: 1 })).rows).toMatchObject([{ content: letter }])
    await node.app.close()
  })

  test('a rotation runs while orders are created, cancelled and read', async () => {
    const node = await nodeWith(NEW, OLD)
    const store = createStore(service.pool, new Keyring([NEW, OLD]))
    const busy = { over: false }
    const work = async (i: number) => {
      for (let round = 0; !busy.over; round++) {
        const order = await created(node, {
          participant: { ...PERSON, lastName: `L${i}x${round}` },
          callback: CALLBACK,
        })
        expect((await cancelled(node, order.id)).status).toBe(200)
        expect((await node.call(SECRET, order.url)).body.participant.identifiers).toHaveLength(1)
      }
    }
    const workers = [0, 1].map((i) => work(i))
    for (let i = 0; i < 5; i++) await rotateKeys(store)
    busy.over = true
    await Promise.all(workers)
    await rotateKeys(store)
    const renewed = await nodeWith(NEW)
    expect((await renewed.call(SECRET, '/api/v2/orders')).status).toBe(200)
    await Promise.all([node.app.close(), renewed.app.close()])
  })

  /** Waits until a statement like this one waits for a lock. */
  const untilWaiting = async ({ pool }: TestService, statement: string) => {
    await expect
      .poll(
        () => pool`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like ${statement}`,
      )
      .toHaveLength(1)
  }

  test('a row that is changed during a rotation keeps its newer value', async () => {
    const racing = await startService()
    await racing.apply(world())
    const order = await created(racing, { callback: CALLBACK })
    const [callback] = await racing.pool<{ id: string }[]>`select id from callbacks`
    const newer = { ...CALLBACK, auth: { type: 'bearer' as const, token: 't2', secretKey: 'the newer secret' } }
    const both = createStore(racing.pool, new Keyring([NEW, OLD]))
    let rotating: Promise<unknown> | undefined
    // The rotation reads the old values, then waits for the rows that this transaction has changed.
    await both.transaction(async (tx) => {
      const registered = { tokenId: 'token', showsParticipant: true, at: new Date() }
      await tx.outbox.register(TENANT, { id: 'x', orderId: order.id, version: 'v2', callback: newer, ...registered })
      rotating = rotateKeys(both)
      await untilWaiting(racing, '%update callbacks%')
    })
    expect(await rotating).toMatchObject({ callbacks: 0 })
    const row = only(await racing.pool<SealedCallback[]>`select tenant_id, order_id, id, url, secrets from callbacks`)
    expect(row.id).toBe(callback!.id)
    expect(openCallback(new Keyring([NEW]), row)).toEqual(newer)
    await racing.stop()
  })

  test('an order that is changed during a rotation gets search keys of the new key', async () => {
    const racing = await startService()
    await racing.apply(world())
    const { id } = await created(racing)
    const both = createStore(racing.pool, new Keyring([NEW, OLD]))
    let rotating: Promise<unknown> | undefined
    await both.transaction(async (tx) => {
      const before = (await tx.orders.find(TENANT, id))!
      const after = { ...before, billingCode: 'B-1', updatedAt: new Date() }
      await changeOrders([{ tenantId: TENANT, before, after }], tx, new PooledRandom())
      rotating = rotateKeys(both)
      await untilWaiting(racing, '%update orders%')
    })
    expect(await rotating).toMatchObject({ orders: 0 })
    const order = (await both.orders.find(TENANT, id))!
    const keys = await racing.pool.values`select unnest(search_keys)::text from orders where id = ${id}`
    expect(keys).toEqual(hashSearchKeys(new Keyring([NEW]), TENANT, order).map(String))
    await racing.stop()
  })

  test('a rotation reseals more orders than fit into one batch', async () => {
    const many = await startService()
    await many.apply(world())
    await Promise.all(Array.from({ length: 1_101 }, () => stored(many)))
    const store = createStore(many.pool, new Keyring([NEW, OLD]))
    expect(await rotateKeys(store)).toMatchObject({ orders: 1101 })
    expect(await rotateKeys(store)).toMatchObject({ orders: 0 })
    await many.stop()
  })

  test('a rotation gets past more empty rows than one statement scans, and removes many old copies', async () => {
    const many = await startService()
    await recordEntries(many, 6_600)
    const at = new Date('2026-01-01T00:00:00.000Z')
    await many.pool`
      insert into delivery_attempts (tenant_id, delivery_id, at, ms)
      select ${TENANT}, 'dlv_' || lpad(i::text, 5, '0'), ${at}, 1 from generate_series(1, 4500) as i`
    const answer = new Keyring([OLD]).seal('{}', `attempt ${TENANT} dlv_04500 ${at.toISOString()}`)
    await many.pool`update delivery_attempts set answer = ${answer} where delivery_id = 'dlv_04500'`
    const looked: string[] = []
    many.hear(({ text }) => looked.push(text))
    const store = createStore(many.pool, new Keyring([NEW, OLD]))
    expect(await rotateKeys(store)).toMatchObject({ attempts: 1, auditDetails: 2_200, oldAuditDetails: 0 })
    many.hear(undefined)
    expect(looked.filter((text) => text.includes('delivery_attempts'))).toHaveLength(4)
    expect(await many.pool`select key_id, count(*)::int from audit_details group by key_id`).toEqual([
      { keyId: NEW.id, count: 2_200 },
    ])
    await many.stop()
  })

  test('nodes with different current keys still create one order for equivalent requests', async () => {
    const nodes = [await nodeWith(OLD, NEW), await nodeWith(NEW, OLD)]
    const participant = { firstName: 'In', lastName: 'Between', birthDate: '1965-06-07' }
    const sent = body({ participant, orderMatching: { enabled: true } })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post(nodes.at(i % 2)!, sent)))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    await Promise.all(nodes.map((node) => node.app.close()))
  })
})
