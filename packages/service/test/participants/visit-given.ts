import { afterAll, beforeAll } from 'vitest'
import { clinic, created, PERSON } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { completed, linkTo, participantWorld, submit } from './given.ts'

const week = (hours: [string, string][], days = ['mon', 'tue', 'wed', 'thu', 'fri']) =>
  Object.fromEntries(days.map((day) => [day, hours]))
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

interface Place {
  name: string
  line1: string
  city: string
  zip: string
  at: [number, number]
  hours?: object
  walkIns?: boolean
  slots?: { minutes: number; capacity: number }
}

const at = (id: string, { name, line1, city, zip, at: [lat, long], ...members }: Place) =>
  clinic(id, zip, {
    name,
    phone: '+16305550142',
    address: { line1, city, state: 'IL', postalCode: zip },
    coordinates: { lat, long },
    ...members,
  })

/** Clinics around Naperville of every kind. */
export const VISIT_CLINICS = [
  at('naperville', {
    name: 'Naperville Occupational Health',
    line1: '1240 Rickert Drive',
    city: 'Naperville',
    zip: '60540',
    at: [41.7633, -88.1424],
    hours: { ...week([['08:00', '17:00']]), sat: [['09:00', '13:00']] },
    walkIns: true,
    slots: { minutes: 30, capacity: 1 },
  }),
  at('joliet', {
    name: 'Des Plaines River Driver Clinic',
    line1: '1410 Theodore Street',
    city: 'Joliet',
    zip: '60435',
    at: [41.5428, -88.1313],
    hours: { ...week([['07:00', '19:00']]), sat: [['08:00', '14:00']] },
    walkIns: true,
  }),
  at('ohare', {
    name: 'O’Hare Freight & Flight Medicine',
    line1: '780 Busse Road',
    city: 'Elk Grove Village',
    zip: '60007',
    at: [42.0172, -87.9968],
    hours: week([['00:00', '24:00']], DAYS),
    walkIns: true,
    slots: { minutes: 30, capacity: 4 },
  }),
  at('west-loop', {
    name: 'West Loop Employee Health',
    line1: '1120 W Van Buren Street',
    city: 'Chicago',
    zip: '60607',
    at: [41.8692, -87.6586],
    hours: week([['08:30', '11:30']]),
    slots: { minutes: 30, capacity: 1 },
  }),
  at('calumet', {
    name: 'Calumet Works Clinic',
    line1: '5030 Hohman Avenue',
    city: 'Hammond',
    zip: '46320',
    at: [41.6111, -87.4974],
    hours: week([['08:00', '17:00']], ['sun']),
  }),
  at('aurora', {
    name: 'Fox Valley Collections',
    line1: '620 N Lake Street',
    city: 'Aurora',
    zip: '60506',
    at: [41.7668, -88.3534],
  }),
]

/** Tuesday, 2:12 PM in Chicago. */
export const TUESDAY = new Date('2026-11-17T20:12:00.000Z')

export interface Visit {
  service: TestService
  clock: { now: Date }
}

/** A service whose clock stands still, with the clinics above. */
export function visitService(now = TUESDAY, clinics: object[] = VISIT_CLINICS): Visit {
  const visit = { service: {} as TestService, clock: { now } }
  beforeAll(async () => {
    Object.assign(visit.service, await startService({ now: () => visit.clock.now }))
    const world = participantWorld({ clinics }) as { tenant: object; companies: object[] }
    const help = { helpPhone: '+18885550120', helpAnswerTime: '4 business hours' }
    await visit.service.apply({ ...world, tenant: { ...world.tenant, branding: help } })
  })
  afterAll(() => visit.service.stop())
  return visit
}

const YEARS = 2 * 365 * 86_400_000

/** A participant who has given the details and has to choose a clinic. */
export async function atClinics({ service, clock }: Visit, settings: object = { expiresIn: 3 }) {
  const order = await created(service, { settings: { schedulingOption: 'link', ...settings } })
  const secret = await linkTo(service, order.id, { expiresAt: new Date(clock.now.getTime() + YEARS) })
  await completed(service, secret, { clinic: 'aurora' })
  await submit(service, secret, { step: 'cancel' })
  return { order, secret }
}

/** A requester who has to choose a clinic. */
export async function requesterAtClinics({ service, clock }: Visit, settings: object = { expiresIn: 3 }) {
  const order = await created(service, {
    participant: PERSON,
    settings: { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects', ...settings },
  })
  const expiresAt = new Date(clock.now.getTime() + YEARS)
  return { order, secret: await linkTo(service, order.id, { recipient: 'requester', expiresAt }) }
}
