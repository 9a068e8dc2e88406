import type { createOrder as creation, Input, Simulation } from '@order-testing/contract'
import { postResult } from '@order-testing/contract/operator'
import { HOUR_MS } from '../../domain/tasks/reasons.ts'
import { bookAsOperator } from '../bookings/bookings.ts'
import type { Context } from '../operation.ts'
import { createOrder } from '../orders/create.ts'
import { takeReport } from '../results/take.ts'
import { simulateOrder } from './simulate.ts'

/** How long ago, in hours; negative is ahead. */
type Ago = number

interface RecentOrder {
  person: readonly [firstName: string, lastName: string]
  location: string
  placed: Ago
  expiresInHours?: number
  steps?: readonly { at: Ago; until: Simulation['until'] }[]
  appointment?: Ago
}

/** Orders at every stage. Some are late, so that Today has something to show. None has a callback, and none a reminder ahead. */
const ORDERS: readonly RecentOrder[] = [
  {
    person: ['Grace', 'Okoro'],
    location: 'loc-meadowlark-elizabeth',
    placed: 98,
    steps: [
      { at: 94, until: 'collected' },
      { at: 70, until: 'testing' },
      { at: 45, until: 'mroReview' },
      { at: 19, until: undefined },
    ],
  },
  // The review takes longer than usual.
  {
    person: ['Priya', 'Nair'],
    location: 'loc-prairie-elk-grove',
    placed: 96,
    steps: [
      { at: 93, until: 'collected' },
      { at: 75, until: 'testing' },
      { at: 50, until: 'mroReview' },
    ],
  },
  {
    person: ['Samuel', 'Whitlock'],
    location: 'loc-kestrel-hq',
    placed: 52,
    steps: [
      { at: 47, until: 'collected' },
      { at: 20, until: 'testing' },
    ],
  },
  // The courier is late.
  {
    person: ['Tomas', 'Berg'],
    location: 'loc-kestrel-new-york',
    placed: 31,
    steps: [{ at: 26, until: 'collected' }],
  },
  { person: ['Luis', 'Ferreira'], location: 'loc-prairie-elk-grove', placed: 28, appointment: -3 },
  { person: ['Aisha', 'Rahman'], location: 'loc-kestrel-miami', placed: 8, expiresInHours: 22 },
  { person: ['Hana', 'Suzuki'], location: 'loc-prairie-elk-grove', placed: 6, appointment: -20 },
  {
    person: ['Peter', 'Novak'],
    location: 'loc-meadowlark-control',
    placed: 5,
    steps: [{ at: 1, until: 'checkedIn' }],
  },
  { person: ['Elena', 'Petrov'], location: 'loc-kestrel-hq', placed: 0.5 },
]

/** Open at all hours, with a slot at every quarter of an hour. */
const CLINIC = 'clinic-ohare'
const QUARTER_MS = 900_000

/** The context of something that happens at a time. */
type AtTime = (at: Date) => Context

/** Places orders of the last days, relative to now, and queues a report that names no order. */
export async function placeRecentOrders(now: Date, { placing, operating }: Record<'placing' | 'operating', AtTime>) {
  const ago = (hours: Ago) => new Date(now.getTime() - hours * HOUR_MS)
  for (const order of ORDERS) {
    const id = await place(order, placing(ago(order.placed)))
    for (const { at, until } of order.steps ?? []) await simulate(id, until, placing(ago(at)))
    if (order.appointment !== undefined) await book(id, ago(order.appointment), operating(now))
  }
  await queueReport(operating(ago(0.7)))
}

async function place({ person, location, expiresInHours }: RecentOrder, context: Context): Promise<string> {
  const [firstName, lastName] = person
  const email = `${firstName}.${lastName}@example.com`.toLowerCase()
  const expiry = expiresInHours === undefined ? {} : { expiresIn: expiresInHours }
  const body: Input<typeof creation>['body'] = {
    deliveryMethods: [{ type: 'email', to: email }],
    location: { id: location },
    package: { id: 'pkg-pre-employment-10' },
    participant: { firstName, lastName, email },
    requester: { email: 'dana.reed@example.com', firstName: 'Dana', lastName: 'Reed' },
    settings: { schedulingOption: 'link', expiresInUnit: 'hours', ...expiry },
    testReason: 'preEmployment',
  }
  const answer = await createOrder({ params: undefined, query: {}, headers: {}, body, faults: [] }, context)
  if (!('text' in answer)) throw new Error('An order is answered as text.')
  return (JSON.parse(answer.text) as { id: string }).id
}

async function simulate(id: string, until: Simulation['until'], context: Context): Promise<void> {
  const body = { outcome: 'negative' as const, ...(until && { until }) }
  await simulateOrder({ params: { id }, query: {}, headers: undefined, body }, context)
}

async function book(id: string, near: Date, context: Context): Promise<void> {
  const at = new Date(Math.ceil(near.getTime() / QUARTER_MS) * QUARTER_MS)
  await bookAsOperator(id, { clinicId: CLINIC, appointmentAt: at.toISOString() }, context)
}

async function queueReport(context: Context): Promise<void> {
  const occurredAt = context.now().toISOString()
  const { match, ...report } = postResult.example.body
  const about = { match: { ...match, orderCode: 'WWWW-WWWW' }, specimen: { id: 'HR-770412' } }
  await takeReport({ report: { ...report, ...about, messageId: `HR-${occurredAt}`, occurredAt } }, context)
}
