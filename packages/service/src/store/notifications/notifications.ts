import { randomUUID } from 'node:crypto'
import type { MESSAGE_STATES, RESENDABLE_STATES, UNSENT_STATES, WAIT_REASONS } from '@order-testing/contract'
import { idFloor } from '../../domain/ids.ts'
import type { Channel, PlannedNotification } from '../../domain/notifications/plan.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { COUNTED, pageOf, type BoundedPage, type Filter, type PageRequest } from '../db/page.ts'
import { andEqual, sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { hashAddress } from './suppressions.ts'

export type NotificationState = (typeof MESSAGE_STATES)[number]
type UnsentState = (typeof UNSENT_STATES)[number]
type ResendableState = (typeof RESENDABLE_STATES)[number]
type WaitReason = (typeof WAIT_REASONS)[number]

export interface NewNotification extends PlannedNotification {
  tenantId: string
  id: string
  orderId: string
  /** The token that created the order; null if a later change caused the notification. */
  tokenId: string | null
  createdAt: Date
}

export interface NotificationRow extends Omit<NewNotification, 'clinicId'> {
  clinicId: string | null
  state: NotificationState
  /** Why it waits, if not just for its due time. */
  reason: WaitReason | null
  attempts: number
  /** How many addresses got a copy. */
  copies: number
  endedAt: Date | null
}

export interface ClaimedNotification extends Pick<
  NotificationRow,
  'tenantId' | 'id' | 'orderId' | 'kind' | 'refersTo' | 'clinicId' | 'attempts' | 'tokenId'
> {
  tries: number
  claimId: string
  /** Whether it has been counted against the quota, or released by an operator. */
  isReleased: boolean
  /** By the database's clock. */
  now: Date
}

export interface NotificationAttempt {
  number: number
  at: Date
  durationMs: number
  outcome: string
  detail: string | null
}

type NotificationFilter = Filter<'tokenId' | 'orderId' | 'endedFrom'> &
  Filter<'state', NotificationState> &
  Filter<'reason', WaitReason> &
  Filter<'channel', Channel>

/** A notification with the outcome of its last attempt. */
export interface NotificationWithOutcome extends NotificationRow {
  outcome: string | null
}

export interface NotificationQueue {
  channel: Channel
  waiting: number
  due: number
  /** How many of those wait because of their token's quota. */
  overQuota: number
  /** How long the first has been due, in seconds; 0 if none is. */
  age: number
}

/** How an attempt ended, and what follows from it. */
export interface NotificationOutcome {
  state: Exclude<NotificationState, 'sending'>
  /** With `waiting`: the delay before the next attempt. */
  retryInMs?: number | undefined
  attempt?: Omit<NotificationAttempt, 'number'> | undefined
  /** How many addresses got a copy. */
  copies?: number | undefined
}

/** The rows of new notifications as part of a statement, so that they commit with the change they are about. */
export const newRows = (added: NewNotification[]): Statement => sql`
  select ${NEW_COLUMNS} from ${givenRows(added, {
    text: ['tenantId', 'id', 'orderId', 'kind', 'channel', 'tokenId', 'clinicId'],
    timestamptz: ['refersTo', 'dueAt', 'createdAt'],
  })}`

/** The columns of `newRows`. */
export const NEW_COLUMNS = sql`tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at, token_id, clinic_id`

export const COLUMNS = sql`${NEW_COLUMNS}, state, reason, attempts, copies, ended_at`

/** The number of the attempt row that holds what came back. */
export const BOUNCE_NUMBER = 0

const COUNTED_FOR_MS = 90 * 86_400_000

export const notifications = (db: Db, keyring: Keyring) => ({
  async queue(added: NewNotification[]): Promise<void> {
    if (added.length === 0) return
    await db`
      insert into notifications (${NEW_COLUMNS})
      select added.* from (${newRows(added)}) added
      -- A reminder may already be waiting, if an appointment moved away and back.
      where not exists (
        select from notifications m where m.tenant_id = added.tenant_id and m.order_id = added.order_id and m.kind = added.kind
          and m.refers_to = added.refers_to and m.due_at = added.due_at and m.state = 'waiting')`
  },

  /** Claims what is due with a lease: no other worker sends it meanwhile. */
  claim: (channel: Channel, most: number, leaseSeconds: number) => db<ClaimedNotification[]>`
    with due as (
      select tenant_id, id, now() as now from notifications
      where state = 'waiting' and channel = ${channel} and due_at <= now()
      order by due_at limit ${most} for update skip locked)
    update notifications m set state = 'sending', attempts = attempts + 1, tries = tries + 1, claim_id = ${randomUUID()},
      reason = null, left_at = null, lease_until = now() + make_interval(secs => ${leaseSeconds})
    from due where m.tenant_id = due.tenant_id and m.id = due.id
    returning m.tenant_id, m.id, m.order_id, m.kind, m.refers_to, m.clinic_id, m.attempts, m.tries, m.claim_id,
      m.token_id, m.is_released, due.now`,

  /** Records that the notification is about to leave; from then on it may arrive. */
  async markLeft(
    { tenantId, id, claimId }: ClaimedNotification,
    sentTo: { channel: Channel; address: string },
  ): Promise<void> {
    const key = hashAddress(keyring, { tenantId, channel: sentTo.channel }, sentTo.address)
    const count = await db.count`
      update notifications set left_at = now(), address_key = ${key}::bigint
      where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId}`
    if (count === 0) throw new Error('This worker no longer holds the claim on the notification.')
  },

  /** Retries what had not left when its worker died. The rest may have arrived: it becomes uncertain. */
  async releaseExpiredClaims(): Promise<void> {
    const found = await db<{ tenantId: string; id: string; attempts: number; claimId: string }[]>`
      select tenant_id, id, attempts, claim_id from notifications where state = 'sending' and lease_until < now()`
    if (found.length === 0) return
    const given = found.map((row) => ({ ...row, answer: sealDetail(keyring, row, LOST) }))
    await db`
      with lost as (
        update notifications m set claim_id = null, lease_until = null,
          state = case when left_at is null then 'waiting' else 'uncertain' end,
          ended_at = case when left_at is null then null else clock.now end
        from (select now() as now) clock, ${givenRows(given, { text: ['tenantId', 'id'], uuid: ['claimId'], bytea: ['answer'] })}
        where m.tenant_id = given.tenant_id and m.id = given.id and m.claim_id = given.claim_id
          and m.state = 'sending' and m.lease_until < now()
        returning m.tenant_id, m.id, m.attempts, m.state, given.answer)
      insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
      select tenant_id, id, attempts, now(), 0, case when state = 'waiting' then 'notReady' else 'unknown' end, answer
      from lost on conflict do nothing`
  },

  /** Does nothing if the claim was lost. */
  async record(claimed: ClaimedNotification, outcome: NotificationOutcome): Promise<void> {
    const { tenantId, id, attempts, claimId } = claimed
    const { state, retryInMs = 0, attempt, copies = 0 } = outcome
    await db`
      with ended as (
        update notifications set state = ${state}, claim_id = null, lease_until = null, copies = ${copies}::int,
          due_at = case when ${state} = 'waiting' then now() + make_interval(secs => ${retryInMs / 1000}) else due_at end,
          ended_at = case when ${state} = 'waiting' then null else now() end
        where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning id)
      insert into notification_attempts (tenant_id, notification_id, number, at, duration_ms, outcome, answer)
      select ${tenantId}, ${id}, ${attempts}, ${attempt?.at ?? null}::timestamptz, ${attempt?.durationMs ?? 0}::int,
        ${attempt?.outcome ?? ''}, ${sealDetail(keyring, claimed, attempt?.detail ?? null)}::bytea
      from ended where ${attempt !== undefined}`
  },

  page: (tenantId: string, filter: NotificationFilter & PageRequest): Promise<BoundedPage<NotificationRow>> =>
    pageOf<NotificationRow>(db, filter, {
      from: sql`from notifications where tenant_id = ${tenantId} ${matching(filter)}`,
      order: sql`id desc`,
      pick: COLUMNS,
      counted: COUNTED,
    }),

  read: (tenantId: string, id: string) => db.first<NotificationRow>`
      select ${COLUMNS} from notifications where tenant_id = ${tenantId} and id = ${id}`,

  async attempts(tenantId: string, id: string): Promise<NotificationAttempt[]> {
    const rows = await db<(NotificationAttempt & { answer: Buffer | null })[]>`
      select number, at, duration_ms, outcome, answer, detail from notification_attempts
      where tenant_id = ${tenantId} and notification_id = ${id} and number > ${BOUNCE_NUMBER} order by number`
    return rows.map(({ answer, ...row }) => {
      const key = { tenantId, notificationId: id, number: row.number }
      return answer ? { ...row, detail: keyring.open(answer, notificationAttemptContext(key)) } : row
    })
  },

  /** Queues a notification again if it has ended or waits for the quota; false if neither. */
  async resend(tenantId: string, id: string): Promise<boolean> {
    const count = await db.count`
      update notifications set ${queuedAgain()}
      where tenant_id = ${tenantId} and id = ${id}
        and (state in ('failed', 'uncertain', 'sent', 'dropped', 'suppressed', 'bounced') or reason = 'quota')`
    return count > 0
  },

  /**
   * Queues many again, newest first, from below an id, so that one that fails again is not picked twice. Of those waiting,
   * only the ones that wait for the quota.
   */
  resendMany: (
    tenantId: string,
    filter: NotificationFilter & { state: ResendableState },
    { before, most }: { before: string | null; most: number },
  ) => db.values`
      with picked as materialized (
        select tenant_id, id from notifications where tenant_id = ${tenantId} ${matching(filter)}
          ${filter.state === 'waiting' ? sql`and reason = 'quota'` : sql``}
          ${before === null ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${most} for update),
      resent as (
        update notifications m set ${queuedAgain()}
        from picked where m.tenant_id = picked.tenant_id and m.id = picked.id returning m.id)
      select id from resent order by id desc`,

  /** The latest notifications of an order. */
  ofOrder: (tenantId: string, orderId: string, most: number) => db<NotificationWithOutcome[]>`
    select ${COLUMNS}, last.outcome from notifications m
    left join lateral (
      select a.outcome from notification_attempts a where a.tenant_id = m.tenant_id and a.notification_id = m.id
        and a.number > ${BOUNCE_NUMBER}
      order by a.number desc limit 1) last on true
    where m.tenant_id = ${tenantId} and m.order_id = ${orderId} order by m.id desc limit ${most}`,

  /** What waits, by channel. Counts the first due first, in the order of the index. */
  queues: (channels: readonly Channel[]) => db<NotificationQueue[]>`
    select asked.channel, waits.* from unnest(${channels}::text[]) asked (channel) cross join lateral (
      select count(*)::int as waiting, count(*) filter (where due_at <= now())::int as due,
        count(*) filter (where reason = 'quota')::int as over_quota,
        greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as age
      from (
        select due_at, reason from notifications where state = 'waiting' and channel = asked.channel
        order by due_at limit ${COUNTED}) first) waits`,

  /** How many of the last 90 days ended in each of these states, over all tenants. Ids sort by time. */
  countEnded: (states: readonly UnsentState[]) => db<{ state: UnsentState; total: number }[]>`
    select asked.state, ended.total from unnest(${states}::text[]) asked (state) cross join lateral (
      select count(*)::int as total from (
        select from tenants t cross join lateral (
          select from notifications m where m.tenant_id = t.id and m.state = asked.state
            and m.id >= ${idFloor('msg', new Date(Date.now() - COUNTED_FOR_MS))} limit ${COUNTED}) m
        limit ${COUNTED}) counted) ended`,
})

const LOST = 'The worker ended before the attempt did.'

interface AttemptKey {
  tenantId: string
  notificationId: string
  number: number
}

/** A server's answer is sealed, because it may name the recipient. */
export const sealDetail = (
  keyring: Keyring,
  { tenantId, id, attempts }: Pick<ClaimedNotification, 'tenantId' | 'id' | 'attempts'>,
  detail: string | null,
) =>
  detail === null
    ? null
    : keyring.seal(detail, notificationAttemptContext({ tenantId, notificationId: id, number: attempts }))

export const notificationAttemptContext = ({ tenantId, notificationId, number }: AttemptKey) =>
  `message attempt ${tenantId} ${notificationId} ${number}`

const matching = ({ state, reason, tokenId, orderId, channel, endedFrom }: NotificationFilter): Statement => sql`
  ${andEqual({ state, reason, tokenId, orderId, channel })}
  ${endedFrom === undefined ? sql`` : sql`and ended_at >= ${endedFrom}`}`

/** Resets a notification but for its recorded attempts. Operators are not bound by the quota. */
const queuedAgain = (): Statement => sql`
  state = 'waiting', reason = null, is_released = true, due_at = now(), ended_at = null, tries = 0`
