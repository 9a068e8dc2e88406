import { randomBytes } from 'node:crypto'
import { Registry } from 'prom-client'
import { addInboxMetrics } from '../../src/cli/run/metrics.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { NotificationMetrics } from '../../src/notify/metrics.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { keepFigures } from '../../src/operations/figures/keep-figures.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { applyDueChanges } from '../../src/operations/orders/due-changes.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { continueSimulations } from '../../src/operations/sandbox/simulate.ts'
import { plainTextSealer } from '../../src/operations/sealing/seal-plain-text.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { DeliveryMetrics } from '../../src/webhooks/metrics.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { applied, messageAbout, operate, OPERATOR, report } from '../support/operator.ts'
import { body, cancelled, created, PERSON, post, SECRET, TENANT } from '../orders/given.ts'
import { completed, draftOf, linkTo, open, submit } from '../participants/given.ts'
import { deliverAll } from '../support/delivering.ts'
import type { TestService } from '../support/service.ts'
import { addedUser, asPage, CONSOLE, signedIn } from '../users/given.ts'

const random = new PooledRandom()

/** A working day: orders from their creation to their results, the people around them, and the work of a worker. */
export async function liveThroughADay(service: TestService): Promise<void> {
  const receiver = await httpReceiver()
  const callback = { url: receiver.url }
  const orders = await createOrders(service, callback)
  await readAndList(service, orders)
  const unmatched = await bringResults(service, orders)
  await visit(service, orders)
  await findTasks(service)
  await operateOn(service, orders, unmatched)
  await signIn(service)
  await cancelled(service, orders.link.id)
  await deliverAll(service)
  await notify(service)
  await applyDueChanges(service.store, random)
  await runHousekeeping(service.store, new Date())
}

/** What runs besides deliveries and housekeeping, and what a scrape of the metrics reads. Opens changed orders: not for copies. */
export async function workInBackground(service: TestService): Promise<void> {
  const { store } = service
  await linkAudit(store)
  await keepFigures(store)
  await findTasks(service)
  await store.keepAuditMonths(new Date())
  await plainTextSealer(store)(Date.now())
  const fail = (error: unknown) => {
    throw error
  }
  await continueSimulations({ store, now: () => new Date(), random }, fail)
  const registry = new Registry()
  new DeliveryMetrics(registry).watch({ inFlight: () => 0, queue: store.deliveryQueue })
  new NotificationMetrics(registry).watch(store)
  addInboxMetrics(registry, store)
  const metrics = await registry.metrics()
  // Stands for a failed query.
  if (/ Nan$/im.test(metrics)) throw new Error(metrics)
}

const findTasks = ({ store }: TestService) => new TaskFinder(store, random).round(new Date(), { isComplete: true })

async function notify({ store }: TestService): Promise<void> {
  for (const channel of ['email', 'mobile'] as const) {
    const transport = mailboxTransport(store, channel, randomBytes)
    const rules = { publicUrl: 'https://orders.example', random: randomBytes, quota: 1_000 }
    const dispatcher = new NotificationDispatcher({ store, channel, transport, ...rules })
    while (await dispatcher.round());
    await dispatcher.settle()
  }
}

type Orders = Awaited<ReturnType<typeof createOrders>>

async function createOrders(service: TestService, callback: object) {
  const link = await created(service, { callback })
  const person = { ...PERSON, lastName: `Lopez ${randomBytes(4).toString('hex')}` }
  const settings = { schedulingOption: 'schedule', clinicSelectionMode: 'closestToParticipant' }
  const scheduled = await created(service, { participant: person, settings, callback })
  const matching = { participant: person, settings: { schedulingOption: 'order' }, orderMatching: { enabled: true } }
  await post(service, body(matching))
  await post(service, body({ ...matching, callback }))
  await post(service, body(), { headers: { 'idempotency-key': randomBytes(8).toString('hex') } })
  const helped = await created(service)
  return { link, scheduled, helped }
}

/** Every filter alone, and common pairs. */
const FILTERS = (order: { code: string; createdAt: string }) => {
  const from = encodeURIComponent(new Date(Date.parse(order.createdAt) - 60_000).toISOString())
  const to = encodeURIComponent(new Date(Date.parse(order.createdAt) + 60_000).toISOString())
  return [
    '',
    'page=3',
    'companyId=acme',
    'locationId=hq',
    'status=negative',
    `code=${order.code}`,
    'specimenId=S-1',
    `createdFrom=${from}`,
    `createdTo=${to}`,
    `updatedFrom=${from}`,
    `updatedTo=${to}`,
    'companyId=acme&status=scheduled',
    'locationId=hq&status=scheduled',
    `locationId=hq&createdFrom=${from}`,
    `status=negative&createdFrom=${from}&createdTo=${to}`,
  ]
}

async function readAndList(service: TestService, { link, scheduled }: Orders): Promise<void> {
  // Cloned rows cannot be opened, since they are sealed for other ids: only the statements matter here.
  const ask = (path: string) => service.call(SECRET, path)
  for (const { id } of [link, scheduled]) await ask(`/api/v2/orders/${id}`)
  for (const filter of FILTERS(link)) await ask(`/api/v2/orders?${filter}`)
  await ask(`/api/v2/orders/${link.id}/events`)
  for (const list of ['companies', 'locations', 'packages', 'services', 'clinics']) await ask(`/api/v2/${list}`)
  await ask('/api/v2/clinics?name=clinic&state=il')
  await ask('/api/v2/packages?locationId=hq')
  for (const search of [{ near: { postalCode: '60540' } }, { query: 'Napervile ocupational' }])
    await service.call(SECRET, { method: 'POST', path: '/api/v2/clinics/search', body: search })
}

const PDF = Buffer.from('%PDF-1.7\n% a very short report\n').toString('base64')

/** Returns the id of a report that matches no order. */
async function bringResults(service: TestService, { scheduled }: Orders): Promise<string> {
  const specimen = `S-${randomBytes(4).toString('hex')}`
  const documents = [{ name: 'report.pdf', contentType: 'application/pdf', content: PDF }]
  const steps = [
    { kind: 'collector' as const, event: 'collected', specimen: { id: specimen } },
    { event: 'receivedAtLab' },
    { event: 'result', result: 'negative', specimen: { id: specimen }, documents },
  ]
  for (const step of steps) await applied(service, messageAbout(scheduled, step))
  const { status, text, body: receipt } = await report(service, messageAbout({ code: 'nothing like it' }))
  if (status !== 202) throw new Error(`${status} ${text}`)
  await service.app.answerHl7(Buffer.from(`no HL7 ${specimen}`), OPERATOR)
  return receipt.id
}

async function visit(service: TestService, { link, helped }: Orders): Promise<void> {
  const secret = await linkTo(service, link.id)
  await open(service, secret)
  await completed(service, secret)
  await open(service, secret, '/pass.pdf')
  const other = await linkTo(service, helped.id)
  const asked = { step: 'help', helpReason: 'tooFar', helpMiles: '75', helpNote: '', place: 'Mullen, NE 69152' }
  await submit(service, other, asked, '', await draftOf(service, other))
}

async function operateOn(service: TestService, { link, scheduled }: Orders, unmatched: string): Promise<void> {
  const { origin } = new URL('http://127.0.0.1:9')
  const lists = [
    '/orders',
    '/orders?status=negative',
    `/orders/${link.id}`,
    `/orders/${scheduled.id}`,
    '/deliveries',
    '/deliveries?state=failed',
    '/deliveries?state=delivered',
    '/deliveries?state=waiting',
    '/deliveries?state=held',
    `/deliveries?orderCode=${link.code}`,
    `/deliveries?origin=${encodeURIComponent(origin)}`,
    '/deliveries/receivers',
    '/messages',
    '/messages?state=failed',
    `/messages?orderId=${link.id}`,
    '/results',
    '/results?state=queued',
    '/audit',
    `/audit?orderId=${link.id}`,
    '/audit?action=order.cancel',
    '/bookings?clinicId=naperville',
    '/bookings?isActive=false',
    '/tokens',
  ]
  for (const path of lists) await operate(service, 'GET', path)
  await operate(service, 'PUT', `/orders/${link.id}/clinic`, { clinicId: 'naperville' })
  const dismissal = await operate(service, 'POST', `/results/${unmatched}/dismissal`, { reason: 'Not ours.' })
  if (dismissal.status !== 200) throw new Error(`${dismissal.status} ${dismissal.text}`)
}

/** A person with an invitation and a challenge that nobody answers signs in to the console. */
async function signIn(service: TestService): Promise<void> {
  const { users, invitations, challenges, passkeys } = service.store
  const email = 'dana@example.com'
  const [known] = await users.listByEmail(email)
  const user = known ?? (await addedUser(service, { email }))
  await users.findBySubject({ issuer: 'https://people.example', subject: email })
  const [at, expiresAt] = [new Date(), new Date(Date.now() + 600_000)]
  const secretHash = randomBytes(32)
  await invitations.put(secretHash, { tenantId: TENANT, userId: user.id }, { at, expiresAt })
  await invitations.findUsable(secretHash, at)
  await challenges.add(secretHash, { kind: 'signIn', owner: null, expiresAt })
  await challenges.take(randomBytes(32), { kind: 'signIn', owner: null, now: at })
  await passkeys.lock(randomBytes(16))
  const { secret } = await signedIn(service, user)
  await asPage(service, secret, ['GET', `${CONSOLE}/session`])
}
