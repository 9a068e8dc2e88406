import type { Callback } from '@order-testing/contract'
import { columnsOf, unseen } from '../db/arrays.ts'
import type { AttemptTrouble } from '../../domain/sandbox/trouble.ts'
import { openCallback } from './callback-sealing.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { sealAttempt, type AttemptRecord } from './attempts.ts'
import type { CallbackVersion } from './callbacks.ts'
import { deliveryContext } from './outbox.ts'
import { isBlocked, receiverTable, type ReceiverId } from './receivers.ts'
import { isClaimed, isFree, mayClaim, type Claim } from './workers.ts'

/**
 * How long a claim is valid at most: longer than an attempt and the wait before it. It frees claims that their worker
 * does not know of because the reply was lost; those of a dead worker end sooner, with the worker's lease.
 */
export const LEASE_SECONDS = 60

/** A delivery that this worker may send until the claim's lease, or the worker's, ends. */
export interface ClaimedDelivery extends ReceiverId, Claim {
  /** Whether it was parked for its receiver instead of claimed. */
  isParked: boolean
  /** The worker that claimed it; null for a claim that depends on no worker's lease. */
  workerId: string | null
  callbackId: string
  eventId: string
  orderId: string
  version: CallbackVersion
  /** Made so far. */
  attempts: number
  /** Of these, made before it was last sent again. */
  earlierAttempts: number
  /** Time since it was queued, when it was claimed, by the database's clock. */
  ageMs: number
  /** Time since it was due, when it was claimed. */
  overdueMs: number
  /** Taken just before the claim, by `performance.now()`. */
  claimedAt: number
  /** The earliest time the claim ends, by `performance.now()`. */
  expiresAt: number
  /** Failures of its receiver, in a row. */
  failures: number
  /** Whether its registration has ended. */
  isEnded: boolean
  /** What goes wrong with the next attempt, in a sandbox. */
  trouble: AttemptTrouble | null
  /** The W3C trace of its event. */
  trace: string | null
  /** Sealed: `read` decrypts it just before it is sent. */
  body: Buffer | null
  secrets: Buffer
  /** Set if an earlier build stored the address as plain text. */
  url: string | null
}

/** What is sent, where, and with which credentials. */
export interface DeliveryContent {
  body: Buffer
  callback: Callback
}

/** How a claim ends, with or without an attempt. */
export interface ClaimResult {
  delivery: ReceiverId & Claim
  state: 'waiting' | 'held' | 'delivered' | 'failed'
  /** Seconds from now until it is due again. */
  wait: number
  /** Whether the receiver has ended its registration. */
  isGone: boolean
  attempt: AttemptRecord | null
  /** Why it failed, if not by an attempt. */
  reason?: FailureReason
}

/** The registration has ended, or a v1 delivery was delayed past its hour. */
export type FailureReason = 'registrationEnded' | 'tooLate'

type Row = Omit<ClaimedDelivery, 'claimId' | 'workerId' | 'claimedAt' | 'expiresAt'>

export interface ClaimLease {
  leaseSeconds?: number
  /** The worker whose lease the claim depends on. */
  workerId?: string | null
}

export interface ClaimOptions extends ClaimLease {
  /** Receivers with no room in this worker; their deliveries are parked. */
  full?: ReceiverId[]
}

/** The queue: deliveries are claimed, sent with no transaction open, and recorded. */
export const deliveries = (db: Db, keyring: Keyring) => {
  /** Claims the rows of `due`, or parks those marked so, and returns all of them. */
  const claimAll = async (
    due: Statement,
    claimId: string,
    { leaseSeconds = LEASE_SECONDS, workerId = null }: ClaimLease,
  ) => {
    const claimedAt = performance.now()
    // Not synced to disk: a claim lost in a database crash is made again.
    const rows = await db<Row[]>`
      with due as (${due}),
      lease as (select now() + ${leaseSeconds}::float8 * interval '1 second' as until),
      taken as (
        update deliveries d set
          state = case when due.is_parked then 'held' else d.state end,
          claim_id = case when due.is_parked then null else ${claimId}::uuid end,
          claimed_by = case when due.is_parked then null else ${workerId}::uuid end,
          claimed_until = case when due.is_parked then null else lease.until end
        -- By its place, which saves a search of the key: the lock keeps the row there. A table in parts has that place in each of
        -- them, so the key is compared, too.
        from due cross join lease where d.ctid = due.place and d.tenant_id = due.tenant_id and d.id = due.id
        returning d.*, due.is_parked),
      unsynced as (select set_config('synchronous_commit', 'off', true))
      select t.tenant_id, t.origin, t.is_parked, t.id, t.callback_id, t.event_id, t.order_id, t.version, t.attempts, t.earlier_attempts,
        extract(epoch from now() - t.queued_at)::float8 * 1000 as age_ms,
        extract(epoch from now() - t.due_at)::float8 * 1000 as overdue_ms, coalesce(r.failures, 0) as failures,
        case when not t.is_parked then t.body end as body, c.url, c.secrets, c.ended_at is not null as is_ended,
        t.trouble, (select e.trace from events e where e.tenant_id = t.tenant_id and e.id = t.event_id) as trace
      from taken t cross join unsynced join callbacks c on c.tenant_id = t.tenant_id and c.id = t.callback_id
      left join receivers r on r.tenant_id = t.tenant_id and r.origin = t.origin`
    const claimed = rows as ClaimedDelivery[]
    // One by one: after `Object.assign`, V8 looks up every member of so wide an object in a hash table.
    for (const delivery of claimed) {
      delivery.claimId = claimId
      delivery.workerId = workerId
      delivery.claimedAt = claimedAt
      delivery.expiresAt = claimedAt + 1000 * leaseSeconds
    }
    return claimed
  }

  return {
    /**
     * Claims due deliveries, oldest first, skipping those that other workers are claiming. Deliveries of receivers that are
     * blocked, or `full` in this worker, are parked instead, out of the way of the others. Giving both bounds of `due_at`
     * makes the planner read the index in order, even without statistics.
     */
    claim: (claimId: string, most: number, { full = [], ...lease }: ClaimOptions = {}): Promise<ClaimedDelivery[]> =>
      claimAll(
        sql`
          select d.tenant_id, d.id, d.ctid as place,
            (d.tenant_id, d.origin) in (select * from ${receiverTable(full)})
              or exists (select from receivers r where r.tenant_id = d.tenant_id and r.origin = d.origin and ${isBlocked()}) as is_parked
          from deliveries d
          where d.state = 'waiting' and d.due_at between '-infinity' and now() and ${isFree(lease.leaseSeconds ?? LEASE_SECONDS)} and ${mayClaim(lease.workerId ?? null)}
          order by d.due_at limit ${most} for update skip locked`,
        claimId,
        lease,
      ),

    /** Claims parked deliveries of receivers; of blocked receivers only for a probe. */
    claimParked: (
      claimId: string,
      receivers: (ReceiverId & { most: number })[],
      { isProbe = false, ...lease }: ClaimLease & { isProbe?: boolean } = {},
    ): Promise<ClaimedDelivery[]> =>
      claimAll(
        sql`
          select h.*, false as is_parked
          from unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[],
            ${receivers.map(({ most }) => most)}::int[]) as w (tenant_id, origin, most)
          cross join lateral (
            select d.tenant_id, d.id, d.ctid as place from deliveries d
            where d.state = 'held' and d.tenant_id = w.tenant_id and d.origin = w.origin and ${isFree(lease.leaseSeconds ?? LEASE_SECONDS)} and ${mayClaim(lease.workerId ?? null)}
            order by d.due_at limit w.most for update skip locked) h
          where ${isProbe} or not exists (
            select from receivers r where r.tenant_id = w.tenant_id and r.origin = w.origin and ${isBlocked()})`,
        claimId,
        lease,
      ),

    /** Decrypts what is to be sent; null if the key is missing. */
    read({ tenantId, id, orderId, callbackId, url, body, secrets }: ClaimedDelivery): DeliveryContent | null {
      if (body === null) return null
      try {
        return {
          body: keyring.openBytes(body, deliveryContext({ tenantId, id })),
          callback: openCallback(keyring, { tenantId, orderId, id: callbackId, url, secrets }),
        }
      } catch {
        return null
      }
    },

    /**
     * Records the results of claims. Nothing is written for a claim that is no longer valid, since another worker has the
     * delivery or will get it, nor for one already recorded. Not synced to disk: a result lost in a database crash means
     * that the delivery is sent again.
     */
    async record(results: ClaimResult[]): Promise<void> {
      const column = columnsOf(results)
      await db`
        with outcome as materialized (
          select o.tenant_id, o.id, o.claim_id::uuid, o.state, o.wait::float8, o.is_gone::boolean, o.reason,
            o.at::timestamptz, o.ms::int, o.status::int, o.error, decode(o.answer, 'hex') as answer,
            now() as now, now() + o.wait::float8 * interval '1 second' as retry_at
          from unnest(
            ${unseen(column(({ delivery }) => delivery.tenantId))}, ${column(({ delivery }) => delivery.id)}::text[],
            ${column(({ delivery }) => delivery.claimId)}::text[], ${column(({ state }) => state)}::text[],
            ${column(({ wait }) => wait)}::text[], ${column(({ isGone }) => isGone)}::text[],
            ${column(({ reason }) => reason ?? null)}::text[],
            ${column(({ attempt }) => attempt?.at ?? null)}::text[], ${column(({ attempt }) => attempt?.ms ?? null)}::text[],
            ${column(({ attempt }) => attempt?.status ?? null)}::text[], ${column(({ attempt }) => attempt?.error ?? null)}::text[],
            ${column(({ delivery, attempt }) => (attempt ? sealAttempt(keyring, delivery, attempt) : null))}::text[]
          ) as o (tenant_id, id, claim_id, state, wait, is_gone, reason, at, ms, status, error, answer)
          cross join (select set_config('synchronous_commit', 'off', true)) unsynced),
        ended as (
          update deliveries d set state = o.state, claim_id = null, claimed_by = null, claimed_until = null, reason = o.reason,
            -- A released delivery keeps its place in the queue.
            due_at = case when o.wait = 0 then d.due_at else o.retry_at end,
            attempts = d.attempts + case when o.at is null then 0 else 1 end,
            trouble = case when o.at is null then d.trouble end,
            ended_at = case when o.state in ('delivered', 'failed') then o.now end
          from outcome o where d.tenant_id = o.tenant_id and d.id = o.id and d.claim_id = o.claim_id
            -- Statistics made while hardly anything is claimed would let the planner compare each delivery with each result.
            and coalesce(${isClaimed()}, false)
          returning d.tenant_id, d.id, d.callback_id, o.is_gone, o.at, o.ms, o.status, o.error, o.answer),
        attempted as (
          insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, error, answer)
          select tenant_id, id, at, ms, status, error, answer from ended where at is not null)
        update callbacks c set ended_at = now(), end_reason = 'gone' from ended e
        where e.is_gone and c.tenant_id = e.tenant_id and c.id = e.callback_id and c.ended_at is null
          -- It may have been registered again while the request was in flight.
          and c.registered_at <= e.at`
    },
  }
}
