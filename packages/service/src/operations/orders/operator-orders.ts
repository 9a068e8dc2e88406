import type { Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { mayReadParticipant } from '../../domain/access/caller.ts'
import { normaliseCode } from '../../domain/orders/code.ts'
import { changeService, describeSpecimen } from '../../domain/orders/life.ts'
import { cancel, type Order, type OrderService } from '../../domain/orders/order.ts'
import { notFound, Refusal, refuse } from '../../domain/refusal.ts'
import {
  correctService as corrected,
  isReviewersDecision,
  moveService as moved,
} from '../../domain/orders/service-life.ts'
import { SERVICE_STATUSES, type ServiceStatus } from '../../domain/orders/statuses.ts'
import type { Transaction } from '../../store/store.ts'
import { entryOf } from '../audit/audit.ts'
import { changeOrders } from './change.ts'
import { ok, type Context, type Operation } from '../operation.ts'
import { orderText } from './answer.ts'
import { presentForOperator, stateOf } from './operator-view.ts'

export const operatorListOrders: Operation<typeof contract.operatorListOrders> = async ({ query }, context) => {
  const { caller, store } = context
  const { rows, total } = await store.orderList.page(caller, query)
  const seen = mayReadParticipant(caller)
    ? rows.map(({ id }) => entryOf({ action: 'order.read', subject: { type: 'order', id } }, context))
    : []
  if (seen.length > 0) await store.audit.note(seen)
  const data = rows.map((row) => orderText(store.orders.open(caller, row)))
  const { limit, page } = query
  return { status: 200, text: `{"data":[${data.join(',')}],"limit":${limit},"page":${page},"total":${total}}` }
}

export const operatorReadOrder: Operation<typeof contract.operatorReadOrder> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const order = await tx.orders.findWhole(context.caller, nameOf(params.id))
    if (!order) throw notFound()
    return ok(await looked(order, tx, context))
  })

export const moveService: Operation<typeof contract.moveService> = ({ params, body }, context) =>
  changing(params.id, context, { action: 'service.move', reason: body.reason, noted: reviewIn(body) }, (order, now) =>
    changeService(
      order,
      serviceIn(order, params.serviceId).id,
      (service) => {
        const at = body.occurredAt === undefined ? now : earlier(new Date(body.occurredAt), now)
        const after = moved(describeSpecimen(service, body), statusIn(body.status), at)
        requireReviewer(service, after.status, body, now)
        return after
      },
      now,
    ),
  )

export const correctService: Operation<typeof contract.correctService> = ({ params, body }, context) =>
  changing(
    params.id,
    context,
    { action: 'service.correct', reason: body.reason, noted: reviewIn(body) },
    (order, now) =>
      changeService(
        order,
        serviceIn(order, params.serviceId).id,
        (service) => {
          const described = describeSpecimen(service, body)
          if (body.status === undefined) return described
          const after = corrected(described, statusIn(body.status), now)
          requireReviewer(service, after.status, body, now)
          return after
        },
        now,
      ),
  )

interface Review {
  reviewer?: string | undefined
  decidedAt?: string | undefined
}

/** An operator may record what a medical reviewer decided, not decide: who did, and when, is asked for. */
function requireReviewer(service: OrderService, status: ServiceStatus, review: Review, now: Date): void {
  const { reviewer = '', decidedAt } = review
  const isNeeded = isReviewersDecision(service, status)
  const found: (Problem | false)[] = [
    isNeeded && reviewer.trim() === '' && missing('/reviewer', 'Name the medical reviewer who decided this.'),
    isNeeded && decidedAt === undefined && missing('/decidedAt', 'Say when the medical reviewer decided this.'),
    decidedAt !== undefined &&
      new Date(decidedAt).getTime() > now.getTime() + DAY_MS &&
      ({ code: 'tooBig', detail: 'This time is more than a day in the future.', pointer: '/decidedAt' } as const),
  ]
  const problems = found.filter((each) => each !== false)
  if (problems.length > 0) throw new Refusal(problems)
}

const missing = (pointer: string, detail: string): Problem => ({ code: 'required', detail, pointer })

/** What the audit log keeps of a decision, where one is recorded. */
const reviewIn = ({ reviewer, decidedAt }: Review): object =>
  reviewer === undefined && decidedAt === undefined ? {} : { review: { reviewer, decidedAt } }

export const operatorCancelOrder: Operation<typeof contract.operatorCancelOrder> = ({ params, body }, context) =>
  changing(params.id, context, { action: 'order.cancel', reason: body?.reason }, (order, now) =>
    cancel(order, body?.reason ?? null, now),
  )

type Change = (order: Order, now: Date, tx: Transaction) => Order | Promise<Order>

/** Changes an order, and leaves in the trail who did so and what it was before. */
export function changing(
  name: string,
  context: Context,
  { action, reason, noted }: { action: string; reason?: string | undefined; noted?: object },
  change: Change,
) {
  return context.store.transaction(async (tx) => {
    const { caller, random } = context
    const id = await tx.orders.idOf(caller, nameOf(name))
    const order = id === undefined ? undefined : await tx.orders.lockVisible(caller, id)
    if (!order) throw notFound()
    const after = await change(order, context.now(), tx)
    if (after === order) return ok(await looked(order, tx, context))
    const [written] = await changeOrders([{ tenantId: caller.tenantId, before: order, after }], tx, random)
    const subject = { type: 'order', id: order.id }
    const states = { before: stateOf(order), after: { ...stateOf(after), ...noted } }
    await tx.audit.note([entryOf({ action, subject, reason, ...states }, context)])
    return ok(await shown(written!, tx, context))
  })
}

/** Shows an order that stays as it is: whoever sees its participant is noted. */
async function looked(order: Order, tx: Transaction, context: Context): Promise<contract.OperatorOrder> {
  if (mayReadParticipant(context.caller)) {
    await tx.audit.note([entryOf({ action: 'order.read', subject: { type: 'order', id: order.id } }, context)])
  }
  return shown(order, tx, context)
}

/** Of each kind, in a time line: the last so many. */
const TOLD = 200

async function shown(order: Order, tx: Transaction, context: Context): Promise<contract.OperatorOrder> {
  const { tenantId } = context.caller
  const [results, matches, events, messages, deeds] = await Promise.all([
    tx.results.ofOrder(tenantId, order.id, TOLD),
    tx.orders.matchesOf(tenantId, order.id, TOLD),
    tx.outbox.eventsOf(tenantId, order.id, TOLD),
    tx.notifications.ofOrder(tenantId, order.id, TOLD),
    tx.audit.changesOf(tenantId, order.id, TOLD),
  ])
  const surroundings = { results, matches, events, messages, deeds }
  return presentForOperator(order, surroundings, mayReadParticipant(context.caller))
}

/** Operators name an order by what they have before them: its id or its code. */
function nameOf(text: string): { id: string } | { code: string } {
  const code = normaliseCode(text)
  return code === null ? { id: text } : { code }
}

function serviceIn({ services }: Order, id: string): OrderService {
  const service = services.find((each) => each.id === id)
  if (!service) throw notFound()
  return service
}

function statusIn(text: string): ServiceStatus {
  if (Object.hasOwn(SERVICE_STATUSES, text)) return text as ServiceStatus
  throw refuse('invalidValue', `Expected one of ${Object.keys(SERVICE_STATUSES).join(', ')}.`, '/status')
}

const DAY_MS = 86_400_000

const earlier = (a: Date, b: Date) => (a < b ? a : b)
