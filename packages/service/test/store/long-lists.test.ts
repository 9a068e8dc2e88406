import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { TENANT } from '../orders/given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

/** Longer than a statement of the service may take. Indexes that the lists here do not use are dropped to save time. */
const fill = (script: string) => service.pool.transaction((db) => db.script(script), { isUnlimited: true })

const total = async (path: string) => {
  const { data, ...found } = (await operate(service, 'GET', path)).body
  return { total: found.total, isMore: found.isMore, shown: data.length }
}

test('a list of audit entries has an exact total up to its limit', async () => {
  // Its triggers queue entries for the hash chain, which does not matter here.
  await fill(`
    drop index audit_entries_by_token, audit_entries_of_subject;
    alter table audit_entries disable trigger user;
    insert into audit_entries (tenant_id, id, at, token_id, action, subject_type, subject_id)
    select '${TENANT}', 'aud_0' || n, now(), 'operator', case when n <= 3 then 'order.cancel' else 'order.read' end, 'order', 'ord_1'
    from generate_series(1, 100001) n;
    alter table audit_entries enable trigger user;`)
  expect(await total('/audit?limit=2')).toEqual({ total: 100_000, isMore: true, shown: 2 })
  expect(await total('/audit?limit=2&action=order.cancel')).toEqual({ total: 3, isMore: false, shown: 2 })
})

test('a list of messages has an exact total up to its limit', async () => {
  await fill(`
    drop index notifications_ended, notifications_of_order;
    insert into notifications (tenant_id, id, order_id, kind, channel, state, due_at, created_at, ended_at)
    select '${TENANT}', 'msg_0' || n, 'ord_1', 'link', 'email', case when n <= 3 then 'failed' else 'sent' end, now(), now(), now()
    from generate_series(1, 100001) n;`)
  expect(await total('/messages?limit=2')).toEqual({ total: 100_000, isMore: true, shown: 2 })
  expect(await total('/messages?limit=2&state=failed')).toEqual({ total: 3, isMore: false, shown: 2 })
})
