import type * as contract from '@order-testing/contract/operator'
import { planAttempts } from '../../domain/webhooks/attempt-plan.ts'
import { composeHeaders, REMOVED, redactHeaders } from '../../domain/webhooks/request-headers.ts'
import { DEFAULT_SCHEDULE } from '../../domain/webhooks/retry.ts'
import type { AttemptRecord } from '../../store/webhooks/attempts.ts'
import type { DeliveryContentRecord } from '../../store/webhooks/contents.ts'
import type { DeliveryRecord } from '../../store/webhooks/records.ts'

interface Found {
  delivery: DeliveryRecord
  attempts: AttemptRecord[]
  content: DeliveryContentRecord
}

type Details = Pick<contract.FullDelivery, 'log' | 'schedule' | 'request'>

/** What only the page of one delivery shows. */
export function presentDetails({ delivery, attempts, content }: Found, schedule = DEFAULT_SCHEDULE): Details {
  const first = delivery.attempts - attempts.length + 1
  const log = attempts.map(({ at, ...attempt }, index) => {
    const number = Math.max(1, first + index)
    return { number, at: at.toISOString(), ...attempt, headers: headersOf(delivery, content, { number, at }) }
  })
  const { version, attempts: made, dueAt, heldUntil, endedAt, url } = delivery
  const { earlierAttempts, queuedAt, changedAt } = content
  const steps = planAttempts(
    {
      version,
      attempts: made,
      earlierAttempts,
      queuedAt,
      isOpen: endedAt === null,
      dueAt: dueAt ?? heldUntil,
      attemptedAt: attempts.map(({ at }) => at),
    },
    { schedule },
  )
  return {
    log,
    schedule: steps.map(({ at, ...step }) => ({ ...step, at: at?.toISOString() ?? null })),
    request: { method: 'POST', target: url, body: shownBody(content), changedAt: changedAt?.toISOString() ?? null },
  }
}

/** The headers of an attempt, made again from the registration as it is now. */
function headersOf(
  { id, eventId, version }: DeliveryRecord,
  { callback, body }: DeliveryContentRecord,
  { number, at }: { number: number; at: Date },
): Record<string, string> {
  if (!callback) return {}
  // Signatures are hidden, so a body that was deleted makes no difference.
  const signed = { id, eventId, attempt: number, callback, version, body: body ?? Buffer.alloc(0), now: at }
  return redactHeaders(composeHeaders(signed), callback)
}

/** v1 bodies contain the order. People who may read participants do so in the order, where it is recorded. */
function shownBody({ body }: DeliveryContentRecord): string | null {
  if (!body) return null
  const sent = JSON.parse(body.toString()) as Record<string, unknown>
  return 'participant' in sent ? JSON.stringify({ ...sent, participant: REMOVED }) : body.toString()
}
