import type { Callback } from '@order-testing/contract'
import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { columnsOf } from './lists.ts'
import { sealAttempt } from './delivery-attempts.ts'
import { deliveryContext, openCallback, type CallbackVersion } from './outbox.ts'
import { isBlocked, receiverTable, type Receiver } from './receivers.ts'

/** Longer than an attempt and what may have to wait before it; what a dead worker has taken comes back after it. */
export const LEASE_SECONDS = 60

/** A delivery that is ours to send until the lease ends. */
export interface Claimed extends Receiver {
  id: string
  /** Whether it was not claimed but put aside for its receiver. */
  isHeld: boolean
  claimId: string
  callbackId: string
  orderId: string
  version: CallbackVersion
  /** Made so far. */
  attempts: number
  /** How long it has been on its way when it was claimed, by the database's clock. */
  ageMs: number
  /** Just before it was claimed, by `performance.now()`. */
  takenAt: number
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
  delivery: Pick<Claimed, 'tenantId' | 'origin' | 'id' | 'claimId'>
  state: 'waiting' | 'held' | 'delivered' | 'failed'
  /** Seconds from now until it is due again. */
  wait: number
  /** Whether the receiver has ended its registration. */
  isGone: boolean
  attempt: AttemptRecord | null
  /** Why it has failed, where no attempt tells. */
  reason?: FailureReason
  /** Whether it was tried to write this before, and may have been done: nobody heard. */
  isRepeated?: boolean
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

type Row = Omit<Claimed, 'claimId' | 'takenAt'>

export interface ClaimOptions {
  leaseSeconds?: number
  /** Receivers that have enough to do here. */
  full?: Receiver[]
}

/** The queue: deliveries are claimed, sent with no transaction open, and recorded. */
export const deliveries = (db: Db, keyring: Keyring) => {
  const claimedBy = (claimId: string, takenAt: number, rows: Row[]): Claimed[] =>
    rows.map((row) => Object.assign(row, { claimId, takenAt }))
  const isFree = sql`(d.claimed_until is null or d.claimed_until <= now())`
  /**
   * Of the rows of `due`, those to be held and those to be sent. Nobody waits for the disk: a claim that a crash of the
   * database undoes is made again.
   */
  const taken = (claimId: string, leaseSeconds: number) => sql`
    taken as (
      update deliveries d set
        state = case when due.is_held then 'held' else d.state end,
        claim_id = case when due.is_held then null else ${claimId}::uuid end,
        claimed_until = case when due.is_held then null else now() + ${leaseSeconds}::float8 * interval '1 second' end
      from due where d.tenant_id = due.tenant_id and d.id = due.id
      returning d.*, due.is_held),
    unsynced as (select set_config('synchronous_commit', 'off', true))
    select t.tenant_id, t.origin, t.is_held, t.id, t.callback_id, t.order_id, t.version, t.attempts,
      extract(epoch from now() - t.queued_at)::float8 * 1000 as age_ms, coalesce(r.failures, 0) as failures,
      case when not t.is_held then t.body end as body, c.url, c.secrets, c.ended_at is not null as is_ended
    from taken t cross join unsynced join callbacks c on c.tenant_id = t.tenant_id and c.id = t.callback_id
    left join receivers r on r.tenant_id = t.tenant_id and r.origin = t.origin`

  return {
    /**
     * Takes deliveries that are due, oldest first, passing over what other workers are taking. Those for receivers that
     * take nothing now, or that are `full` here, are held instead: they are out of the way of the others.
     */
    async claim(
      claimId: string,
      most: number,
      { leaseSeconds = LEASE_SECONDS, full = [] }: ClaimOptions = {},
    ): Promise<Claimed[]> {
      const takenAt = performance.now()
      const rows = await db<Row[]>`
        with due as (
          select d.tenant_id, d.id,
            (d.tenant_id, d.origin) in (select * from ${receiverTable(full)})
              or exists (select from receivers r where r.tenant_id = d.tenant_id and r.origin = d.origin and ${isBlocked()}) as is_held
          from deliveries d where d.state = 'waiting' and d.due_at <= now() and ${isFree}
          order by d.due_at limit ${most} for update skip locked),
        ${taken(claimId, leaseSeconds)}`
      return claimedBy(claimId, takenAt, rows)
    },

    /** Takes deliveries that were held for receivers; of those that take nothing now only a probe. */
    async claimHeld(
      claimId: string,
      receivers: (Receiver & { most: number })[],
      { leaseSeconds = LEASE_SECONDS, isProbe = false } = {},
    ): Promise<Claimed[]> {
      const takenAt = performance.now()
      const rows = await db<Row[]>`
        with due as (
          select h.*, false as is_held
          from unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[],
            ${receivers.map(({ most }) => most)}::int[]) as w (tenant_id, origin, most)
          cross join lateral (
            select d.tenant_id, d.id from deliveries d
            where d.state = 'held' and d.tenant_id = w.tenant_id and d.origin = w.origin and ${isFree}
            order by d.due_at limit w.most for update skip locked) h
          where ${isProbe} or not exists (
            select from receivers r where r.tenant_id = w.tenant_id and r.origin = w.origin and ${isBlocked()})),
        ${taken(claimId, leaseSeconds)}`
      return claimedBy(claimId, takenAt, rows)
    },

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
     * Writes down what became of claimed deliveries. One that another worker has claimed since is left as it is, but
     * its attempt was made and is told of; once, though it is written again when the answer to the first time was lost.
     * Nobody waits for the disk here either: what a crash of the database undoes is sent again.
     */
    async record(all: Recorded[]): Promise<void> {
      const column = columnsOf(all)
      const isNew = all.some(({ isRepeated }) => isRepeated)
        ? sql`and not exists (
            select from delivery_attempts a where a.tenant_id = o.tenant_id and a.delivery_id = o.id and a.at = o.at)`
        : sql``
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
        attempted as (
          insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, error, answer)
          select tenant_id, id, at, ms, status, error, answer from outcome o where at is not null ${isNew}),
        ended as (
          update deliveries d set state = o.state, claim_id = null, claimed_until = null, reason = o.reason,
            -- Who is given back keeps its place.
            due_at = case when o.wait = 0 then d.due_at else now() + o.wait * interval '1 second' end,
            attempts = d.attempts + case when o.at is null then 0 else 1 end,
            ended_at = case when o.state in ('delivered', 'failed') then now() end
          from outcome o where d.tenant_id = o.tenant_id and d.id = o.id and d.claim_id = o.claim_id
          returning d.tenant_id, d.callback_id, o.is_gone, o.at)
        update callbacks c set ended_at = now() from ended e
        where e.is_gone and c.tenant_id = e.tenant_id and c.id = e.callback_id and c.ended_at is null
          -- It may have been registered anew while the request was under way.
          and c.registered_at <= e.at`
    },

    /**
     * Seconds that the oldest delivery has been due for; 0 where none is. One that is held counts, unless its receiver
     * takes nothing now: that is told of the receiver.
     */
    async queueAge(): Promise<number> {
      const [row] = await db<{ age: number }[]>`
        with recursive held as (
          (select tenant_id, origin, due_at from deliveries where state = 'held' order by tenant_id, origin, due_at limit 1)
          union all
          select next.* from held h cross join lateral (
            select d.tenant_id, d.origin, d.due_at from deliveries d
            where d.state = 'held' and (d.tenant_id, d.origin) > (h.tenant_id, h.origin)
            order by d.tenant_id, d.origin, d.due_at limit 1) next)
        select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as age
        from (
          (select due_at from deliveries where state = 'waiting' and due_at <= now() order by due_at limit 1)
          union all
          select due_at from held h where not exists (
            select from receivers r where r.tenant_id = h.tenant_id and r.origin = h.origin and ${isBlocked()})) oldest`
      return row?.age ?? 0
    },
  }
}
