import { SCOPES, type CatalogSettings } from '@order-testing/contract'
import type { Order } from '../../src/domain/orders/order.ts'
import { blockingKeysOf } from '../../src/operations/matching/match.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { body, orderOf, type GivenOrder } from '../support/orders.ts'
import { catalogFile, token, type TestService } from '../support/service.ts'

export { ADDRESS, body, orderOf, PERSON } from '../support/orders.ts'

export const TENANT = 'north'
/** A token of the company Acme with every scope. */
export const SECRET = 'acme-secret-full-scope'
/** The same without `order.participant.read`. */
export const DISCREET = 'acme-secret-redacted'
/** A token of the company Globex of the same tenant. */
export const GLOBEX = 'globex-secret-full-scope'

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
  /** Settings of Acme's location `hq`. */
  hq?: CatalogSettings
  locations?: object[]
  services?: object[]
  packages?: object[]
  /** Additional packages of Acme. */
  offered?: string[]
  clinics?: object[]
  companies?: object[]
  tokens?: object[]
  isActive?: boolean
  /** Additional companies that the token is linked to. */
  linked?: string[]
}

/** A catalog of two companies of one tenant, with the given changes. */
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

/** Sends any body to `POST /orders`. */
export const post = (
  service: TestService,
  sent: unknown,
  { secret = SECRET, path = '/api/v2/orders', headers = {} }: Posting = {},
) => service.call(secret, { method: 'POST', path, body: sent, headers })

/** Creates an order, which must succeed, and returns its representation. */
export async function created(service: TestService, members: object = {}, posting: Posting = {}) {
  const answer = await post(service, body(members), posting)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

export const cancelled = (service: TestService, id: string, sent?: unknown, secret = SECRET) =>
  service.call(secret, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation`, body: sent })

/** Stores an order without the rules of a create. */
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

/** The only row; throws if there is none or several. */
export function only<T>(rows: readonly T[]): T {
  const row = rows.at(0)
  if (!row || rows.length > 1) throw new Error(`There are ${rows.length} rows.`)
  return row
}

/** The order as it is stored, with members that no response shows. */
export async function contentOf({ store }: TestService, id: string): Promise<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(await store.orders.find(TENANT, id))) as Record<string, unknown>
}

/** Overwrites members of a stored order without any rules. */
export async function rewrite({ store }: TestService, id: string, members: Partial<Order>): Promise<void> {
  const order = { ...(await store.orders.find(TENANT, id))!, ...members }
  await store.orders.update([
    { tenantId: TENANT, order, view: composeView(order), blockingKeys: blockingKeysOf(order) },
  ])
}
