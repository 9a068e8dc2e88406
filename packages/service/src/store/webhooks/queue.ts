import type { Db } from '../db/db.ts'
import { breakerState, isBlocked, receiversWithParked } from './receivers.ts'
import type { HeldReason } from './records.ts'

/** Seconds since the oldest delivery was due: of those waiting for a worker, and of parked ones by reason. */
export type QueueAges = Record<'waiting' | HeldReason, number>

/** Receivers that do not get all their deliveries, by reason. */
export interface ReceiverCounts {
  /** Failing, with the breaker still closed. */
  failing: number
  open: number
  halfOpen: number
  /** By an operator, in any breaker state. */
  paused: number
}

/** The state of the queue as a whole, for metrics. */
export const deliveryQueue = (db: Db) => ({
  /** Reads one delivery per receiver with parked ones; an age is 0 if there is no such delivery. */
  async ages(): Promise<QueueAges> {
    const rows = await db<{ reason: keyof QueueAges; age: number }[]>`
      select reason, extract(epoch from now() - min(due_at))::float8 as age
      from (
        (select 'waiting' as reason, due_at from deliveries where state = 'waiting' and due_at <= now() order by due_at limit 1)
        union all
        select case when r.paused_at is not null then 'paused' when ${isBlocked()} then 'breakerOpen' else 'queued' end, oldest.due_at
        from (${receiversWithParked()}) h
        cross join lateral (
          select d.due_at from deliveries d where d.state = 'held' and d.tenant_id = h.tenant_id and d.origin = h.origin
          order by d.due_at limit 1) oldest
        left join lateral (
          select r.* from receivers r where r.tenant_id = h.tenant_id and r.origin = h.origin limit 1) r on true) queued
      group by reason`
    const ages = { waiting: 0, queued: 0, breakerOpen: 0, paused: 0 }
    return Object.assign(ages, Object.fromEntries(rows.map(({ reason, age }) => [reason, age])))
  },

  async receiverCounts(): Promise<ReceiverCounts> {
    const [row] = await db<ReceiverCounts[]>`
      select count(*) filter (where state = 'closed' and failures > 0)::int as failing,
        count(*) filter (where state = 'open')::int as open,
        count(*) filter (where state = 'halfOpen')::int as half_open,
        count(*) filter (where paused_at is not null)::int as paused
      from (select r.failures, r.paused_at, ${breakerState()} as state from receivers r) r`
    return row!
  },
})
