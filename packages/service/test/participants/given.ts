import { randomBytes } from 'node:crypto'
import type { Recipient } from '../../src/domain/orders/order.ts'
import { hashSecret } from '../../src/domain/access/tokens.ts'
import { clinic, created, PERSON, SECRET, TENANT } from '../orders/given.ts'
import { staffed } from '../support/operator.ts'
import { afterAll, beforeAll } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

const ALL_DAY = [['00:00', '24:00']]
const EVERY_DAY = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ALL_DAY]))
export const WEEKDAYS = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['08:00', '17:00']]]),
)

/** Only the first two are eligible for every order of a participant in Naperville. */
export const CLINICS = [
  clinic('naperville', '60540', {
    name: 'Naperville Occupational Health',
    phone: '+16305550100',
    timezone: 'America/Chicago',
    hours: EVERY_DAY,
    address: { line1: '10 Main Street', line2: 'Suite 2', city: 'Naperville', state: 'IL', postalCode: '60540' },
  }),
  clinic('aurora', '60505', { name: 'Aurora Clinic', timezone: 'America/Chicago', hours: WEEKDAYS, fee: 40 }),
  clinic('clockless', '60563', { name: 'Clinic without a clock' }),
  clinic('dear', '60540', { name: 'Dear Clinic', fee: 500 }),
  clinic('closed', '60540', { name: 'Closed Clinic', isActive: false }),
  clinic('partial', '60540', { name: 'Partial Clinic', services: ['hair'] }),
  clinic('dallas', '75201', { name: 'Dallas Clinic', timezone: 'America/Chicago' }),
]

/** Devices are not asked who uses them, unless a test says so: `devices.test.ts` has the rules for that. */
export const participantWorld = ({ hq = {}, ...given }: NonNullable<Parameters<typeof staffed>[0]> = {}) =>
  staffed({
    clinics: CLINICS,
    settings: { clinicFeeCap: 100, backgroundProvider: 'checkers' },
    hq: { confirmIdentity: false, ...hq },
    ...given,
  })

/** A service with this catalog for all tests of a file or group. */
export function participantService(given: Parameters<typeof participantWorld>[0] = {}): TestService {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startService())
    await service.apply(participantWorld(given))
  })
  afterAll(() => service.stop())
  return service
}

/** Valid form values. */
export const DETAILS = {
  line1: '1200 Ogden Avenue',
  city: 'Naperville',
  state: 'IL',
  postalCode: '60540',
  country: 'US',
  email: 'maria@example.com',
  phone: '(630) 555-0142',
  birthDate: '1990-03-07',
  identifierType: 'driverLicense',
  identifierValue: 'L123-4567',
  identifierState: 'IL',
  consent: 'yes',
}

/** A link to an order, as in a notification. */
export async function linkTo(
  service: Pick<TestService, 'store'>,
  orderId: string,
  {
    recipient = 'participant',
    expiresAt = new Date(Date.now() + 86_400_000),
  }: { recipient?: Recipient; expiresAt?: Date } = {},
) {
  const secret = randomBytes(24).toString('base64url')
  const link = { tenantId: TENANT, orderId, recipient, expiresAt }
  await service.store.links.add(hashSecret(secret), link, new Date())
  return secret
}

/** An order with the option `link`, and a link to it. */
export async function invited(service: TestService, members: object = {}) {
  const order = await created(service, members)
  return { order, secret: await linkTo(service, order.id) }
}

/** An order whose requester chooses the clinic, with a link for requester and participant. */
export async function requested(service: TestService, members: object = {}, settings: object = {}) {
  const order = await created(service, {
    participant: PERSON,
    settings: { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects', ...settings },
    ...members,
  })
  const [requester, participant] = await Promise.all([
    linkTo(service, order.id, { recipient: 'requester' }),
    linkTo(service, order.id),
  ])
  return { order, requester, participant }
}

export interface Page {
  status: number
  headers: Headers
  text: string
}

export async function open(
  { origin }: TestService,
  secret: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<Page> {
  const response = await fetch(`${origin}/o/${secret}${query}`, { redirect: 'manual', headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export async function submit(
  { origin }: TestService,
  secret: string,
  fields: Record<string, string>,
  query = '',
  headers: Record<string, string> = {},
): Promise<Page> {
  const response = await fetch(`${origin}/o/${secret}${query}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The address that the answer to a form redirects to. */
export const followed = (service: TestService, { headers }: Page): Promise<Page> =>
  open(service, headers.get('location')!.replace('/o/', ''))

/** Submits a form and follows the redirect. */
export const submitted = async (service: TestService, secret: string, fields: Record<string, string>, query = '') =>
  followed(service, await submit(service, secret, fields, query))

/** The draft with the details; undefined if there is no further step. */
export async function draftOf(service: TestService, secret: string, fields: Record<string, string> = {}) {
  const { headers } = await submit(service, secret, { ...DETAILS, ...fields, step: 'details' })
  const location = new URL(headers.get('location') ?? '', service.origin)
  return location.searchParams.get('draft') ?? undefined
}

/** A step after valid details. */
export async function stepTo(service: TestService, secret: string, asked: Record<string, string>): Promise<Page> {
  const draft = (await draftOf(service, secret)) ?? ''
  return open(service, secret, `?${new URLSearchParams({ ...asked, draft }).toString()}`)
}

/** Completes the order with a clinic, by default without an appointment. */
export async function completed(
  service: TestService,
  secret: string,
  fields: Record<string, string> = {},
  query = '',
): Promise<Page> {
  const draft = await draftOf(service, secret, fields)
  const booking = { step: 'book', clinic: 'naperville', way: 'walkIn', ...fields }
  return submit(service, secret, { ...booking, ...(draft !== undefined && { draft }) }, query)
}

/** Tomorrow's date and a time in the zone of the clinics. */
export function tomorrow(time = '09:30', days = 1) {
  const at = new Date(Date.now() + days * 86_400_000)
  return { date: new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago' }).format(at), time }
}

export const readOrder = async (service: TestService, id: string) =>
  (await service.call(SECRET, `/api/v2/orders/${id}`)).body

export const eventsOf = async (service: TestService, id: string): Promise<unknown[]> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data

/** The text of the page without markup. */
export const wordsOf = ({ text }: Page) =>
  text
    .replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
