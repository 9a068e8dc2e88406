import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { clinic, created } from '../orders/given.ts'
import { applied, messageAbout, operate, tested } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { participantWorld } from './given.ts'

const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const daily = (from: string, to: string) => Object.fromEntries(EVERY_DAY.map((day) => [day, [[from, to]]]))

/** Open every day, so that the journeys do not depend on the day of the week. */
const CLINICS = [
  clinic('naperville', '60540', {
    name: 'Naperville Occupational Health',
    phone: '+16305550142',
    address: { line1: '1240 Rickert Drive', line2: 'Suite 110', city: 'Naperville', state: 'IL', postalCode: '60540' },
    coordinates: { lat: 41.7633, long: -88.1424 },
    hours: daily('08:00', '17:00'),
    walkIns: true,
    slots: { minutes: 30, capacity: 1 },
  }),
  clinic('joliet', '60435', {
    name: 'Des Plaines River Driver Clinic',
    phone: '+18155550143',
    address: { line1: '1410 Theodore Street', city: 'Joliet', state: 'IL', postalCode: '60435' },
    coordinates: { lat: 41.5428, long: -88.1313 },
    hours: daily('07:00', '19:00'),
    walkIns: true,
  }),
  clinic('ohare', '60007', {
    name: 'O’Hare Freight & Flight Medicine',
    phone: '+18475550144',
    address: { line1: '780 Busse Road', city: 'Elk Grove Village', state: 'IL', postalCode: '60007' },
    coordinates: { lat: 42.0172, long: -87.9968 },
    hours: daily('00:00', '24:00'),
    walkIns: true,
    slots: { minutes: 30, capacity: 4 },
  }),
]

const NAMES: Record<string, [en: string, es: string]> = {
  urine: ['Urine drug test, 5 panel', 'Prueba de drogas en orina, 5 sustancias'],
  'dot-urine': ['DOT urine drug test', 'Prueba de drogas en orina del DOT'],
  criminal: ['Criminal record check', 'Verificación de antecedentes penales'],
}

const COMPANY = {
  name: 'Boxelder Fulfillment',
  branding: {
    helpPhone: '+16305550101',
    helpEmail: 'hr@boxelder.example',
    privacyUrl: 'https://boxelder.example/privacy',
  },
}
/** Until the participant's address is known, times are local to the workplace. */
const DEPOT = { line1: '600 Depot Street', city: 'Naperville', state: 'IL', postalCode: '60540' }
const SETTINGS = {
  clinicFeeCap: 100,
  backgroundProvider: 'checkers',
  der: { name: 'Ruth Calder', phone: '+16305550101' },
  reviewer: { name: 'Dr. Amara Osei', phone: '+13125550190' },
}

/** An employer with a brand and people to ask; devices are asked who uses them, as by default. */
function journeyWorld(): object {
  const world = participantWorld({
    clinics: CLINICS,
    settings: SETTINGS,
    hq: { confirmIdentity: undefined },
    packages: [{ id: 'records', name: 'Records', services: ['criminal'] }],
    offered: ['records'],
  }) as { tenant: object; companies: { id: string; locations: object[] }[]; services: { id: string; name: string }[] }
  return {
    ...world,
    tenant: {
      ...world.tenant,
      name: 'Northfold Compliance Partners',
      branding: { helpPhone: '+18885550120', helpAnswerTime: '4 business hours' },
    },
    companies: world.companies.map((company) =>
      company.id === 'acme'
        ? { ...company, ...COMPANY, locations: company.locations.map((location) => ({ ...location, address: DEPOT })) }
        : company,
    ),
    services: world.services.map((service) => {
      const [name, es] = NAMES[service.id] ?? [service.name, service.name]
      return { ...service, name, names: { es } }
    }),
  }
}

/** A service whose notifications go to the sandbox's mailbox. */
export function journeyService(): TestService {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startService())
    await service.apply(journeyWorld())
  })
  afterAll(() => service.stop())
  return service
}

export interface Mail {
  to: string
  subject?: string
  text: string
  html?: string
  isCopy?: boolean
  attachments: { filename: string }[]
}

/** Sends what is due, and returns what the mailbox has about an order, newest first. */
export async function mailsOf(service: TestService, { code }: { code: string }): Promise<Mail[]> {
  const transport = mailboxTransport(service.store, 'email', randomBytes)
  const options = { channel: 'email', transport, publicUrl: service.origin, random: randomBytes } as const
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
  while (await dispatcher.round());
  await dispatcher.settle()
  return (await service.call('', `/sandbox/mailbox.json?order=${code}`)).body.data as Mail[]
}

export interface JourneyOrder {
  id: string
  code: string
  expiresAt: string
  services: { id: string }[]
}

/** An order of which the participant knows only the mail. */
export const ordered = (service: TestService, members: object = {}): Promise<JourneyOrder> =>
  created(service, { settings: { schedulingOption: 'link', expiresIn: 5 }, ...members })

/** The clinic reports that somebody checked in or gave the sample. */
export async function moved(service: TestService, order: JourneyOrder, status: string): Promise<void> {
  const answer = await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0]!.id}/moves`, {
    status,
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
}

/** The laboratory reports a result. */
export const reported = (service: TestService, order: JourneyOrder, result: string) =>
  applied(service, messageAbout(order, tested(result)))
