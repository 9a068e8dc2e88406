import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placeHolds } from '../../src/operations/retention/legal-holds.ts'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import { Keyring, type Key } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { entryAt, faultsOf, linkAll, recordEntries, tamper } from '../audit/given.ts'
import { TENANT } from '../orders/given.ts'
import { startService, TEST_KEY, type TestService } from '../support/service.ts'
import { applied, closedOrder, NOW } from './given.ts'
import { record } from '../support/record.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  const tables = [
    'audit_entries',
    'audit_links',
    'audit_details',
    'audit_unlinked',
    'audit_checkpoints',
    'audit_erasures',
    'legal_holds',
  ]
  await tamper(service, tables.map((table) => `delete from ${table}`).join(';'))
})

const DAY = 86_400

/** Records entries from January to April 2026, ten per month. */
async function fourMonths(): Promise<void> {
  const january = -59 * DAY
  const entries = [0, 31, 59, 90].flatMap((days) =>
    Array.from({ length: 10 }, (_, i) =>
      entryAt(january + days * DAY + i * DAY, i % 2 === 0 ? { reason: 'Why.' } : {}),
    ),
  )
  await service.store.audit.append(entries)
  await linkAll(service)
}

const keep = { audit: '4 years' }
/** At this time, everything before March 2026 is older than four years. */
const march = new Date('2030-03-20T00:00:00.000Z')
const linksLeft = async () => (await service.store.auditCheck.linksAfter(TENANT, 0, 1_000)).map(({ link }) => link.seq)

describe('pruning the audit log', () => {
  test('pruning removes whole months and leaves a chain that verifies from a signed checkpoint', async () => {
    await fourMonths()
    const head = await service.store.auditChain.head(TENANT)
    expect(await applied(service, keep, { now: march, isDryRun: true })).toEqual({ audit: '20 due' })
    expect((await linksLeft()).at(0)).toBe(1)
    expect(await applied(service, keep, { now: march })).toEqual({ audit: '20 due' })
    expect((await linksLeft()).at(0)).toBe(21)
    const [left] = await service.pool<{ entries: number; details: number }[]>`
      select (select count(*)::int from audit_entries where details_hash is not null) as entries,
        (select count(*)::int from audit_details) as details`
    expect(left?.details).toBe(left?.entries)
    expect(await faultsOf(service, { head })).toEqual([])
    const pruned = await service.store.audit.page(TENANT, { action: 'audit.prune', limit: 5, page: 1 })
    expect(pruned.rows.map(({ after }) => after)).toMatchObject([{ entries: 10 }, { entries: 10 }])
    expect(await applied(service, keep, { now: march })).toEqual({ audit: '0 due' })
  })

  test('the chain continues after everything was pruned', async () => {
    await fourMonths()
    await service.store.transaction(async (tx) => {
      const all = await tx.auditPruning.findPrunable(TENANT, new Date('2027-01-01'), 'all')
      await tx.auditPruning.prune(all!)
    })
    expect(await linksLeft()).toEqual([])
    expect((await service.store.auditChain.head(TENANT)).seq).toBe(40)
    await recordEntries(service, 3)
    expect(await linksLeft()).toEqual([41, 42, 43])
    expect(await faultsOf(service)).toEqual([])
  })

  test('verification detects pruning without a checkpoint, or with a forged or altered one', async () => {
    await fourMonths()
    await applied(service, keep, { now: march })
    const checkpoint = 'update audit_checkpoints set'
    const [before] = await service.pool<{ hash: Buffer; signature: Buffer }[]>`
      select hash, signature from audit_checkpoints where seq = 20`
    await service.pool.script(`${checkpoint} hash = sha256('x') where seq = 20`)
    expect((await faultsOf(service)).slice(0, 1)).toEqual(['checkpoint 20'])
    await service.pool`update audit_checkpoints set hash = ${before!.hash}, until = until + interval '1 day' where seq = 20`
    expect(await faultsOf(service)).toEqual(['checkpoint 20'])
    await service.pool.script('delete from audit_checkpoints')
    expect(await faultsOf(service)).toEqual(['missing 1'])
  })

  test('pruning stops before an entry about an order under a legal hold', async () => {
    const order = await closedOrder(service, 10)
    await service.store.audit.append([
      entryAt(-59 * DAY),
      entryAt(-58 * DAY, { subjectId: order.id }),
      entryAt(-57 * DAY),
    ])
    await linkAll(service)
    const selection = { tenantId: TENANT, orders: [order.id], person: false }
    await placeHolds({ selection, reason: 'A case.', record, now: NOW }, service.store)
    expect(await applied(service, keep, { now: march })).toEqual({ audit: '1 due' })
    expect((await linksLeft()).at(0)).toBe(2)
  })

  test('pruning stops before an entry about a report, document, notification or callback of an order under a legal hold', async () => {
    const order = await closedOrder(service, 10)
    const result = { tenantId: TENANT, id: 'res_1', orderId: order.id }
    await service.pool`
      insert into result_reports (tenant_id, id, sender_kind, sender_id, message_id, token_id, state, event, order_id,
        occurred_at, received_at, content)
      values (${TENANT}, ${result.id}, 'lab', 'l', 'm', 't', 'applied', 'result', ${order.id}, now(), now(), '')`
    await service.pool`
      insert into documents (tenant_id, id, result_id, content_type, size, created_at, content)
      values (${TENANT}, 'doc_1', ${result.id}, 'text/plain', 0, now(), '')`
    const [{ message }] = await service.pool<
      [{ message: string }]
    >`select id as message from notifications where order_id = ${order.id}`
    const [{ callback }] = await service.pool<
      [{ callback: string }]
    >`select id as callback from callbacks where order_id = ${order.id}`
    const subjects = [
      ['callback', callback],
      ['message', message],
      ['document', 'doc_1'],
      ['result', result.id],
    ] as const
    await service.store.audit.append([
      entryAt(-59 * DAY),
      ...subjects.map(([subjectType, subjectId], i) => entryAt((i - 50) * DAY, { subjectType, subjectId })),
    ])
    await linkAll(service)
    const selection = { tenantId: TENANT, orders: [order.id], person: false }
    await placeHolds({ selection, reason: 'A case.', record, now: NOW }, service.store)
    expect(await applied(service, keep, { now: march })).toEqual({ audit: '1 due' })
    for (const [i, table] of ['callbacks', 'notifications', 'documents', 'result_reports'].entries()) {
      expect(await applied(service, keep, { now: march })).toEqual({ audit: '0 due' })
      await service.pool.script(`delete from ${table}`)
      expect(await applied(service, keep, { now: march, isDryRun: true })).toEqual({ audit: '1 due' })
      await applied(service, keep, { now: march })
      expect((await linksLeft()).at(0)).toBe(i + 3)
    }
  })

  test('pruning includes entries that no service has linked yet', async () => {
    await service.store.audit.append([entryAt(-59 * DAY)])
    expect(await applied(service, keep, { now: march })).toEqual({ audit: '1 due' })
  })

  test('a log with faults is not pruned, because they are evidence', async () => {
    await fourMonths()
    await tamper(
      service,
      `update audit_entries set action = 'nothing' where ctid = (select min(ctid) from audit_entries)`,
    )
    await expect(applied(service, keep, { now: march })).rejects.toThrow(
      'The audit log has faults, so it is not pruned.',
    )
    expect(await linksLeft()).toHaveLength(40)
  })

  test('checkpoints are signed with the new key after a rotation', async () => {
    await fourMonths()
    await applied(service, keep, { now: march })
    const fresh = { id: 'fresh', secret: 'the key that comes after it' }
    expect(await rotateKeys(createStore(service.pool, new Keyring([fresh, TEST_KEY])))).toMatchObject({
      unsignedCheckpoints: 0,
    })
    const store = createStore(service.pool, new Keyring([fresh]))
    expect(await verifyAudit(TENANT, store)).toMatchObject({ faultCount: 0 })
    const lost = createStore(service.pool, new Keyring([{ id: 'other', secret: 'a key that knows nothing' }]))
    const { faults } = await verifyAudit(TENANT, lost)
    expect(faults.at(0)).toMatchObject({
      kind: 'checkpoint',
      detail: expect.stringContaining('a key that is not set') as string,
    })
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, fresh])))
  })

  test('a second rotation signs checkpoints again, and those without a valid signature are counted', async () => {
    await fourMonths()
    await applied(service, keep, { now: march })
    const [second, third] = ['second', 'third'].map((id) => ({ id, secret: `the ${id} key` })) as [Key, Key]
    await createStore(service.pool, new Keyring([second, TEST_KEY])).auditPruning.resign()
    const both = createStore(service.pool, new Keyring([third, second, TEST_KEY]))
    expect(await both.auditPruning.resign()).toBe(0)
    expect(await verifyAudit(TENANT, createStore(service.pool, new Keyring([third])))).toMatchObject({
      faults: expect.not.arrayContaining([expect.objectContaining({ kind: 'checkpoint' })]) as object,
    })
    const lost = createStore(service.pool, new Keyring([{ id: 'lost', secret: 'a key that knows nothing' }]))
    expect(await lost.auditPruning.resign()).toBe(2)
  })
})
