import { createHash, randomBytes } from 'node:crypto'
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

/** Valid values of all pages of the form. */
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
  signature: 'Maria Lopez',
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
  /** The draft that the browser has after the response. */
  draft?: string | undefined
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
  draft?: string,
  headers: Record<string, string> = {},
): Promise<Page> {
  const response = await fetch(`${origin}/o/${secret}${query}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...browserWith(draft), ...headers },
    body: new URLSearchParams(fields),
  })
  const page = { status: response.status, headers: response.headers, text: await response.text() }
  return { ...page, draft: cookiesOf(page).some((cookie) => cookie.startsWith('draft=')) ? draftIn(page) : draft }
}

/** The headers of a browser that keeps this draft. Each has an address of its own, because requests by address are limited. */
export const browserWith = (draft: string | undefined): Record<string, string> =>
  draft === undefined ? {} : { cookie: `draft=${draft}`, 'x-forwarded-for': addressFor(draft) }

const addressFor = (text: string) => `10.${[...createHash('sha256').update(text).digest().subarray(0, 3)].join('.')}`

/** The draft that a response gives to the browser. */
export const draftIn = (page: Pick<Page, 'headers'>): string | undefined =>
  cookiesOf(page)
    .map((cookie) => /^draft=([\w-]+);/.exec(cookie)?.[1])
    .find((draft) => draft !== undefined)

const cookiesOf = ({ headers }: Pick<Page, 'headers'>) => headers.getSetCookie()

/** The page that the answer to a form redirects to, in a browser that keeps the draft. */
export const followed = (service: TestService, page: Page, draft = page.draft): Promise<Page> =>
  open(service, page.headers.get('location')!.replace('/o/', ''), '', browserWith(draft))

/** Submits a form and follows the redirect. */
export async function submitted(
  service: TestService,
  secret: string,
  fields: Record<string, string>,
  query = '',
  draft?: string,
): Promise<Page> {
  return followed(service, await submit(service, secret, fields, query, draft))
}

/** Changes a booking, and confirms it on the page that shows the old and the new time. */
export async function changed(
  service: TestService,
  secret: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const answer = await submit(service, secret, { step: 'book', change: 'yes', ...fields }, '', undefined, headers)
  const location = answer.headers.get('location') ?? ''
  if (!location.includes('step=confirm')) return answer
  return confirmed(service, secret, await open(service, location.replace('/o/', ''), '', headers), headers)
}

/** Submits the form of a page that asks for a confirmation. */
export const confirmed = (
  service: TestService,
  secret: string,
  { text }: Page,
  headers: Record<string, string> = {},
): Promise<Page> =>
  submit(
    service,
    secret,
    Object.fromEntries(
      [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)" \/>/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ),
    '',
    undefined,
    headers,
  )

const FORM_STEP = /name="step" value="((?:you|contact|address|check|disclosure|authorization)[\w:-]*)"/

/**
 * Fills in the pages of a link one after the other, as a person would, until there is none or something is wrong. Returns the
 * page after the last, and the draft that the browser has by then.
 */
export async function filledIn(
  service: TestService,
  secret: string,
  fields: Record<string, string> = {},
  { query = '', until, draft }: { query?: string; until?: string; draft?: string | undefined } = {},
): Promise<{ page: Page; draft: string | undefined }> {
  let page = await open(service, secret, query, { ...browserWith(draft), 'x-forwarded-for': addressFor(secret) })
  for (;;) {
    const step = FORM_STEP.exec(page.text)?.[1]
    if (step === undefined || step.split(':')[0] === until || page.text.includes('class="summary"'))
      return { page, draft }
    const shown = /name="shown" value="([\w-]+)"/.exec(page.text)?.[1] ?? ''
    const answer = await submit(service, secret, { ...DETAILS, ...fields, step, shown }, query, draft)
    draft = answer.draft
    if (answer.status !== 303) return { page: answer, draft }
    page = await followed(service, answer)
  }
}

/** The draft with everything that comes before the clinics; undefined if there is no further step. */
export const draftOf = async (service: TestService, secret: string, fields: Record<string, string> = {}) =>
  (await filledIn(service, secret, fields)).draft

/** A step after valid details. */
export async function stepTo(service: TestService, secret: string, asked: Record<string, string>): Promise<Page> {
  const draft = await draftOf(service, secret)
  return open(service, secret, `?${new URLSearchParams(asked).toString()}`, browserWith(draft))
}

/** Completes the order with a clinic, by default without an appointment. */
export async function completed(
  service: TestService,
  secret: string,
  fields: Record<string, string> = {},
  query = '',
): Promise<Page> {
  const { draft } = await filledIn(service, secret, fields, { query })
  const booking = { step: 'book', clinic: 'naperville', way: 'walkIn', ...fields }
  return submit(service, secret, booking, query, draft)
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

/** The names of the visible fields of a page. */
export const fieldsOf = ({ text }: Page): string[] =>
  [...text.matchAll(/<(?:input|select|textarea)\s[^>]*?name="(\w+)"[^>]*>/g)]
    .filter(([element]) => !element.includes('type="hidden"'))
    .map(([, name]) => name!)

/** The fields that the summary of errors links to. */
export const errorsIn = ({ text }: Page): string[] =>
  [...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, field]) => field!)

/** The text of the page without markup. */
export const wordsOf = ({ text }: Page) =>
  text
    .replaceAll(/<(style|script|template)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
