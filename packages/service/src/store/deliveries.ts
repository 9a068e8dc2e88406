import type { Callback } from '@order-testing/contract'
import type { Health } from '../domain/receivers.ts'
import type { Db } from './database.ts'
import type { Keyring } from './keyring.ts'
import { callbackContext, deliveryContext, type CallbackVersion } from './outbox.ts'

/** Longer than an attempt and what may have to wait before it; what a dead worker has taken comes back after it. */
export const LEASE_SECONDS = 60

export interface Receiver {
  tenantId: string
  origin: string
}

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
  url: string
  /** Whether its registration has ended meanwhile. */
  isEnded: boolean
  /** What is to be sent; null where it cannot be read, for want of a key. */
  sent: { body: Buffer; callback: Pick<Callback, 'headers' | 'auth'> } | null
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
}

export interface AttemptRecord {
  at: Date
  ms: number
  status: number | null
  error: string | null
  detail: string | null
  excerpt: string
}

export interface ReceiverState extends Receiver {
  failures: number
  /** Whether it is paused, or its breaker open. */
  isBlocked: boolean
}

interface Row extends Omit<Claimed, 'sent' | 'takenAt'> {
  body: Buffer | null
  secrets: Buffer
}

export interface ClaimOptions {
  leaseSeconds?: number
  /** Receivers that have enough to do here. */
  full?: Receiver[]
}

const LOOKED_UP_AT_ONCE = 500

/** The queue: deliveries are claimed, sent with no transaction open, and recorded. */
export const deliveries = (db: Db, keyring: Keyring) => {
  const open = ({ body, secrets, ...row }: Row, takenAt: number): Claimed => ({
    ...row,
    takenAt,
    sent: row.isHeld ? null : unsealed(keyring, { ...row, body, secrets }),
  })
  const table = (receivers: Receiver[]) => db`
    unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[])`
  const isBlocked = db`(r.paused_at is not null or r.open_until is not null)`
  /**
   * Of the rows of `due`, those to be held and those to be sent. Nobody waits for the disk: a claim that a crash of the
   * database undoes is made again.
   */
  const taken = (claimId: string, leaseSeconds: number) => db`
    taken as (
      update deliveries d set
        state = case when due.is_held then 'held' else 'waiting' end,
        claim_id = case when due.is_held then null else ${claimId}::uuid end,
        due_at = now() + case when due.is_held then 0 else ${leaseSeconds}::float8 end * interval '1 second'
      from due where d.tenant_id = due.tenant_id and d.id = due.id
      returning d.*, due.is_held),
    unsynced as (select set_config('synchronous_commit', 'off', true))
    select t.tenant_id, t.origin, t.is_held, t.id, t.claim_id, t.callback_id, t.order_id, t.version, t.attempts,
      (extract(epoch from now() - t.queued_at) * 1000)::float8 as age_ms, coalesce(r.failures, 0) as failures,
      case when not t.is_held then t.body end as body, c.url, c.secrets, c.ended_at is not null as is_ended
    from taken t cross join unsynced join callbacks c on c.tenant_id = t.tenant_id and c.id = t.callback_id
    left join receivers r on r.tenant_id = t.tenant_id and r.origin = t.origin`

  return {
    /**
     * Takes deliveries that are due, oldest first, passing over what other workers are taking. Those for receivers that
     * take nothing now, or that are `full` here, are held instead: they are out of the way of the others.
     */
    async claim(claimId: string, most: number, { leaseSeconds = LEASE_SECONDS, full = [] }: ClaimOptions = {}) {
      const takenAt = performance.now()
      const rows = await db<Row[]>`
        with due as (
          select d.tenant_id, d.id,
            (d.tenant_id, d.origin) in (select * from ${table(full)})
              or exists (select from receivers r where r.tenant_id = d.tenant_id and r.origin = d.origin and ${isBlocked}) as is_held
          from deliveries d where d.state = 'waiting' and d.due_at <= now()
          order by d.due_at limit ${most} for update skip locked),
        ${taken(claimId, leaseSeconds)}`
      return rows.map((row) => open(row, takenAt))
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
            where d.state = 'held' and d.tenant_id = w.tenant_id and d.origin = w.origin
            order by d.due_at limit w.most for update skip locked) h
          where ${isProbe} or not exists (
            select from receivers r where r.tenant_id = w.tenant_id and r.origin = w.origin and ${isBlocked})),
        ${taken(claimId, leaseSeconds)}`
      return rows.map((row) => open(row, takenAt))
    },

    /**
     * Writes down what became of claimed deliveries. One that another worker has claimed since is left as it is, but
     * its attempt was made and is told of; once, though it is written again when the answer to the first time was lost.
     */
    async record(all: Recorded[]): Promise<void> {
      const column = (read: (row: Recorded) => string | number | boolean | null) =>
        all.map((row) => {
          const value = read(row)
          return value === null ? null : String(value)
        })
      await db`
        with outcome as materialized (
          select o.tenant_id, o.id, o.claim_id::uuid, o.state, o.wait::float8, o.is_gone::boolean, o.at::timestamptz, o.ms::int,
            o.status::int, o.error, o.detail, o.excerpt
          from unnest(
            ${column(({ delivery }) => delivery.tenantId)}::text[], ${column(({ delivery }) => delivery.id)}::text[],
            ${column(({ delivery }) => delivery.claimId)}::text[], ${column(({ state }) => state)}::text[],
            ${column(({ wait }) => wait)}::text[], ${column(({ isGone }) => isGone)}::text[],
            ${column(({ attempt }) => attempt?.at.toISOString() ?? null)}::text[], ${column(({ attempt }) => attempt?.ms ?? null)}::text[],
            ${column(({ attempt }) => attempt?.status ?? null)}::text[], ${column(({ attempt }) => attempt?.error ?? null)}::text[],
            ${column(({ attempt }) => attempt?.detail ?? null)}::text[], ${column(({ attempt }) => attempt?.excerpt ?? null)}::text[]
          ) as o (tenant_id, id, claim_id, state, wait, is_gone, at, ms, status, error, detail, excerpt)),
        attempted as (
          insert into delivery_attempts (tenant_id, delivery_id, at, ms, status, error, detail, excerpt)
          select tenant_id, id, at, ms, status, error, detail, excerpt from outcome o where at is not null and not exists (
            select from delivery_attempts a where a.tenant_id = o.tenant_id and a.delivery_id = o.id and a.at = o.at)),
        ended as (
          update deliveries d set state = o.state, due_at = now() + o.wait * interval '1 second', claim_id = null,
            attempts = d.attempts + case when o.at is null then 0 else 1 end,
            ended_at = case when o.state in ('delivered', 'failed') then now() end
          from outcome o where d.tenant_id = o.tenant_id and d.id = o.id and d.claim_id = o.claim_id
          returning d.tenant_id, d.callback_id, o.is_gone, o.at)
        update callbacks c set ended_at = now() from ended e
        where e.is_gone and c.tenant_id = e.tenant_id and c.id = e.callback_id and c.ended_at is null
          -- It may have been registered anew while the request was under way.
          and c.registered_at <= e.at`
    },

    /** How these receivers do; one that is well has no state. */
    receiverStates: (receivers: Receiver[]) => db<ReceiverState[]>`
      select r.tenant_id, r.origin, r.failures, ${isBlocked} as is_blocked from receivers r
      where (r.tenant_id, r.origin) in (select * from ${table(receivers)})`,

    /**
     * Receivers that have deliveries held and could get one now, the blocked ones as a probe. They are found by jumping
     * from one to the next, however many each has, and told in no order, so that none is always last.
     */
    withHeld: () => db<ReceiverState[]>`
      with recursive receiver as (
        (select tenant_id, origin from deliveries where state = 'held' order by tenant_id, origin limit 1)
        union all
        select next.* from receiver r cross join lateral (
          select d.tenant_id, d.origin from deliveries d
          where d.state = 'held' and (d.tenant_id, d.origin) > (r.tenant_id, r.origin)
          order by d.tenant_id, d.origin limit 1) next)
      select h.tenant_id, h.origin, coalesce(r.failures, 0) as failures, r.open_until is not null as is_blocked
      from receiver h left join receivers r on r.tenant_id = h.tenant_id and r.origin = h.origin
      where r.paused_at is null and (r.open_until is null or r.open_until <= now())
      order by random() limit ${LOOKED_UP_AT_ONCE}`,

    /** How a receiver does, by the database's clock; nobody else can change it until the transaction ends. */
    async lockReceiver({ tenantId, origin }: Receiver): Promise<Health & { isPaused: boolean; now: Date }> {
      const [row] = await db<(Health & { isPaused: boolean; now: Date })[]>`
        insert into receivers as r (tenant_id, origin) values (${tenantId}, ${origin})
        on conflict (tenant_id, origin) do update set failures = r.failures
        returning failures, open_until, closed_for, paused_at is not null as is_paused, clock_timestamp() as now`
      return row!
    },

    async setHealth({ tenantId, origin }: Receiver, { failures, openUntil, closedFor }: Health): Promise<void> {
      await db`
        insert into receivers (tenant_id, origin, failures, open_until, closed_for)
        values (${tenantId}, ${origin}, ${failures}, ${openUntil}, ${closedFor})
        on conflict (tenant_id, origin) do update
          set failures = excluded.failures, open_until = excluded.open_until, closed_for = excluded.closed_for`
    },

    /** Forgets all failures of a receiver; tells whether it is paused all the same. */
    async setWell({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        with well as (delete from receivers where tenant_id = ${tenantId} and origin = ${origin} and paused_at is null)
        update receivers set failures = 0, open_until = null, closed_for = 0
        where tenant_id = ${tenantId} and origin = ${origin} and paused_at is not null returning 1`
      return rows.length > 0
    },

    /**
     * Whether this worker may send the one request that shows if a receiver is back: others are kept off for the length
     * of a lease, so that a probe which died with its worker is followed by another.
     */
    async takeProbe({ tenantId, origin }: Receiver, leaseSeconds: number): Promise<boolean> {
      const rows = await db`
        update receivers set open_until = now() + ${leaseSeconds}::float8 * interval '1 second'
        where tenant_id = ${tenantId} and origin = ${origin} and open_until <= now() and paused_at is null
        returning 1`
      return rows.length > 0
    },

    /** Seconds that the oldest delivery has been due for; 0 where none is. */
    async queueAge(): Promise<number> {
      const [row] = await db<{ age: number }[]>`
        select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as age
        from (select due_at from deliveries where state = 'waiting' and due_at <= now() order by due_at limit 1) oldest`
      return row?.age ?? 0
    },
  }
}

function unsealed(
  keyring: Keyring,
  { tenantId, id, orderId, url, body, secrets }: Pick<Row, 'tenantId' | 'id' | 'orderId' | 'url' | 'body' | 'secrets'>,
): Claimed['sent'] {
  if (body === null) return null
  try {
    return {
      body: Buffer.from(keyring.open(body, deliveryContext({ tenantId, id }))),
      callback: JSON.parse(keyring.open(secrets, callbackContext({ tenantId, orderId, url }))) as Callback,
    }
  } catch {
    return null
  }
}
