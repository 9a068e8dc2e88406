import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../webhooks/working.ts'
import type { TestDatabase } from './service.ts'

/** Loopback ranges, where receivers of tests listen. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Sends all due deliveries; `schedule` has the seconds before each attempt. */
export async function deliverAll({ store, pool }: TestDatabase, schedule = [0]): Promise<void> {
  const worker = startWorker(store, { schedule })
  const due = () => pool`
    select id from deliveries d
    where state = 'waiting' and (due_at <= now() or claim_id is not null)
      or state = 'held' and not exists (
        select from receivers r where r.tenant_id = d.tenant_id and r.origin = d.origin
          and (r.paused_at is not null or r.open_until is not null))`
  while ((await due()).length > 0) await sleep(20)
  await worker.stop()
}
