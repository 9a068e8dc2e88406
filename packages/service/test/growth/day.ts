import { randomBytes } from 'node:crypto'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { applyDueChanges } from '../../src/operations/orders/due-changes.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { applied, messageAbout, operate } from '../support/operator.ts'
import { body, cancelled, created, PERSON, post, SECRET } from '../orders/given.ts'
import { DETAILS, draftOf, linkTo, open, submit } from '../participants/given.ts'
import { deliverAll } from '../support/delivering.ts'
import type { TestService } from '../support/service.ts'

/** Every kind of request and background task, once. */
export async function liveThroughADay(service: TestService): Promise<void> {
  const receiver = await httpReceiver()
  const callback = { url: receiver.url }
  const orders = await createOrders(service, callback)
  await readAndList(service, orders)
  await bringResults(service, orders)
  await visit(service, orders.link.id)
  await operateOn(service, orders)
  await cancelled(service, orders.link.id)
  await deliverAll(service)
  for (const channel of ['email', 'mobile'] as const)
    await new NotificationDispatcher({
      store: service.store,
      channel,
      transport: mailboxTransport(service.store, channel, randomBytes),
      publicUrl: 'https://orders.example',
      random: randomBytes,
    }).round()
  await applyDueChanges(service.store, new PooledRandom())
  await runHousekeeping(service.store, new Date())
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
  return { link, scheduled }
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

async function bringResults(service: TestService, { scheduled }: Orders): Promise<void> {
  const specimen = `S-${randomBytes(4).toString('hex')}`
  const steps = [
    { kind: 'collector' as const, event: 'collected', specimen: { id: specimen } },
    { event: 'receivedAtLab' },
    { event: 'result', result: 'negative', specimen: { id: specimen } },
  ]
  for (const step of steps) await applied(service, messageAbout(scheduled, step))
  await operate(service, 'POST', '/results', messageAbout({ code: 'nothing like it' }, { event: 'collected' }))
}

async function visit(service: TestService, orderId: string): Promise<void> {
  const secret = await linkTo(service, orderId)
  await open(service, secret)
  const draft = await draftOf(service, secret, DETAILS)
  await submit(service, secret, { step: 'clinic', clinic: 'naperville', ...(draft && { draft }) })
  await open(service, secret, '/pass.pdf')
}

async function operateOn(service: TestService, { link, scheduled }: Orders): Promise<void> {
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
}
