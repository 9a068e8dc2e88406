import type { MESSAGE_STATES, RESENDABLE_STATES, UNSENT_STATES, WAIT_REASONS } from '@order-testing/contract'
import { idFloor } from '../../domain/ids.ts'
import type { Channel, MessageKind, PlannedMessage } from '../../domain/notifications/plan.ts'
import type { Db } from '../db/db.ts'
import { identifiers, sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'

export type MessageState = (typeof MESSAGE_STATES)[number]
type UnsentState = (typeof UNSENT_STATES)[number]
type ResendableState = (typeof RESENDABLE_STATES)[number]
type WaitReason = (typeof WAIT_REASONS)[number]

export interface NewMessage extends PlannedMessage {
  tenantId: string
  id: string
  orderId: string
  /** The token whose create caused it; null for what later changes of the order call for. */
  tokenId: string | null
  createdAt: Date
}

export interface MessageRow extends NewMessage {
  state: MessageState
  /** Why it waits, where its time alone does not say. */
  reason: WaitReason | null
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
  tokenId: string | null
  /** Whether it has been counted, or let through by an operator. */
  isReleased: boolean
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
  reason?: WaitReason | undefined
  tokenId?: string | undefined
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
  /** Of those that wait, how many have to because of their token's quota. */
  overQuota: number
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
      given.created_at::timestamptz, given.token_id
    from unnest(
      ${column(({ tenantId }) => tenantId)}::text[],
      ${column(({ id }) => id)}::text[],
      ${column(({ orderId }) => orderId)}::text[],
      ${column(({ kind }) => kind)}::text[],
      ${column(({ channel }) => channel)}::text[],
      ${column(({ refersTo }) => refersTo)}::text[],
      ${column(({ dueAt }) => dueAt)}::text[],
      ${column(({ createdAt }) => createdAt)}::text[],
      ${column(({ tokenId }) => tokenId)}::text[]
    ) as given (tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at, token_id)`
}

const COLUMNS = [
  'tenant_id',
  'id',
  'order_id',
  'kind',
  'channel',
  'refers_to',
  'token_id',
  'state',
  'reason',
  'due_at',
  'attempts',
  'created_at',
  'ended_at',
]

/** What is asked for again and again is counted no further. */
const COUNTED = 100_000
const COUNTED_FOR_MS = 90 * 86_400_000

/** What people are told, and what became of it. */
export const messages = (db: Db, keyring: Keyring) => ({
  async queue(added: NewMessage[]): Promise<void> {
    if (added.length === 0) return
    await db`
      insert into notifications (tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at, token_id)
      select added.* from (${queueing(added)}) added
      -- A reminder may be waiting already, of a time that was left and is chosen again.
      where not exists (
        select from notifications m where m.tenant_id = added.tenant_id and m.order_id = added.order_id and m.kind = added.kind
          and m.refers_to = added.refers_to and m.due_at = added.due_at and m.state = 'waiting')`
  },

  /** Takes what is due, for as long as sending may take: nobody else will send it, not even when the worker dies. */
  claim: (channel: Channel, most: number, leaseSeconds: number) => db<ClaimedMessage[]>`
    with due as (
      select tenant_id, id from notifications where state = 'waiting' and channel = ${channel} and due_at <= now()
      order by due_at limit ${most} for update skip locked)
    update notifications m set state = 'sending', attempts = attempts + 1, tries = tries + 1, claim_id = gen_random_uuid(),
      reason = null, left_at = null, lease_until = now() + make_interval(secs => ${leaseSeconds})
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.order_id, m.kind, m.refers_to, m.attempts, m.tries, m.claim_id,
      m.token_id, m.is_released, now() as now`,

  /** Notes that the message is about to leave; from then on it may arrive. */
  async letGo({ tenantId, id, claimId }: ClaimedMessage): Promise<void> {
    const rows = await db`
      update notifications set left_at = now()
      where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning id`
    if (rows.length === 0) throw new Error('The message is no longer this worker’s to send.')
  },

  /** What had not left when its worker died is sent by another. What had may have arrived: an operator has to decide. */
  async giveUpLost(): Promise<void> {
    const found = await db<{ tenantId: string; id: string; attempts: number; claimId: string }[]>`
      select tenant_id, id, attempts, claim_id from notifications where state = 'sending' and lease_until < now()`
    if (found.length === 0) return
    const column = columnsOf(found)
    await db`
      with given as (
        select * from unnest(${column(({ tenantId }) => tenantId)}::text[], ${column(({ id }) => id)}::text[],
          ${column(({ claimId }) => claimId)}::uuid[],
          ${column(({ tenantId, id, attempts }) => sealDetail(keyring, { tenantId, notificationId: id, number: attempts }, LOST))}::text[]
        ) as given (tenant_id, id, claim_id, answer)),
      lost as (
        update notifications m set claim_id = null, lease_until = null,
          state = case when left_at is null then 'waiting' else 'uncertain' end,
          ended_at = case when left_at is null then null else now() end
        from given g where m.tenant_id = g.tenant_id and m.id = g.id and m.claim_id = g.claim_id
          and m.state = 'sending' and m.lease_until < now()
        returning m.tenant_id, m.id, m.attempts, m.state, g.answer)
      insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
      select tenant_id, id, attempts, now(), 0, case when state = 'waiting' then 'notReady' else 'unknown' end,
        decode(answer, 'hex')
      from lost on conflict do nothing`
  },

  /** Does nothing where the claim has been lost meanwhile. */
  async record({ tenantId, id, attempts, claimId }: ClaimedMessage, outcome: MessageOutcome): Promise<void> {
    const { state, retryInMs = 0, attempt } = outcome
    await db`
      with ended as (
        update notifications set state = ${state}, claim_id = null, lease_until = null,
          due_at = case when ${state} = 'waiting' then now() + make_interval(secs => ${retryInMs / 1000}) else due_at end,
          ended_at = case when ${state} = 'waiting' then null else now() end
        where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning id)
      insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
      select ${tenantId}, ${id}, ${attempts}, ${attempt?.at ?? null}::timestamptz, ${attempt?.durationMs ?? 0}::int,
        ${attempt?.outcome ?? ''}, ${sealDetail(keyring, { tenantId, notificationId: id, number: attempts }, attempt?.detail ?? null)}::bytea
      from ended where ${attempt !== undefined}`
  },

  page: (tenantId: string, { limit, page, ...filter }: MessageFilter & PageRequest): Promise<Page<MessageRow>> =>
    pageOf<MessageRow>(
      db,
      { limit, page },
      {
        from: sql`from notifications where tenant_id = ${tenantId} ${matching(filter)}`,
        order: sql`id desc`,
        pick: sql`${identifiers(...COLUMNS)}`,
      },
    ),

  async read(tenantId: string, id: string): Promise<MessageRow | undefined> {
    const [row] = await db<MessageRow[]>`
      select ${identifiers(...COLUMNS)} from notifications where tenant_id = ${tenantId} and id = ${id}`
    return row
  },

  async attempts(tenantId: string, id: string): Promise<MessageAttempt[]> {
    const rows = await db<(MessageAttempt & { answer: Buffer | null })[]>`
      select number, at, duration_ms, outcome, answer, detail from notification_attempts
      where tenant_id = ${tenantId} and notification_id = ${id} order by number`
    return rows.map(({ answer, ...row }) => {
      if (!answer) return row
      const { number } = row
      return { ...row, detail: keyring.open(answer, messageAttemptContext({ tenantId, notificationId: id, number })) }
    })
  },

  /** Sends once more what has ended, or now what the quota holds back; false for any other message. */
  async resend(tenantId: string, id: string): Promise<boolean> {
    const rows = await db`
      update notifications set ${afresh()}
      where tenant_id = ${tenantId} and id = ${id}
        and (state in ('failed', 'uncertain', 'sent', 'dropped') or reason = 'quota') returning id`
    return rows.length > 0
  },

  /**
   * The same for many, newest first, from below an id: one that fails anew meanwhile is not met again. Of those that wait,
   * only what the quota holds back.
   */
  async resendMany(
    tenantId: string,
    filter: MessageFilter & { state: ResendableState },
    { before, most }: { before: string | null; most: number },
  ): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      with picked as materialized (
        select tenant_id, id from notifications where tenant_id = ${tenantId} ${matching(filter)}
          ${filter.state === 'waiting' ? sql`and reason = 'quota'` : sql``}
          ${before === null ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${most} for update),
      resent as (
        update notifications m set ${afresh()}
        from picked where m.tenant_id = picked.tenant_id and m.id = picked.id returning m.id)
      select id from resent order by id desc`
    return rows.map(({ id }) => id)
  },

  /** What people were told of an order, the last of it. */
  ofOrder: (tenantId: string, orderId: string, most: number) => db<ToldMessage[]>`
    select ${identifiers(...COLUMNS.map((column) => `m.${column}`))}, last.outcome from notifications m
    left join lateral (
      select a.outcome from notification_attempts a where a.tenant_id = m.tenant_id and a.notification_id = m.id
      order by a.number desc limit 1) last on true
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} order by m.id desc limit ${most}`,

  /** What waits, by channel. Its index has the first due first, so that those come to be counted before the others. */
  queues: (channels: readonly Channel[]) => db<MessageQueue[]>`
    select asked.channel, waits.* from unnest(${channels}::text[]) asked (channel) cross join lateral (
      select count(*)::int as waiting, count(*) filter (where due_at <= now())::int as due,
        count(*) filter (where reason = 'quota')::int as over_quota,
        greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as age
      from (
        select due_at, reason from notifications where state = 'waiting' and channel = asked.channel
        order by due_at limit ${COUNTED}) first) waits`,

  /** How many of the last 90 days have ended in each of these states, of all tenants. Ids sort by time. */
  ended: (states: readonly UnsentState[]) => db<{ state: UnsentState; total: number }[]>`
    select asked.state, ended.total from unnest(${states}::text[]) asked (state) cross join lateral (
      select count(*)::int as total from (
        select from tenants t cross join lateral (
          select from notifications m where m.tenant_id = t.id and m.state = asked.state
            and m.id >= ${idFloor('msg', new Date(Date.now() - COUNTED_FOR_MS))} limit ${COUNTED}) m
        limit ${COUNTED}) counted) ended`,
})

const LOST = 'The worker ended meanwhile.'

interface AttemptKey {
  tenantId: string
  notificationId: string
  number: number
}

/** What a server said of a message is sealed: it may tell whom it was for. */
const sealDetail = (keyring: Keyring, key: AttemptKey, detail: string | null) =>
  detail === null ? null : keyring.seal(detail, messageAttemptContext(key))

export const messageAttemptContext = ({ tenantId, notificationId, number }: AttemptKey) =>
  `message attempt ${tenantId} ${notificationId} ${number}`

const matching = ({ state, reason, tokenId, orderId, channel, endedFrom }: MessageFilter): Statement => sql`
  ${state === undefined ? sql`` : sql`and state = ${state}`}
  ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
  ${tokenId === undefined ? sql`` : sql`and token_id = ${tokenId}`}
  ${orderId === undefined ? sql`` : sql`and order_id = ${orderId}`}
  ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
  ${endedFrom === undefined ? sql`` : sql`and ended_at >= ${endedFrom}`}`

/** As if it were new, but for the attempts on record. An operator's word is enough to pass the quota. */
const afresh = (): Statement => sql`
  state = 'waiting', reason = null, is_released = true, due_at = now(), ended_at = null, tries = 0`
