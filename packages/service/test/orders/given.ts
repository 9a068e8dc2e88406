import { SCOPES, type CatalogSettings } from '@order-testing/contract'
import type { Order } from '../../src/domain/orders/order.ts'
import { blockingKeysOf } from '../../src/operations/matching/match.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { orderOf, type GivenOrder } from '../support/order-of.ts'
import { catalogFile, token, type TestService } from '../support/service.ts'

export { orderOf }

export const TENANT = 'north'
/** Of the company Acme, with every scope. */
export const SECRET = 'acme-secret-full-scope'
/** The same without `order.participant.read`. */
export const DISCREET = 'acme-secret-discreet'
/** Of the company Globex, of the same tenant. */
export const GLOBEX = 'globex-secret-full-scope'

const NAPERVILLE = { line1: '1200 Ogden Avenue', city: 'Naperville', state: 'IL', postalCode: '60540' }
export const ADDRESS = NAPERVILLE

export const LAB = { id: 'heartland', name: 'Heartland Toxicology' }

const SERVICES = [
  { id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false, lab: LAB },
  { id: 'hair', name: 'Hair', category: 'drug', type: 'hair', isDot: false },
  { id: 'audiogram', name: 'Audiogram', category: 'occupationalHealth', type: 'audiogram', isDot: false },
  { id: 'dot-urine', name: 'DOT Urine', category: 'drug', type: 'urine', isDot: true, requiresMro: true, lab: LAB },
  { id: 'dot-breath', name: 'DOT Breath', category: 'alcohol', type: 'breath', isDot: true },
  { id: 'criminal', name: 'Criminal Record', category: 'background', type: 'criminal', isDot: false },
]

const PACKAGES = [
  { id: 'basic', name: 'Basic', services: ['urine'] },
  { id: 'several', name: 'Several', services: ['urine', 'hair', 'audiogram'] },
  { id: 'dot', name: 'DOT', services: ['dot-urine'] },
  { id: 'dot-alcohol', name: 'DOT Alcohol', services: ['dot-breath'] },
  { id: 'background', name: 'Background', services: ['criminal', 'urine'] },
]

interface World {
  settings?: CatalogSettings
  /** Of Acme's location `hq`; others can be named. */
  hq?: CatalogSettings
  locations?: object[]
  services?: object[]
  packages?: object[]
  /** Packages of Acme beside the common ones. */
  offered?: string[]
  clinics?: object[]
  companies?: object[]
  tokens?: object[]
  isActive?: boolean
  /** Companies that the token is linked to beside Acme. */
  linked?: string[]
}

/** Two companies of one tenant, of which a test states only what matters. */
export function world(given: World = {}): object {
  const packages = [...PACKAGES, ...(given.packages ?? [])]
  return catalogFile(TENANT, {
    services: [...SERVICES, ...(given.services ?? [])],
    packages,
    clinics: given.clinics ?? [],
    companies: [
      {
        id: 'acme',
        name: 'Acme',
        isActive: given.isActive ?? true,
        packages: [...PACKAGES.map(({ id }) => id), ...(given.offered ?? [])],
        settings: given.settings ?? {},
        locations: [{ id: 'hq', name: 'Headquarters', settings: given.hq ?? {} }, ...(given.locations ?? [])],
      },
      { id: 'globex', name: 'Globex', packages: ['basic'], locations: [{ id: 'globex-hq', name: 'Globex HQ' }] },
      ...(given.companies ?? []),
    ],
    tokens: [
      token(SECRET, { companies: ['acme', ...(given.linked ?? [])] }),
      token(DISCREET, { scopes: SCOPES.filter((scope) => scope !== 'order.participant.read') }),
      token(GLOBEX, { companies: ['globex'] }),
      ...(given.tokens ?? []),
    ],
  })
}

const BODY = {
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  location: { id: 'hq' },
  package: { id: 'basic' },
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed' },
  settings: { schedulingOption: 'link' },
  testReason: 'random',
}

/** All that the scheduling option `order` needs to know of a person. */
export const PERSON = {
  firstName: 'Maria',
  lastName: 'Lopez',
  address: NAPERVILLE,
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '(630) 555-0142',
  identifiers: [{ type: 'ssn', value: '536-22-8841' }],
}

/** The body of a link order that is all well, but for what is said. */
export const body = (members: object = {}) => ({ ...BODY, ...members })

export const clinic = (id: string, postalCode: string, members: object = {}) => ({
  id,
  name: id,
  services: SERVICES.map((service) => service.id),
  address: { line1: '1 Main Street', city: '', state: 'IL', postalCode },
  ...members,
})

interface Posting {
  secret?: string
  path?: string
  headers?: Record<string, string>
}

/** Sends a body, whatever it is, to be made an order of. */
export const post = (
  service: TestService,
  sent: unknown,
  { secret = SECRET, path = '/api/v2/orders', headers = {} }: Posting = {},
) => service.call(secret, { method: 'POST', path, body: sent, headers })

/** Creates an order that must come about, and gives its representation. */
export async function created(service: TestService, members: object = {}, posting: Posting = {}) {
  const answer = await post(service, body(members), posting)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

export const cancelled = (service: TestService, id: string, sent?: unknown, secret = SECRET) =>
  service.call(secret, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation`, body: sent })

/** Puts an order into the database, as a collector's app or a result would have. */
export async function stored(service: TestService, given: GivenOrder = {}): Promise<Order> {
  const order = orderOf(given)
  await service.store.placeOrder({
    tenantId: TENANT,
    order,
    view: composeView(order),
    blockingKeys: blockingKeysOf(order),
  })
  return order
}

/** The one row that there must be. */
export function only<T>(rows: readonly T[]): T {
  const row = rows.at(0)
  if (!row || rows.length > 1) throw new Error(`There are ${rows.length} rows.`)
  return row
}

/** The order as the rules see it, with what no answer shows. */
export async function contentOf({ store }: TestService, id: string): Promise<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(await store.orders.find(TENANT, id))) as Record<string, unknown>
}

/** Changes what is stored of an order, past all rules. */
export async function rewrite({ store }: TestService, id: string, members: Partial<Order>): Promise<void> {
  const order = { ...(await store.orders.find(TENANT, id))!, ...members }
  await store.orders.update([
    { tenantId: TENANT, order, view: composeView(order), blockingKeys: blockingKeysOf(order) },
  ])
}
