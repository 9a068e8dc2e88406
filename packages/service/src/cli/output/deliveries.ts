import type { readDelivery, Replayed } from '../../operations/webhooks/deliveries.ts'
import type { AttemptRecord } from '../../store/webhooks/attempts.ts'
import type { FailureReason } from '../../store/webhooks/deliveries.ts'
import type { DeliveryPage, DeliveryRecord, HeldReason } from '../../store/webhooks/records.ts'
import type { PageRequest } from '../../store/db/page.ts'
import type { BreakerState, ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import { counted, table } from './table.ts'

/** A page of deliveries, one per line, and its place in the whole list. */
export function formatDeliveryList({ rows, total, isMore }: DeliveryPage, { limit, page }: PageRequest): string {
  if (total === 0) return 'No deliveries match.'
  const all = `${isMore ? 'more than ' : ''}${counted(total, 'delivery', 'deliveries')}`
  if (rows.length === 0) return `Page ${page} is empty: there are ${all}.`
  const first = (page - 1) * limit + 1
  const lines = rows.map((row) => [
    row.createdAt.toISOString(),
    row.tenantId,
    row.id,
    row.orderId,
    row.heldReason ? `${row.state} (${row.heldReason})` : row.state,
    counted(row.attempts, 'attempt'),
    lastOutcome(row),
    `${row.version} ${formatAddress(row)}`,
  ])
  return `${table(lines)}\n\n${first} to ${first + rows.length - 1} of ${all}, newest first.`
}

export function formatDelivery({ delivery, attempts }: Awaited<ReturnType<typeof readDelivery>>): string {
  const facts = table([
    ['Delivery', delivery.id],
    ['Tenant', delivery.tenantId],
    ['Order', delivery.orderId],
    ['Event', `${delivery.eventId}, created ${delivery.createdAt.toISOString()}`],
    ['Callback', `${formatAddress(delivery)} (${delivery.version})`],
    ['State', formatState(delivery)],
  ])
  if (attempts.length === 0) return `${facts}\n\nNo attempts are recorded.`
  const log = table(
    attempts.map((attempt) => [attempt.at.toISOString(), `${attempt.ms} ms`, ...formatOutcome(attempt)]),
  )
  return `${facts}\n\n${counted(attempts.length, 'attempt')}, first to last:\n\n${log}`
}

/** One receiver per line: breaker state, backlog and its age. */
export function formatReceiverList(rows: ReceiverRecord[], now: Date): string {
  if (rows.length === 0) return 'No receiver is paused or failing.'
  return table(
    rows.map((row) => [
      row.tenantId,
      row.origin,
      formatBreaker(row),
      counted(row.failures, 'failure'),
      `${row.held} held`,
      `${row.waiting} waiting`,
      row.oldestAt ? `oldest ${formatAge(row.oldestAt, now)}` : '',
    ]),
  )
}

export function formatReplay({ replayed, waiting, ended, forgotten }: Replayed): string {
  const left = [
    waiting > 0 && `${waiting} still being delivered`,
    ended > 0 && `${ended} whose registration has ended`,
    forgotten > 0 && `${forgotten} deleted after 30 days`,
  ].filter((part) => part !== false)
  const done =
    replayed === 0
      ? 'No deliveries are sent again.'
      : `${counted(replayed, 'delivery is', 'deliveries are')} sent again.`
  return left.length === 0 ? done : `${done} Not replayed: ${left.join(', ')}.`
}

function formatState({ state, dueAt, endedAt, lastError, heldReason, heldUntil }: DeliveryRecord): string {
  if (state === 'waiting') return dueAt ? `waiting until ${dueAt.toISOString()}` : state
  if (heldReason) return `held${heldUntil ? ` until ${heldUntil.toISOString()}` : ''}: ${HELD[heldReason]}`
  const reason = REASONS[lastError ?? '']
  return endedAt ? `${state} ${endedAt.toISOString()}${reason ? `: ${reason}` : ''}` : state
}

function lastOutcome({ lastAttemptAt, lastStatus, lastError }: DeliveryRecord): string {
  if (lastError !== null) return REASONS[lastError] ?? lastError
  if (lastAttemptAt === null) return 'no attempt yet'
  return `answered ${lastStatus}`
}

/** Why deliveries failed without an attempt. */
const REASONS: Record<string, string> = {
  registrationEnded: 'registration ended',
  tooLate: 'too late for v1',
} satisfies Record<FailureReason, string>

const formatOutcome = ({ status, error, detail, excerpt }: AttemptRecord) => [
  status === null ? (error ?? '') : `answered ${status}`,
  [detail, excerpt].filter((text) => text !== null && text !== '').join(' '),
]

const HELD: Record<HeldReason, string> = {
  paused: 'its receiver is paused',
  breakerOpen: 'the circuit breaker of its receiver is open',
  queued: 'queued behind others for the same receiver',
}

function formatBreaker({ pausedAt, state, openUntil }: ReceiverRecord): string {
  const breaker = openUntil ? `${BREAKER[state]} until ${openUntil.toISOString()}` : BREAKER[state]
  if (!pausedAt) return breaker
  const paused = `paused since ${pausedAt.toISOString()}`
  return state === 'closed' ? paused : `${paused}, ${breaker}`
}

const BREAKER: Record<BreakerState, string> = { closed: 'closed', open: 'open', halfOpen: 'half-open (probing)' }

/** In the largest unit that fits. */
function formatAge(since: Date, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000))
  const [size, unit] = UNITS.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** Parsed and serialized again, which escapes control characters. */
const formatAddress = ({ url }: DeliveryRecord) => new URL(url).href
