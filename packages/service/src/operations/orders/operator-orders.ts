import type { Input, Order as PresentedOrder, Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { pointNear } from '../../domain/bookings/near.ts'
import { zoneOfOrder } from '../../domain/bookings/order-zone.ts'
import { parseReference } from '../../domain/orders/code.ts'
import { refuseChangedSince } from '../../domain/orders/concurrent-change.ts'
import { cancel, changeService, describeSpecimen } from '../../domain/orders/life.ts'
import { readOccurrence } from '../../domain/orders/occurrence.ts'
import type { Order, OrderService } from '../../domain/orders/order.ts'
import { correctService as correct, isReviewerDecision, moveService as move } from '../../domain/orders/service-life.ts'
import { statusesOf } from '../../domain/orders/status-filter.ts'
import { SERVICE_STATUSES, type ServiceStatus } from '../../domain/orders/statuses.ts'
import { maskView } from '../../domain/orders/masked.ts'
import { renderPage, withMembers, type OrderView } from '../../domain/orders/view.ts'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation } from '../operation.ts'
import { changeWithRecord, type ChangeRecord } from './change.ts'
import { presentOperatorOrder } from './operator-view.ts'
import { findTimes } from './zones.ts'

export const operatorListOrders: Operation<typeof contract.operatorListOrders> = async ({ query }, context) => {
  const { caller, store } = context
  const { participants, statusNot, ...filter } = query
  const found = await store.orderList.page(caller, { ...filter, status: statusesOf(query) })
  const times = await timesOf(found.rows, context)
  if (participants === 'full' && canReadParticipant(caller) && found.rows.length > 0) {
    await store.audit.append(found.rows.map(({ id }) => readEntry(id, context)))
  }
  const rows = found.rows.map(({ id, view }) => ({
    view: withMembers(participants === 'masked' ? maskView(view) : view, times.get(id) ?? {}),
  }))
  return { status: 200, text: renderPage({ ...found, rows }, query) }
}

/** The zones and appointments of listed orders. */
const timesOf = (rows: readonly { view: OrderView }[], { caller, store }: Context) =>
  findTimes(
    rows.map(({ view }) => {
      const order = JSON.parse(view.order) as PresentedOrder
      const participant = view.participant && (JSON.parse(view.participant) as PresentedOrder['participant'])
      return { ...order, participant: participant || null }
    }),
    { tx: store, tenantId: caller.tenantId },
  )

export const operatorReadOrder: Operation<typeof contract.operatorReadOrder> = ({ params, query }, context) =>
  context.store.transaction(async (tx) => {
    const order = orNotFound(await tx.orders.findVisible(context.caller, parseReference(params.id)))
    if (query.participants === 'masked') return ok(await present(order, tx, context, { isMasked: true }))
    return ok(await presentRead(order, tx, context))
  })

export const moveService: Operation<typeof contract.moveService> = ({ params, body }, context) =>
  changeServiceAsOperator('service.move', { params, body }, context, (service, status, now) =>
    move(service, status, readOccurrence(body.occurredAt, now)),
  )

export const correctService: Operation<typeof contract.correctService> = ({ params, body }, context) =>
  changeServiceAsOperator('service.correct', { params, body }, context, correct)

/** Describes the specimen of a service, and changes its status if the request has one. */
function changeServiceAsOperator(
  action: string,
  { params, body }: Pick<Input<typeof contract.moveService | typeof contract.correctService>, 'params' | 'body'>,
  context: Context,
  change: (service: OrderService, status: ServiceStatus, now: Date) => OrderService,
) {
  const occurred = 'occurredAt' in body && body.occurredAt !== undefined ? { occurredAt: body.occurredAt } : {}
  const audited = { action, reason: body.reason, details: { ...occurred, ...reviewIn(body) } }
  return changeAsOperator(params.id, context, audited, (order, now) => {
    refuseChangedSince(order, body.basedOn)
    const { id } = orNotFound(order.services.find((each) => each.id === params.serviceId))
    const changeOne = (service: OrderService) => {
      const described = describeSpecimen(service, body)
      if (body.status === undefined) return described
      const after = change(described, parseStatus(body.status), now)
      requireReviewer(service, after.status, body, now)
      return after
    }
    return changeService(order, id, changeOne, now)
  })
}

interface Review {
  reviewer?: string | undefined
  decidedAt?: string | undefined
}

/** Operators record decisions of a medical reviewer, they do not make them: they must say who decided, and when. */
function requireReviewer(service: OrderService, status: ServiceStatus, review: Review, now: Date): void {
  const { reviewer = '', decidedAt } = review
  const isRequired = isReviewerDecision(service, status)
  const found: (Problem | false)[] = [
    isRequired && reviewer.trim() === '' && missing('/reviewer', 'Name the medical reviewer who decided this.'),
    isRequired && decidedAt === undefined && missing('/decidedAt', 'Say when the medical reviewer decided this.'),
    decidedAt !== undefined &&
      new Date(decidedAt).getTime() > now.getTime() + DAY_MS &&
      ({
        code: 'tooBig',
        detail: 'This time is more than a day in the future. Check the date and the offset.',
        pointer: '/decidedAt',
      } as const),
  ]
  const problems = found.filter((each) => each !== false)
  if (problems.length > 0) throw new Refusal(problems)
}

const missing = (pointer: string, detail: string): Problem => ({ code: 'required', detail, pointer })

/** The decision of a medical reviewer, for the audit log. */
const reviewIn = ({ reviewer, decidedAt }: Review): object =>
  reviewer === undefined && decidedAt === undefined ? {} : { review: { reviewer, decidedAt } }

export const operatorCancelOrder: Operation<typeof contract.operatorCancelOrder> = ({ params, body }, context) =>
  changeAsOperator(params.id, context, { action: 'order.cancel', reason: body?.reason }, (order, now) => {
    refuseChangedSince(order, body?.basedOn)
    return cancel(order, body?.reason ?? null, now)
  })

/** Changes an order, and records who changed what in the audit log. */
export function changeAsOperator(
  reference: string,
  context: Context,
  audited: ChangeRecord | ((before: Order, after: Order) => ChangeRecord),
  change: (order: Order, now: Date, tx: Transaction) => Order | Promise<Order>,
) {
  return context.store.transaction(async (tx) => {
    const { caller } = context
    const id = orNotFound(await tx.orders.findId(caller, parseReference(reference)))
    const before = orNotFound(await tx.orders.lockVisible(caller, id))
    const after = await change(before, context.now(), tx)
    if (after === before) return ok(await presentRead(before, tx, context))
    const record = typeof audited === 'function' ? audited(before, after) : audited
    const written = await changeWithRecord({ before, after }, record, { ...context, tx })
    return ok(await present(written, tx, context))
  })
}

/** Presents an order that was not changed. Reading its participant is recorded. */
async function presentRead(order: Order, tx: Transaction, context: Context): Promise<contract.OperatorOrder> {
  if (canReadParticipant(context.caller)) await tx.audit.append([readEntry(order.id, context)])
  return present(order, tx, context)
}

const readEntry = (id: string, context: Context) =>
  auditEntry({ action: 'order.read', subject: { type: 'order', id } }, context)

/** The most timeline entries of each kind; the latest are kept. */
const MOST_ENTRIES = 200
/** A program may read an order often, which must not fill the timeline. */
const MOST_READS = 20

async function present(
  order: Order,
  tx: Transaction,
  context: Context,
  { isMasked = false } = {},
): Promise<contract.OperatorOrder> {
  const { tenantId } = context.caller
  const [places, results, matches, events, notifications, changes, reads, agreements] = await Promise.all([
    tx.bookings.findPlaces(tenantId, order),
    tx.results.ofOrder(tenantId, order.id, MOST_ENTRIES),
    tx.orders.listMatches(tenantId, order.id, MOST_ENTRIES),
    tx.outbox.eventsOf(tenantId, order.id, MOST_ENTRIES),
    tx.notifications.ofOrder(tenantId, order.id, MOST_ENTRIES),
    tx.audit.changesOf(tenantId, order.id, MOST_ENTRIES),
    tx.audit.listBefore(tenantId, { action: 'order.read', subjectId: order.id }, { most: MOST_READS }),
    tx.agreements.ofOrder(tenantId, order.id),
  ])
  const showsParticipant = canReadParticipant(context.caller)
  const actions = [...changes, ...reads]
  const people = actions.flatMap(({ userId }) => (userId == null ? [] : [userId]))
  const senders = results.map(({ senderId }) => senderId)
  const [names, laboratories] = [
    await tx.users.namesOf(tenantId, people),
    await tx.services.laboratoryNames(tenantId, senders),
  ]
  const timezone = zoneOfOrder(places, order)
  const near = pointNear(places, showsParticipant ? order.participant.address : null)
  const activity = { timezone, near, results, matches, events, notifications, actions, names, laboratories, agreements }
  return presentOperatorOrder(order, activity, { showsParticipant, isMasked })
}

function parseStatus(text: string): ServiceStatus {
  if (Object.hasOwn(SERVICE_STATUSES, text)) return text as ServiceStatus
  throw refuse('invalidValue', `Expected one of ${Object.keys(SERVICE_STATUSES).join(', ')}.`, '/status')
}

const DAY_MS = 86_400_000
