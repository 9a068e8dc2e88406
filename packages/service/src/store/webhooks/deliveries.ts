import type { Callback } from '@order-testing/contract'
import { openCallback } from './callback-sealing.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { isClaimed, isFree, mayClaim, type Claim } from './workers.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'
import { sealAttempt } from './attempts.ts'
import { deliveryContext, type CallbackVersion } from './outbox.ts'
import { isBlocked, receiverTable, type Receiver } from './receivers.ts'

/**
 * How long a claim holds at most: longer than an attempt and the wait before it. It brings back claims that their worker
 * does not know of, because the answer was lost; those of a dead worker come back sooner, with the worker's lease.
 */
export const LEASE_SECONDS = 60

/** A delivery that is ours to send until its lease, or the worker's, ends. */
export interface Claimed extends Receiver, Claim {
  /** Whether it was not claimed but put aside for its receiver. */
  isHeld: boolean
  /** Who has claimed it; null for a claim that depends on no worker's lease. */
  workerId: string | null
  callbackId: string
  orderId: string
  version: CallbackVersion
  /** Made so far. */
  attempts: number
  /** How long it has been on its way when it was claimed, by the database's clock. */
  ageMs: number
  /** How long it has been due when it was claimed. */
  overdueMs: number
  /** Just before it was claimed, by `performance.now()`. */
  takenAt: number
  /** When its lease ends at the earliest, by `performance.now()`. */
  expiresAt: number
  /** Of its receiver, in a row. */
  failures: number
  /** Whether its registration has ended meanwhile. */
  isEnded: boolean
  /** As stored: `read` opens it just before it is sent. */
  body: Buffer | null
  secrets: Buffer
  /** Where an earlier build has kept the address as plain text. */
  url: string | null
}

/** What is sent of a delivery, where to, and with which credentials. */
export interface Sent {
  body: Buffer
  callback: Callback
}

/** What an attempt, or the decision to make none, leaves of a claimed delivery. */
export interface Recorded {
  delivery: Receiver & Claim
  state: 'waiting' | 'held' | 'delivered' | 'failed'
  /** Seconds from now until it is due again. */
  wait: number
  /** Whether the receiver has ended its registration. */
  isGone: boolean
  attempt: AttemptRecord | null
  /** Why it has failed, where no attempt tells. */
  reason?: FailureReason
}

/** Its registration has ended, or it was kept back until the receiver no longer expected it. */
export type FailureReason = 'registrationEnded' | 'tooLate'

export interface AttemptRecord {
  at: Date
  ms: number
  status: number | null
  error: string | null
  detail: string | null
  excerpt: string
}

type Row = Omit<Claimed, 'claimId' | 'workerId' | 'takenAt' | 'expiresAt'>

export interface ClaimLease {
  leaseSeconds?: number
  /** The claim ends with this worker's lease. */
  workerId?: string | null
}

export interface ClaimOptions extends ClaimLease {
  /** Receivers that have enough to do here. */
  full?: Receiver[]
}

/** The queue: deliveries are claimed, sent with no transaction open, and recorded. */
export const deliveries = (db: Db, keyring: Keyring) => {
  /** Claims the rows of `due`, but for those that are to be held, and returns all of them. */
  const claimAll = async (
    due: Statement,
    claimId: string,
    { leaseSeconds = LEASE_SECONDS, workerId = null }: ClaimLease,
  ) => {
    const takenAt = performance.now()
    // Not synced: a claim that a crash of the database undoes is made again.
    const rows = await db<Row[]>`
      with due as (${due}),
      taken as (
        update deliveries d set
          state = case when due.is_held then 'held' else d.state end,
          claim_id = case when due.is_held then null else ${claimId}::uuid end,
          claimed_by = case when due.is_held then null else ${workerId}::uuid end,
          claimed_until = case when due.is_held then null else now() + ${leaseSeconds}::float8 * interval '1 second' end
        from due where d.tenant_id = due.tenant_id and d.id = due.id
        returning d.*, due.is_held),
      unsynced as (select set_config('synchronous_commit', 'off', true))
      select t.tenant_id, t.origin, t.is_held, t.id, t.callback_id, t.order_id, t.version, t.attempts,
        extract(epoch from now() - t.queued_at)::float8 * 1000 as age_ms,
        extract(epoch from now() - t.due_at)::float8 * 1000 as overdue_ms, coalesce(r.failures, 0) as failures,
        case when not t.is_held then t.body end as body, c.url, c.secrets, c.ended_at is not null as is_ended
      from taken t cross join unsynced join callbacks c on c.tenant_id = t.tenant_id and c.id = t.callback_id
      left join receivers r on r.tenant_id = t.tenant_id and r.origin = t.origin`
    const claim = { claimId, workerId, takenAt, expiresAt: takenAt + 1000 * leaseSeconds }
    return rows.map((row): Claimed => Object.assign(row, claim))
  }

  return {
    /**
     * Takes deliveries that are due, oldest first, passing over what other workers are taking. Those for receivers that
     * take nothing now, or that are `full` here, are held instead: they are out of the way of the others. With both bounds
     * the planner reads the index in its order, and never all that is due, even where it has no statistics.
     */
    claim: (claimId: string, most: number, { full = [], ...lease }: ClaimOptions = {}): Promise<Claimed[]> =>
      claimAll(
        sql`
          select d.tenant_id, d.id,
            (d.tenant_id, d.origin) in (select * from ${receiverTable(full)})
              or exists (select from receivers r where r.tenant_id = d.tenant_id and r.origin = d.origin and ${isBlocked()}) as is_held
          from deliveries d
          where d.state = 'waiting' and d.due_at between '-infinity' and now() and ${isFree(lease.leaseSeconds ?? LEASE_SECONDS)} and ${mayClaim(lease.workerId ?? null)}
          order by d.due_at limit ${most} for update skip locked`,
        claimId,
        lease,
      ),

    /** Takes deliveries that were held for receivers; of those that take nothing now only a probe. */
    claimHeld: (
      claimId: string,
      receivers: (Receiver & { most: number })[],
      { isProbe = false, ...lease }: ClaimLease & { isProbe?: boolean } = {},
    ): Promise<Claimed[]> =>
      claimAll(
        sql`
          select h.*, false as is_held
          from unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[],
            ${receivers.map(({ most }) => most)}::int[]) as w (tenant_id, origin, most)
          cross join lateral (
            select d.tenant_id, d.id from deliveries d
            where d.state = 'held' and d.tenant_id = w.tenant_id and d.origin = w.origin and ${isFree(lease.leaseSeconds ?? LEASE_SECONDS)} and ${mayClaim(lease.workerId ?? null)}
            order by d.due_at limit w.most for update skip locked) h
          where ${isProbe} or not exists (
            select from receivers r where r.tenant_id = w.tenant_id and r.origin = w.origin and ${isBlocked()})`,
        claimId,
        lease,
      ),

    /** What is to be sent; null where it cannot be read, for want of a key. */
    read({ tenantId, id, orderId, callbackId, url, body, secrets }: Claimed): Sent | null {
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
     * Records what became of claimed deliveries. Nothing is written for a claim that no longer holds: another worker
     * has the delivery by then, or will get it. Nor for one that was recorded before, when the answer was lost. Not
     * synced: what a crash of the database undoes is sent again.
     */
    async record(all: Recorded[]): Promise<void> {
      const column = columnsOf(all)
      await db`
        with outcome as materialized (
          select o.tenant_id, o.id, o.claim_id::uuid, o.state, o.wait::float8, o.is_gone::boolean, o.reason,
            o.at::timestamptz, o.ms::int, o.status::int, o.error, decode(o.answer, 'hex') as answer
          from unnest(
            ${column(({ delivery }) => delivery.tenantId)}::text[], ${column(({ delivery }) => delivery.id)}::text[],
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
            -- A delivery that is given back keeps its place in the queue.
            due_at = case when o.wait = 0 then d.due_at else now() + o.wait * interval '1 second' end,
            attempts = d.attempts + case when o.at is null then 0 else 1 end,
            ended_at = case when o.state in ('delivered', 'failed') then now() end
          from outcome o where d.tenant_id = o.tenant_id and d.id = o.id and d.claim_id = o.claim_id and ${isClaimed()}
          returning d.tenant_id, d.id, d.callback_id, o.is_gone, o.at, o.ms, o.status, o.error, o.answer),
        attempted as (
          insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, error, answer)
          select tenant_id, id, at, ms, status, error, answer from ended where at is not null)
        update callbacks c set ended_at = now(), end_reason = 'gone' from ended e
        where e.is_gone and c.tenant_id = e.tenant_id and c.id = e.callback_id and c.ended_at is null
          -- It may have been registered anew while the request was under way.
          and c.registered_at <= e.at`
    },
  }
}
