import type { readDelivery, Replayed } from '../operations/deliveries.ts'
import type { AttemptRecord, FailureReason } from '../store/deliveries.ts'
import type { DeliveryPage, DeliveryRecord, TroubledReceiver } from '../store/delivery-records.ts'
import type { PageRequest } from '../store/page.ts'
import { counted, table } from './table.ts'

/** A page of deliveries, one a line, and which part of all it is. */
export function deliveryListing({ rows, total, isMore }: DeliveryPage, { limit, page }: PageRequest): string {
  if (total === 0) return 'There are no such deliveries.'
  const all = `${isMore ? 'more than ' : ''}${counted(total, 'delivery', 'deliveries')}`
  if (rows.length === 0) return `There are ${all}, and none on page ${page}.`
  const first = (page - 1) * limit + 1
  const lines = rows.map((row) => [
    row.createdAt.toISOString(),
    row.tenantId,
    row.id,
    row.orderId,
    row.state,
    counted(row.attempts, 'attempt'),
    lastOutcome(row),
    `${row.version} ${addressOf(row)}`,
  ])
  return `${table(lines)}\n\n${first} to ${first + rows.length - 1} of ${all}, newest first.`
}

/** All about one delivery. */
export function deliverySheet({ delivery, attempts }: Awaited<ReturnType<typeof readDelivery>>): string {
  const facts = table([
    ['Delivery', delivery.id],
    ['Tenant', delivery.tenantId],
    ['Order', delivery.orderId],
    ['Event', `${delivery.eventId}, created ${delivery.createdAt.toISOString()}`],
    ['Callback', `${addressOf(delivery)} (${delivery.version})`],
    ['State', stateOf(delivery)],
  ])
  if (attempts.length === 0) return `${facts}\n\nNo attempt is on record.`
  const log = table(attempts.map((attempt) => [attempt.at.toISOString(), `${attempt.ms} ms`, ...outcomeOf(attempt)]))
  return `${facts}\n\n${counted(attempts.length, 'attempt')}, first to last:\n\n${log}`
}

export function receiverListing(rows: TroubledReceiver[], now: Date): string {
  if (rows.length === 0) return 'No receiver is paused or in trouble.'
  return table(
    rows.map((row) => [
      row.tenantId,
      row.origin,
      conditionOf(row, now),
      counted(row.failures, 'failure'),
      `${row.held} held`,
    ]),
  )
}

export function replaySummary({ replayed, waiting, ended, forgotten }: Replayed): string {
  const left = [
    waiting > 0 && `${waiting} not ended yet`,
    ended > 0 && `${ended} whose registration has ended`,
    forgotten > 0 && `${forgotten} forgotten after 30 days`,
  ].filter((part) => part !== false)
  const done =
    replayed === 0 ? 'Nothing is sent again.' : `${counted(replayed, 'delivery is', 'deliveries are')} sent again.`
  return left.length === 0 ? done : `${done} Left as they are: ${left.join(', ')}.`
}

function stateOf({ state, dueAt, endedAt, lastError }: DeliveryRecord): string {
  if (state === 'waiting') return dueAt ? `waiting until ${dueAt.toISOString()}` : state
  const reason = REASONS[lastError ?? '']
  return endedAt ? `${state} ${endedAt.toISOString()}${reason ? `: ${reason}` : ''}` : state
}

function lastOutcome({ lastAttemptAt, lastStatus, lastError }: DeliveryRecord): string {
  if (lastError !== null) return REASONS[lastError] ?? lastError
  if (lastAttemptAt === null) return 'no answer yet'
  return `answered ${lastStatus}`
}

/** Why deliveries were given up without a last attempt. */
const REASONS: Record<string, string> = {
  registrationEnded: 'registration ended',
  tooLate: 'too late for v1',
} satisfies Record<FailureReason, string>

/** What came back, and in more words. */
const outcomeOf = ({ status, error, detail, excerpt }: AttemptRecord) => [
  status === null ? (error ?? '') : `answered ${status}`,
  [detail, excerpt].filter((text) => text !== null && text !== '').join(' '),
]

function conditionOf({ pausedAt, openUntil }: TroubledReceiver, now: Date): string {
  if (pausedAt) return `paused since ${pausedAt.toISOString()}`
  if (!openUntil) return 'failing'
  return openUntil > now ? `left alone until ${openUntil.toISOString()}` : 'about to be tried again'
}

/** As it is called: what a terminal might obey is escaped then. */
const addressOf = ({ url }: DeliveryRecord) => new URL(url).href
