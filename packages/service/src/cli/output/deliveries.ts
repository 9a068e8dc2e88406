import type { HELD_REASONS, Reply } from '@order-testing/contract'
import type { Delivery, FullDelivery, Receiver, replayDeliveries } from '@order-testing/contract/operator'
import type { FailureReason } from '../../store/webhooks/deliveries.ts'
import { dim, green, paintState, red } from './colors.ts'
import { escapeControls, formatCount, pageTable, sheet, table, type Found } from './table.ts'

export const deliveryListing = (found: Found<Delivery>) =>
  pageTable(found, ['delivery', 'deliveries'], {
    head: ['Created', 'Delivery', 'Order', 'State', 'Attempts', 'Last outcome', 'Callback'],
    empty: 'No deliveries found.',
    row: (delivery) => [
      dim(delivery.createdAt),
      delivery.id,
      delivery.orderId,
      paintState(delivery.heldReason ? `${delivery.state} (${delivery.heldReason})` : delivery.state, delivery.state),
      formatCount(delivery.attempts, 'attempt'),
      lastOutcome(delivery),
      `${delivery.version} ${addressOf(delivery)}`,
    ],
  })

/** Everything about one delivery. */
export function deliverySheet(delivery: FullDelivery): string {
  const facts = sheet([
    ['Delivery', delivery.id],
    ['Order', delivery.orderId],
    ['Event', `${delivery.eventId}, created ${delivery.createdAt}`],
    ['Callback', `${addressOf(delivery)} (${delivery.version})`],
    ['State', stateText(delivery)],
  ])
  return [facts, attemptsText(delivery), scheduleText(delivery), requestText(delivery)]
    .filter((part) => part !== '')
    .join('\n\n')
}

function attemptsText({ log }: FullDelivery): string {
  if (log.length === 0) return 'No attempts on record.'
  const attempts = log.map((attempt) => [
    `${attempt.number}`,
    dim(attempt.at),
    `${attempt.ms} ms`,
    ...outcomeOf(attempt),
  ])
  return `${formatCount(log.length, 'attempt')}, oldest first:\n\n${table(attempts)}`
}

/** What is still to come; the attempts that were made are listed before. */
function scheduleText({ schedule }: FullDelivery): string {
  const open = schedule.filter(({ state }) => state !== 'done')
  if (open.length === 0) return ''
  const rows = open.map(({ number, state, at, waitSeconds }) => [
    `${number}`,
    state,
    at ?? 'when its receiver is resumed or recovers',
    waitSeconds === null ? '' : dim(`after ${durationOf(waitSeconds)}`),
  ])
  return `Attempts to come:\n\n${table(rows)}`
}

function requestText({ request, log }: FullDelivery): string {
  const headers = Object.entries(log.at(-1)?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const body = request.body ?? '(The body was deleted.)'
  const lines = [`${request.method} ${new URL(request.target).href}`, ...headers, '', body]
  return `What is sent, without secrets:\n\n${lines.map((line) => escapeControls(line)).join('\n')}`
}

function durationOf(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 's']
  return `${seconds / size} ${unit}`
}

export const receiverListing = (found: Found<Receiver>, now: Date) =>
  pageTable(found, ['receiver', 'receivers'], {
    head: ['Receiver', 'State', 'Failures', 'Last 24 hours', 'Held', 'Waiting', 'Oldest'],
    empty: 'No receiver is paused or failing.',
    order: 'by origin',
    row: (receiver) => [
      receiver.usesV1 ? `${receiver.origin} (v1)` : receiver.origin,
      conditionOf(receiver),
      formatCount(receiver.failures, 'failure'),
      dayText(receiver),
      `${receiver.held} held`,
      `${receiver.waiting} waiting`,
      receiver.oldestAt ? `oldest ${ageOf(receiver.oldestAt, now)}` : '',
    ],
  })

function dayText({ lastDay: { delivered, failed }, p95Ms }: Receiver): string {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const time = p95Ms === null ? '' : `, p95 ${p95Ms} ms`
  return `${sum(delivered)} delivered, ${sum(failed)} failed${time}`
}

export function replaySummary({ replayed, waiting, ended, forgotten }: Reply<typeof replayDeliveries>): string {
  const skipped = [
    waiting > 0 && `${waiting} not ended yet`,
    ended > 0 && `${ended} whose callback has ended`,
    forgotten > 0 && `${forgotten} deleted after 30 days`,
  ].filter((part) => part !== false)
  const summary = `Replaying ${formatCount(replayed, 'delivery', 'deliveries')}.`
  return skipped.length === 0 ? summary : `${summary} Skipped: ${skipped.join(', ')}.`
}

function stateText({ state, nextAttemptAt, endedAt, lastError, heldReason, heldUntil }: Delivery): string {
  const painted = paintState(state)
  if (state === 'waiting') return nextAttemptAt ? `${painted} until ${nextAttemptAt}` : painted
  if (heldReason) return `${paintState('held')}${heldUntil ? ` until ${heldUntil}` : ''}: ${HELD[heldReason]}`
  const reason = REASONS[lastError ?? '']
  return endedAt ? `${painted} ${endedAt}${reason ? `: ${reason}` : ''}` : painted
}

function lastOutcome({ lastAttemptAt, lastStatus, lastError }: Delivery): string {
  if (lastError !== null) return REASONS[lastError] ?? lastError
  if (lastAttemptAt === null) return 'no attempt yet'
  return `status ${lastStatus}`
}

/** Reasons to give up a delivery without a last attempt. */
const REASONS: Record<string, string> = {
  registrationEnded: 'callback ended',
  tooLate: 'too late for v1',
} satisfies Record<FailureReason, string>

const outcomeOf = ({ status, error, detail, excerpt }: FullDelivery['log'][number]) => [
  status === null ? red(error ?? '') : statusText(status),
  escapeControls([detail, excerpt].filter((text) => text !== null && text !== '').join(' ')),
]

const statusText = (status: number) => (status < 300 ? green : red)(`status ${status}`)

const HELD: Record<(typeof HELD_REASONS)[number], string> = {
  paused: 'its receiver is paused',
  breakerOpen: 'the circuit breaker of its receiver is open',
  queued: 'queued behind others for the same receiver',
}

function conditionOf({ pausedAt, state, openUntil }: Receiver): string {
  const breaker = paintState(openUntil ? `${BREAKER[state]} until ${openUntil}` : BREAKER[state], state)
  if (!pausedAt) return breaker
  const paused = `paused since ${pausedAt}`
  return state === 'closed' ? paused : `${paused}, ${breaker}`
}

const BREAKER: Record<Receiver['state'], string> = { closed: 'closed', open: 'open', halfOpen: 'half-open (probing)' }

/** In the largest unit that fits: seconds, minutes, hours or days. */
function ageOf(since: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - new Date(since).getTime()) / 1000))
  const [size, unit] = UNITS.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** Parsed again, because this escapes what a terminal might act on. */
const addressOf = ({ callbackUrl }: Delivery) => new URL(callbackUrl).href
