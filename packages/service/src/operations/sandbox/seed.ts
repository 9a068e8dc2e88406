import { randomUUID } from 'node:crypto'
import { createOrder as creation } from '@order-testing/contract'
import {
  deleteSavedView,
  editSender,
  forgetLaboratoryCode,
  postResult,
  readTask,
  readUser,
  type ResultMessage,
} from '@order-testing/contract/operator'
import type { Caller } from '../../domain/access/caller.ts'
import { makeId } from '../../domain/ids.ts'
import { dueAfter, HOUR_MS } from '../../domain/tasks/reasons.ts'
import { fixedRandom } from '../../domain/sandbox/fixed-random.ts'
import type { Store } from '../../store/store.ts'
import { createToken } from '../access/operator-tokens.ts'
import type { Context } from '../operation.ts'
import { createOrder } from '../orders/create.ts'
import { operatorCancelOrder } from '../orders/operator-orders.ts'
import { PooledRandom } from '../pooled-random.ts'
import { takeReport } from '../results/take.ts'
import { TaskFinder } from '../tasks/find-tasks.ts'
import { placeRecentOrders } from './recent-orders.ts'

interface Seeding extends Pick<Context, 'store' | 'policy'> {
  /** The callers behind the tokens of the demo catalog. */
  integrator: Caller
  operator: Caller
  now: Date
}

/** Runs a step as a caller, at the next minute, with ids that depend only on its name. */
type At = (caller: Caller, step: string, code?: string) => Context

/** Fills a fresh sandbox with what the documentation refers to, and with orders of the last days. */
export async function seedSandbox(seeding: Seeding): Promise<void> {
  await addExamples(seeding)
  await finishOverdueTasks(seeding)
  const { store, policy, integrator, operator, now } = seeding
  const common = { store, policy, random: new PooledRandom(), defaultRateLimit: 0, catalogChanged: () => {} }
  const as = (caller: Caller) => (at: Date) => ({ ...common, caller, now: () => at })
  await placeRecentOrders(now, { placing: as(integrator), operating: as(operator) })
}

/**
 * Adds what the examples of the OpenAPI documents refer to: orders, results, events, deliveries, notifications, a token and an
 * audit log. Times and ids are fixed, except those of requests for help. No delivery is left to be sent.
 */
async function addExamples(seeding: Seeding): Promise<void> {
  const { store, policy, integrator, operator } = seeding
  const asked = new Date(seeding.now.getTime() - 2 * HOUR_MS)
  let minute = Date.parse('2026-03-02T15:04:05.678Z')
  const at: At = (caller, step, code) => {
    const now = new Date(minute)
    minute += 60_000
    const random = fixedRandom(step, code)
    return { caller, store, policy, now: () => now, random, defaultRateLimit: 0, catalogChanged: () => {} }
  }
  let candidate = 4711
  const place = (step: string, firstName: string, code: string) =>
    placeOrder({ externalId: `candidate-${candidate++}`, firstName }, at(integrator, step, code))
  const open = await place('open', 'Maria', 'K7M4-2QXD')
  const finished = await place('finished', 'Ana', 'P3WT-9HC4')
  const collected = await place('collected', 'Omar', 'R8VN-4TJV')
  const assigned = await place('assigned', 'Wei', 'X2GK-7BDZ')
  const cancelled = await place('cancelled', 'James', 'T6QH-3YWM')
  for (const { code } of [finished, collected, assigned])
    await report({ ...COLLECTED, ...about(code) }, at(operator, code))
  await report({ ...about(finished.code), event: 'receivedAtLab' }, at(operator, 'received'))
  await report({ ...about(finished.code), event: 'testing' }, at(operator, 'testing'))
  await report({ ...about(finished.code), ...REVIEWED }, at(operator, 'reviewed'))
  await report({ ...about(assigned.code), match: about('ZZZZ-ZZZZ').match }, at(operator, 'mistyped'))
  await report(about('YYYY-YYYY'), at(operator, 'misdirected'))
  await refuseMessage(at(operator, 'refused'))
  const cancellation = {
    params: { id: cancelled.id },
    query: {},
    headers: undefined,
    body: { reason: 'Placed twice.' },
  }
  await operatorCancelOrder(cancellation, at(operator, 'cancellation'))
  // Fixed randomness would make the secret predictable.
  const issuing = { ...at(operator, 'token'), random: new PooledRandom() }
  for (const body of [PAYROLL, LABORATORY_LINE])
    await createToken({ params: undefined, query: {}, headers: undefined, body }, issuing)
  await askForHelp(open.id, asked, at(integrator, 'help'))
  await suppressAddress(at(operator, 'suppression'))
  await addPerson(at(operator, 'suppression'))
  await learnCode(at(operator, 'code'))
  await saveView(at(operator, 'view'))
  // Not the order above: its task ends as soon as an example has dealt with its request for help.
  const assisted = await place('assisted', 'Noor', 'H5CZ-8RQT')
  await addTask(assisted.id, asked, at(integrator, 'assistance'))
  await endDeliveries(store)
}

/** The orders of the documentation are old by now. Nobody has to see that in Today. */
async function finishOverdueTasks({ store, operator: { tenantId, tokenId }, now }: Seeding): Promise<void> {
  await new TaskFinder(store, new PooledRandom()).round(now, { isComplete: true })
  const { rows } = await store.tasks.page(tenantId, { state: 'open', caller: tokenId, limit: 100, page: 1 })
  const done = { claimedBy: null, snoozedUntil: null, doneAt: now, doneBy: tokenId }
  for (const task of rows.filter(({ dueAt }) => dueAt < now)) await store.tasks.change(task, done)
}

/** Places the example's order for another person. It does not expire, because its time has passed. */
async function placeOrder(
  { externalId, firstName }: { externalId: string; firstName: string },
  context: Context,
): Promise<{ id: string; code: string }> {
  const { participant, ...request } = creation.example.body
  const settings = { schedulingOption: 'link' }
  const body = { ...request, participant: { ...participant, firstName }, settings, externalId }
  const answer = await createOrder({ params: undefined, query: {}, headers: {}, body, faults: [] }, context)
  if (!('text' in answer)) throw new Error('An order is answered as text.')
  return JSON.parse(answer.text) as { id: string; code: string }
}

const EXAMPLE = postResult.example.body

/** What a report is about. */
const about = (orderCode: string) => ({
  match: { orderCode, panel: EXAMPLE.match.panel },
  specimen: { id: `HR-${orderCode}` },
})

const COLLECTED = { sender: { kind: 'collector', id: 'clinic-blue-river' }, event: 'collected' } as const

const REVIEWED = {
  sender: { kind: 'mro', id: 'northfold-mro' },
  event: 'result',
  result: 'negative',
  documents: [
    {
      name: 'Result.pdf',
      contentType: 'application/pdf',
      content: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'),
    },
  ],
} satisfies Partial<ResultMessage>

async function report(message: Partial<ResultMessage>, context: Context): Promise<void> {
  const occurredAt = context.now().toISOString()
  await takeReport({ report: { ...EXAMPLE, messageId: `HR-${occurredAt}`, occurredAt, ...message } }, context)
}

/** Refused now, because old ones are deleted. */
async function refuseMessage({ caller, store, now, random }: Context): Promise<void> {
  const { tenantId, tokenId } = caller
  const id = makeId('rfm', now(), random.bytes)
  await store.refusedMessages.record({ ...REFUSED, tenantId, tokenId, id, at: new Date() })
}

const REFUSED = {
  door: 'mllp',
  code: 'AR',
  reason: 'MSH-9: only ORU^R01 is taken.',
  sender: 'HALVORSEN',
  controlId: 'HR-20260302-001878',
  address: '203.0.113.24',
  bytes: Buffer.from(
    String.raw`MSH|^~\&|LIS|HALVORSEN|OTS|NORTHFOLD|20260302151000+0000||ADT^A01|HR-20260302-001878|P|2.5.1`,
  ),
} as const

/** Asked for recently, so that it is not overdue. Returns the id of the request. */
async function askForHelp(orderId: string, asked: Date, { caller, store, now, random }: Context): Promise<string> {
  const id = makeId('hlp', now(), random.bytes)
  await store.helpRequests.put({ ...HELP, tenantId: caller.tenantId, id, orderId, createdAt: asked })
  return id
}

/** The task that the examples of the documentation name. */
async function addTask(orderId: string, asked: Date, context: Context): Promise<void> {
  const { caller, store } = context
  const { tenantId } = caller
  const helpRequestId = await askForHelp(orderId, asked, context)
  const details = { helpRequestId, why: HELP.reason, recipient: HELP.recipient, since: asked.toISOString() }
  const task = { subjectId: orderId, orderId, actor: 'operator', dueAt: dueAfter(asked, 'helpAsked'), details } as const
  await store.tasks.reconcile(tenantId, 'helpAsked', { found: [task], ids: [readTask.example.params.id], now: asked })
}

/** The person that the examples of the documentation name. */
async function addPerson({ caller, store, now }: Context): Promise<void> {
  const account = { isActive: true, isDemo: false, oidc: null, lastSignInAt: null, createdAt: now() }
  await store.users.add({ ...PERSON, ...account, tenantId: caller.tenantId, id: readUser.example.params.id })
}

/** The code that the examples forget. */
async function learnCode({ caller, store, now }: Context): Promise<void> {
  const key = forgetLaboratoryCode.example.params
  const { panel: serviceId } = EXAMPLE.match
  await store.laboratoryCodes.learn({ ...key, tenantId: caller.tenantId, serviceId, createdAt: now() })
}

const PERSON = { email: 'dana.whitfield@example.com', name: 'Dana Whitfield', role: 'coordinator' } as const

/** The saved view that the examples of the documentation name. */
async function saveView({ caller, store, now }: Context): Promise<void> {
  const { id, name, filters } = deleteSavedView.example.reply
  const owner = { tenantId: caller.tenantId, ownerId: caller.tokenId }
  await store.savedViews.add({ ...owner, id, name, filters, isShared: false, position: 1, createdAt: now() })
}

const HELP = {
  recipient: 'participant',
  reason: 'tooFar',
  details: { place: 'Mullen, NE 69152', miles: 75, note: 'I work nights, mornings are best.' },
} as const

async function suppressAddress({ caller, store, now, random }: Context): Promise<void> {
  const id = makeId('sup', now(), random.bytes)
  await store.suppressions.add({ ...SUPPRESSED, tenantId: caller.tenantId, id, createdAt: now() })
}

const SUPPRESSED = {
  channel: 'email',
  address: 'ana.gone@example.com',
  reason: 'hardBounce',
  notificationId: null,
} as const

const PAYROLL = {
  id: 'payroll',
  name: 'Payroll system',
  scopes: ['order.read' as const, 'order.list' as const],
  companies: ['co-tallow-creek'],
}

const LABORATORY_LINE = {
  id: editSender.example.params.id,
  name: 'Laboratory line',
  scopes: ['intake.lab' as const],
  senders: [{ id: editSender.example.body.id, role: 'lab' as const, labs: ['lab-halvorsen-ridge'] }],
}

/** Records an attempt of every delivery: the last one failed, the others were received. */
async function endDeliveries(store: Store): Promise<void> {
  const claimed = await store.deliveries.claim(randomUUID(), 100)
  const received = { at: new Date(), ms: 84, status: 204, error: null, detail: null, excerpt: '' }
  const failed = { ...received, ms: 15_000, status: null, error: 'timeout', detail: 'No answer within 15 seconds.' }
  const last = claimed
    .map(({ id }) => id)
    .toSorted()
    .at(-1)
  await store.deliveries.record(
    claimed.map((delivery) => {
      const isLast = delivery.id === last
      return {
        delivery,
        state: isLast ? 'failed' : 'delivered',
        wait: 0,
        isGone: false,
        attempt: isLast ? failed : received,
      } as const
    }),
  )
}
