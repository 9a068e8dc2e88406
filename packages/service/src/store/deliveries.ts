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
  claimId: string
  orderId: string
  version: CallbackVersion
  /** Made so far. */
  attempts: number
  queuedAt: Date
  url: string
  /** Whether its registration has ended meanwhile. */
  isEnded: boolean
  /** What is to be sent; null where it cannot be read, for want of a key. */
  sent: { body: Buffer; callback: Pick<Callback, 'headers' | 'auth'> } | null
}

/** What an attempt, or the decision to make none, leaves of a claimed delivery. */
export interface Recorded {
  delivery: Pick<Claimed, 'tenantId' | 'id' | 'claimId'>
  state: 'waiting' | 'held' | 'delivered' | 'failed'
  /** Seconds from now until it is due again. */
  wait: number
  /** Whether the receiver has ended its registration. */
  isGone: boolean
  attempt: {
    at: Date
    ms: number
    status: number | null
    error: string | null
    detail: string | null
    excerpt: string
  } | null
}

export interface ReceiverState extends Receiver, Health {
  isPaused: boolean
}

interface Row extends Omit<Claimed, 'sent'> {
  body: Buffer | null
  secrets: Buffer
}

/** The queue: deliveries are claimed, sent with no transaction open, and recorded. */
export const deliveries = (db: Db, keyring: Keyring) => {
  const open = ({ body, secrets, ...row }: Row): Claimed => ({ ...row, sent: read(keyring, { ...row, body, secrets }) })
  const taken = (claimId: string) => db`
    taken as (
      update deliveries d set state = 'waiting', claim_id = ${claimId}, due_at = now() + ${LEASE_SECONDS} * interval '1 second'
      from due where d.tenant_id = due.tenant_id and d.id = due.id
      returning d.*)
    select t.tenant_id, t.id, t.claim_id, t.origin, t.order_id, t.version, t.attempts, t.queued_at, t.body,
      c.url, c.secrets, c.ended_at is not null as is_ended
    from taken t join callbacks c on c.tenant_id = t.tenant_id and c.id = t.callback_id`

  return {
    /** Takes deliveries that are due, oldest first, passing over what other workers are taking. */
    async claim(claimId: string, most: number): Promise<Claimed[]> {
      const rows = await db<Row[]>`
        with due as (
          select tenant_id, id from deliveries where state = 'waiting' and due_at <= now()
          order by due_at limit ${most} for update skip locked),
        ${taken(claimId)}`
      return rows.map((row) => open(row))
    },

    /** Takes deliveries that were held for a receiver. */
    async claimHeld({ tenantId, origin }: Receiver, claimId: string, most: number): Promise<Claimed[]> {
      const rows = await db<Row[]>`
        with due as (
          select tenant_id, id from deliveries where state = 'held' and tenant_id = ${tenantId} and origin = ${origin}
          order by due_at limit ${most} for update skip locked),
        ${taken(claimId)}`
      return rows.map((row) => open(row))
    },

    /**
     * Writes down what became of claimed deliveries. One that another worker has claimed since is left as it is, but
     * its attempt was made and is told of.
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
          select tenant_id, id, at, ms, status, error, detail, excerpt from outcome where at is not null),
        ended as (
          update deliveries d set state = o.state, due_at = now() + o.wait * interval '1 second', claim_id = null,
            attempts = d.attempts + case when o.at is null then 0 else 1 end,
            ended_at = case when o.state in ('delivered', 'failed') then now() end
          from outcome o where d.tenant_id = o.tenant_id and d.id = o.id and d.claim_id = o.claim_id
          returning d.tenant_id, d.callback_id, o.is_gone)
        update callbacks c set ended_at = now() from ended e
        where e.is_gone and c.tenant_id = e.tenant_id and c.id = e.callback_id and c.ended_at is null`
    },

    /** Receivers that have deliveries held: found by jumping from one to the next, however many each has. */
    withHeld: () => db<Receiver[]>`
      with recursive receiver as (
        (select tenant_id, origin from deliveries where state = 'held' order by tenant_id, origin limit 1)
        union all
        select next.* from receiver r cross join lateral (
          select d.tenant_id, d.origin from deliveries d
          where d.state = 'held' and (d.tenant_id, d.origin) > (r.tenant_id, r.origin)
          order by d.tenant_id, d.origin limit 1) next)
      select tenant_id, origin from receiver`,

    receiverStates: () => db<ReceiverState[]>`
      select tenant_id, origin, failures, open_until, closed_for, paused_at is not null as is_paused from receivers`,

    /** How a receiver does; one that is well and not paused needs no row. */
    async setHealth({ tenantId, origin }: Receiver, { failures, openUntil, closedFor }: Health): Promise<void> {
      await db`
        insert into receivers (tenant_id, origin, failures, open_until, closed_for)
        values (${tenantId}, ${origin}, ${failures}, ${openUntil}, ${closedFor})
        on conflict (tenant_id, origin) do update
          set failures = excluded.failures, open_until = excluded.open_until, closed_for = excluded.closed_for`
    },

    async setWell({ tenantId, origin }: Receiver): Promise<void> {
      await db`
        update receivers set failures = 0, open_until = null, closed_for = 0
        where tenant_id = ${tenantId} and origin = ${origin}`
      await db`delete from receivers where tenant_id = ${tenantId} and origin = ${origin} and paused_at is null and failures = 0`
    },

    /** Whether this worker may send the one request that shows if a receiver is back: others are kept off meanwhile. */
    async takeProbe({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        update receivers set open_until = now() + ${LEASE_SECONDS} * interval '1 second'
        where tenant_id = ${tenantId} and origin = ${origin} and open_until <= now() and paused_at is null
        returning origin`
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

function read(
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
