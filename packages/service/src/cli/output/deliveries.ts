import type { readDelivery, Replayed } from '../../operations/webhooks/deliveries.ts'
import type { AttemptRecord, FailureReason } from '../../store/webhooks/deliveries.ts'
import type { DeliveryPage, DeliveryRecord, HeldReason } from '../../store/webhooks/records.ts'
import type { PageRequest } from '../../store/db/page.ts'
import type { BreakerState, ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
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
    row.heldReason ? `${row.state} (${row.heldReason})` : row.state,
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

/** One receiver per line: its condition, what waits for it, and for how long. */
export function receiverListing(rows: ReceiverRecord[], now: Date): string {
  if (rows.length === 0) return 'No receiver is paused or in trouble.'
  return table(
    rows.map((row) => [
      row.tenantId,
      row.origin,
      conditionOf(row),
      counted(row.failures, 'failure'),
      `${row.held} held`,
      `${row.waiting} waiting`,
      row.oldestAt ? `oldest ${ageOf(row.oldestAt, now)}` : '',
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

function stateOf({ state, dueAt, endedAt, lastError, heldReason, heldUntil }: DeliveryRecord): string {
  if (state === 'waiting') return dueAt ? `waiting until ${dueAt.toISOString()}` : state
  if (heldReason) return `held${heldUntil ? ` until ${heldUntil.toISOString()}` : ''}: ${HELD[heldReason]}`
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

const HELD: Record<HeldReason, string> = {
  paused: 'its receiver is paused',
  breakerOpen: 'the circuit breaker of its receiver is open',
  queued: 'queued behind others for the same receiver',
}

function conditionOf({ pausedAt, state, openUntil }: ReceiverRecord): string {
  const breaker = openUntil ? `${BREAKER[state]} until ${openUntil.toISOString()}` : BREAKER[state]
  if (!pausedAt) return breaker
  const paused = `paused since ${pausedAt.toISOString()}`
  return state === 'closed' ? paused : `${paused}, ${breaker}`
}

const BREAKER: Record<BreakerState, string> = { closed: 'closed', open: 'open', halfOpen: 'half-open (probing)' }

/** In the largest unit that fits: seconds, minutes, hours or days. */
function ageOf(since: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000))
  const [size, unit] = UNITS.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** As it is called: what a terminal might obey is escaped then. */
const addressOf = ({ url }: DeliveryRecord) => new URL(url).href
