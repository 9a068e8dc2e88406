import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { plainTextSealer } from '../../src/operations/sealing/seal-plain-text.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { messageAbout, operate, report, staffed } from '../support/operator.ts'
import { created, PERSON } from '../orders/given.ts'
import { emptyDatabase, loadEarlierDatabase } from '../support/earlier-database.ts'
import { startService, TEST_KEY, testKeyring, type TestService } from '../support/service.ts'
import { faultsOf, linkAll } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const entriesAbout = async (id: string) => (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data

/** The stored audit log, as a thief of the database would read it. */
async function storedText(): Promise<string> {
  const rows = await service.pool<{ text: string }[]>`
    select to_jsonb(e)::text as text from audit_entries e union all
    select to_jsonb(l)::text from audit_links l union all
    select encode(content, 'escape') from audit_details`
  return rows.map(({ text }) => text).join('\n')
}

describe('an audit entry', () => {
  test('an entry holds ids but no personal data, and free text only sealed', async () => {
    const order = await created(service, { participant: PERSON })
    const reason = 'Maria Lopez, SSN 536-22-8841, asked for it.'
    const moves = `/orders/${order.id}/services/${order.services[0].id}/moves`
    const queued = (await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }))).body as { id: string }
    const done = [
      await operate(service, 'POST', moves, { status: 'checkedIn', reason }),
      await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason }),
      await operate(service, 'POST', `/results/${queued.id}/dismissal`, { reason }),
      await operate(service, 'POST', '/deliveries/replays', { order: 'Maria Lopez' }),
    ]
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await linkAll(service)

    const text = await storedText()
    expect(text).toContain(order.id)
    for (const secret of ['Maria', 'Lopez', '8841', 'cancelled', 'checkedIn']) expect(text).not.toContain(secret)
    const [cancelled] = await entriesAbout(order.id)
    expect(cancelled).toMatchObject({ action: 'order.cancel', reason, after: { status: 'cancelled' } })
  })

  test('an entry names an order by its code, and other subjects by their id alone', async () => {
    const { id, code } = await created(service)
    await operate(service, 'PUT', `/orders/${id}/cancellation`, { reason: 'Twice.' })
    const queued = (await report(service, messageAbout({ code: 'YYYY-YYYY' }))).body as { id: string }
    await operate(service, 'GET', `/results/${queued.id}`)
    const { data } = (await operate(service, 'GET', '/audit?limit=2')).body
    expect(data).toMatchObject([
      { subject: { type: 'result', id: queued.id, name: null } },
      { subject: { type: 'order', id, name: code } },
    ])
  })

  test('an entry tells whether a token, a participant or a local command acted', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Twice.' })
    expect(await entriesAbout(order.id)).toMatchObject([
      { tokenId: 'operator', actor: { type: 'token', user: null, host: null } },
    ])
  })

  test('an entry is found by its id', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Twice.' })
    const [{ id }] = await entriesAbout(order.id)
    expect((await operate(service, 'GET', `/audit?id=${id}`)).body).toMatchObject({ total: 1, data: [{ id }] })
    expect((await operate(service, 'GET', '/audit?id=aud_none')).body).toMatchObject({ total: 0 })
  })

  test('an entry keeps readable details and an intact link after a key rotation', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Placed twice.' })
    await linkAll(service)
    const fresh = { id: 'fresh', secret: 'the key that comes after it' }
    const rotating = createStore(service.pool, new Keyring([fresh, TEST_KEY]))
    const { auditDetails, oldAuditDetails } = await rotateKeys(rotating)
    expect([auditDetails > 0, oldAuditDetails]).toEqual([true, 0])

    const store = createStore(service.pool, new Keyring([fresh]))
    const { rows } = await store.audit.page('north', { subjectId: order.id, limit: 1, page: 1 })
    expect(rows).toMatchObject([{ reason: 'Placed twice.' }])
    expect(await faultsOf({ store })).toEqual([])
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, fresh])))
  })
})

describe('GET /api/operator/v1/audit/head', () => {
  test('the head has the number and hash of the last link, which a later verification can check', async () => {
    await linkAll(service)
    const { status, body } = await operate(service, 'GET', '/audit/head')
    expect(status).toBe(200)
    const { linkedAt, ...head } = await service.store.auditChain.head('north')
    expect(body).toEqual({ object: 'auditHead', ...head, linkedAt: linkedAt!.toISOString() })
    expect(await faultsOf(service, { head: body as { seq: number; hash: string } })).toEqual([])
  })
})

describe('an audit log of before the chain', () => {
  test('is linked, keeps its details, leaves no plain text on the disk, and has its details sealed by the owner', async () => {
    const earlier = await emptyDatabase()
    const { pool } = earlier
    try {
      await loadEarlierDatabase(pool, '0018')
      await migrate(pool)
      const store = createStore(pool, testKeyring)
      await linkAll({ store })
      const { rows } = await store.audit.page('north', { limit: 20, page: 1 })
      const [cancelled, read] = ['order.cancel', 'order.read'].map((action) =>
        rows.find((row) => row.action === action),
      )
      expect(cancelled).toMatchObject({ reason: 'Placed twice.', after: { status: 'cancelled' } })
      expect(read).toMatchObject({ reason: null, before: null, after: null })
      expect(await faultsOf({ store })).toEqual([])

      await pool.script('checkpoint')
      const [file] = await pool<{ bytes: Buffer }[]>`
        select pg_read_binary_file(pg_relation_filepath('audit_entries_before')) as bytes`
      expect([file!.bytes.includes('order.cancel'), file!.bytes.includes('Placed twice')]).toEqual([true, false])

      expect(await store.resealing.countPlainDetails()).toBe(1)
      expect(await plainTextSealer(store)(Date.now())).toMatchObject({ failed: 0 })
      expect(await store.resealing.countPlainDetails()).toBe(0)
      const [text] = await pool<
        { text: string }[]
      >`select string_agg(encode(content, 'escape'), '') as text from audit_details`
      expect(text?.text).not.toContain('Placed twice')
      expect(await faultsOf({ store })).toEqual([])
    } finally {
      await earlier.drop()
    }
  })
})
