import type { MESSAGE_STATES, UNSENT_STATES } from '@order-testing/contract'
import { idFloor } from '../domain/ids.ts'
import type { Channel, MessageKind, PlannedMessage } from '../domain/messages.ts'
import type { Db } from './db/pool.ts'
import { identifiers, sql, type Statement } from './db/sql.ts'
import { columnsOf } from './lists.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

export type MessageState = (typeof MESSAGE_STATES)[number]
type UnsentState = (typeof UNSENT_STATES)[number]

export interface NewMessage extends PlannedMessage {
  tenantId: string
  id: string
  orderId: string
  createdAt: Date
}

export interface MessageRow extends NewMessage {
  state: MessageState
  attempts: number
  endedAt: Date | null
}

export interface ClaimedMessage {
  tenantId: string
  id: string
  orderId: string
  kind: MessageKind
  refersTo: Date | null
  attempts: number
  tries: number
  claimId: string
  /** By the database's clock. */
  now: Date
}

export interface MessageAttempt {
  number: number
  at: Date
  durationMs: number
  outcome: string
  detail: string | null
}

export interface MessageFilter {
  state?: MessageState | undefined
  orderId?: string | undefined
  channel?: Channel | undefined
  endedFrom?: string | undefined
}

/** A message, and what came of it the last time. */
export interface ToldMessage extends MessageRow {
  outcome: string | null
}

/** What waits to be sent over a channel. */
export interface MessageQueue {
  channel: Channel
  waiting: number
  due: number
  /** How long the first has been due, in seconds; 0 where none is. */
  age: number
}

/** How an attempt to send a message ended, and what follows. */
export interface MessageOutcome {
  state: Exclude<MessageState, 'sending'>
  /** With `waiting`: how long until the next attempt. */
  retryInMs?: number | undefined
  attempt?: Omit<MessageAttempt, 'number'> | undefined
}

/** New messages as a part of a statement, so that they are queued with what they tell of. */
export function queueing(added: NewMessage[]): Statement {
  const column = columnsOf(added)
  return sql`
    select given.tenant_id, given.id, given.order_id, kind, channel, refers_to::timestamptz, due_at::timestamptz,
      given.created_at::timestamptz
    from unnest(
      ${column(({ tenantId }) => tenantId)}::text[],
      ${column(({ id }) => id)}::text[],
      ${column(({ orderId }) => orderId)}::text[],
      ${column(({ kind }) => kind)}::text[],
      ${column(({ channel }) => channel)}::text[],
      ${column(({ refersTo }) => refersTo)}::text[],
      ${column(({ dueAt }) => dueAt)}::text[],
      ${column(({ createdAt }) => createdAt)}::text[]
    ) as given (tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at)`
}

const COLUMNS = [
  'tenant_id',
  'id',
  'order_id',
  'kind',
  'channel',
  'refers_to',
  'state',
  'due_at',
  'attempts',
  'created_at',
  'ended_at',
]

/** What is asked for again and again is counted no further. */
const COUNTED = 100_000
const COUNTED_FOR_MS = 90 * 86_400_000

/** What people are told, and what became of it. */
export const messages = (db: Db) => ({
  async queue(added: NewMessage[]): Promise<void> {
    if (added.length === 0) return
    await db`
      insert into messages (tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at)
      select added.* from (${queueing(added)}) added
      -- A reminder may be waiting already, of a time that was left and is chosen again.
      where not exists (
        select from messages m where m.tenant_id = added.tenant_id and m.order_id = added.order_id and m.kind = added.kind
          and m.refers_to = added.refers_to and m.due_at = added.due_at and m.state = 'waiting')`
  },

  /** Takes what is due, for as long as sending may take: nobody else will send it, not even when the worker dies. */
  claim: (channel: Channel, most: number, leaseSeconds: number) => db<ClaimedMessage[]>`
    with due as (
      select tenant_id, id from messages where state = 'waiting' and channel = ${channel} and due_at <= now()
      order by due_at limit ${most} for update skip locked)
    update messages m set state = 'sending', attempts = attempts + 1, tries = tries + 1, claim_id = gen_random_uuid(),
      left_at = null, lease_until = now() + make_interval(secs => ${leaseSeconds})
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.order_id, m.kind, m.refers_to, m.attempts, m.tries, m.claim_id, now() as now`,

  /** Notes that the message is about to leave; from then on it may arrive. */
  async letGo({ tenantId, id, claimId }: ClaimedMessage): Promise<void> {
    const rows = await db`
      update messages set left_at = now()
      where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning id`
    if (rows.length === 0) throw new Error('The message is no longer this worker’s to send.')
  },

  /** What had not left when its worker died is sent by another. What had may have arrived: an operator has to decide. */
  async giveUpLost(): Promise<void> {
    await db`
      with lost as (
        update messages set claim_id = null, lease_until = null,
          state = case when left_at is null then 'waiting' else 'uncertain' end,
          ended_at = case when left_at is null then null else now() end
        where state = 'sending' and lease_until < now() returning tenant_id, id, attempts, state)
      insert into message_attempts (tenant_id, message_id, number, at, duration_ms, outcome, detail)
      select tenant_id, id, attempts, now(), 0, case when state = 'waiting' then 'notReady' else 'unknown' end,
        'The worker ended meanwhile.'
      from lost on conflict do nothing`
  },

  /** Does nothing where the claim has been lost meanwhile. */
  async record({ tenantId, id, attempts, claimId }: ClaimedMessage, outcome: MessageOutcome): Promise<void> {
    const { state, retryInMs = 0, attempt } = outcome
    await db`
      with ended as (
        update messages set state = ${state}, claim_id = null, lease_until = null,
          due_at = case when ${state} = 'waiting' then now() + make_interval(secs => ${retryInMs / 1000}) else due_at end,
          ended_at = case when ${state} = 'waiting' then null else now() end
        where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning id)
      insert into message_attempts (tenant_id, message_id, number, at, duration_ms, outcome, detail)
      select ${tenantId}, ${id}, ${attempts}, ${attempt?.at ?? null}::timestamptz, ${attempt?.durationMs ?? 0}::int,
        ${attempt?.outcome ?? ''}, ${attempt?.detail ?? null}
      from ended where ${attempt !== undefined}`
  },

  page: (tenantId: string, { limit, page, ...filter }: MessageFilter & PageRequest): Promise<Page<MessageRow>> =>
    pageOf<MessageRow>(
      db,
      { limit, page },
      {
        from: sql`from messages where tenant_id = ${tenantId} ${matching(filter)}`,
        order: sql`id desc`,
        pick: sql`${identifiers(...COLUMNS)}`,
      },
    ),

  async read(tenantId: string, id: string): Promise<MessageRow | undefined> {
    const [row] = await db<MessageRow[]>`
      select ${identifiers(...COLUMNS)} from messages where tenant_id = ${tenantId} and id = ${id}`
    return row
  },

  attempts: (tenantId: string, id: string) => db<MessageAttempt[]>`
    select number, at, duration_ms, outcome, detail from message_attempts
    where tenant_id = ${tenantId} and message_id = ${id} order by number`,

  /** Sends once more what has ended without arriving for sure; false where it has not ended so. */
  async resend(tenantId: string, id: string): Promise<boolean> {
    const rows = await db`
      update messages set ${afresh()}
      where tenant_id = ${tenantId} and id = ${id} and state in ('failed', 'uncertain', 'sent', 'dropped') returning id`
    return rows.length > 0
  },

  /** The same for many that ended so, newest first, from below an id: one that fails anew meanwhile is not met again. */
  async resendMany(
    tenantId: string,
    filter: MessageFilter & { state: UnsentState },
    { before, most }: { before: string | null; most: number },
  ): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      with picked as materialized (
        select tenant_id, id from messages where tenant_id = ${tenantId} ${matching(filter)}
          ${before === null ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${most} for update),
      resent as (
        update messages m set ${afresh()}
        from picked where m.tenant_id = picked.tenant_id and m.id = picked.id returning m.id)
      select id from resent order by id desc`
    return rows.map(({ id }) => id)
  },

  /** What people were told of an order, the last of it. */
  ofOrder: (tenantId: string, orderId: string, most: number) => db<ToldMessage[]>`
    select ${identifiers(...COLUMNS.map((column) => `m.${column}`))}, last.outcome from messages m
    left join lateral (
      select a.outcome from message_attempts a where a.tenant_id = m.tenant_id and a.message_id = m.id
      order by a.number desc limit 1) last on true
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} order by m.id desc limit ${most}`,

  /** What waits, by channel. Its index has the first due first, so that those come to be counted before the others. */
  queues: (channels: readonly Channel[]) => db<MessageQueue[]>`
    select asked.channel, waits.* from unnest(${channels}::text[]) asked (channel) cross join lateral (
      select count(*)::int as waiting, count(*) filter (where due_at <= now())::int as due,
        greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as age
      from (
        select due_at from messages where state = 'waiting' and channel = asked.channel
        order by due_at limit ${COUNTED}) first) waits`,

  /** How many of the last 90 days have ended in each of these states, of all tenants. Ids sort by time. */
  ended: (states: readonly UnsentState[]) => db<{ state: UnsentState; total: number }[]>`
    select asked.state, ended.total from unnest(${states}::text[]) asked (state) cross join lateral (
      select count(*)::int as total from (
        select from tenants t cross join lateral (
          select from messages m where m.tenant_id = t.id and m.state = asked.state
            and m.id >= ${idFloor('msg', new Date(Date.now() - COUNTED_FOR_MS))} limit ${COUNTED}) m
        limit ${COUNTED}) counted) ended`,
})

const matching = ({ state, orderId, channel, endedFrom }: MessageFilter): Statement => sql`
  ${state === undefined ? sql`` : sql`and state = ${state}`}
  ${orderId === undefined ? sql`` : sql`and order_id = ${orderId}`}
  ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
  ${endedFrom === undefined ? sql`` : sql`and ended_at >= ${endedFrom}`}`

/** As if it were new, but for the attempts on record. */
const afresh = (): Statement => sql`state = 'waiting', due_at = now(), ended_at = null, tries = 0`
