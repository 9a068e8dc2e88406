import { expect } from 'vitest'
import { endpoints, SCOPES, type Endpoint } from '@order-testing/contract'
import { catalogFile, token, type TestService } from '../support/service.ts'

export interface Routed extends Endpoint {
  name: string
}

export const withNames = (all: Record<string, Endpoint>): Routed[] =>
  Object.entries(all).map(([name, endpoint]) => ({ name, ...endpoint }))

/** Every operation of the interface, straight from the contract. */
export const everyOperation = withNames(endpoints)

/** Those that production has, too. */
export const routed = everyOperation.filter(({ isSandboxOnly }) => !isSandboxOnly)

/** Sends no token at all. */
export const NOBODY = null

export interface Request {
  method: string
  path: string
  body?: unknown
}

/** The contract's example of an operation as a request. */
export function exampleOf({ method, path, example }: Endpoint, params = example.params): Request {
  const query = new URLSearchParams(example.query as Record<string, string> | undefined).toString()
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  return {
    method,
    path: query === '' ? place : `${place}?${query}`,
    ...(example.body !== undefined && { body: example.body }),
  }
}

/**
 * Places the contract's order in the world of `prairieCatalog`. With it, every example is a request that succeeds, but an event can
 * be sent again only once a minute: `resends` is how often that is tried.
 */
export async function placeExampleOrder(
  service: TestService,
  secret: string,
  { resends = 1 } = {},
): Promise<typeof exampleOf> {
  const place = async () => {
    const { status, body } = await service.call(secret, exampleOf(endpoints.createOrder))
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.id as string
  }
  const id = await place()
  const callbacks = await service.call(secret, `/api/v2/orders/${id}/callbacks`)
  const orderParams = { id, callbackId: callbacks.body.data[0].id as string }
  const resendable: Record<string, string>[] = []
  for (let i = 0; i < resends; i++) {
    const changed = await place()
    await service.call(secret, { method: 'PUT', path: `/api/v2/orders/${changed}/cancellation` })
    const events = await service.call(secret, `/api/v2/orders/${changed}/events`)
    resendable.push({ id: changed, eventId: events.body.data[0].id as string })
  }
  return (endpoint) => {
    if (endpoint.path.endsWith('/resend')) return exampleOf(endpoint, resendable.shift() ?? endpoint.example.params)
    return exampleOf(endpoint, endpoint.tag === 'Orders' ? orderParams : endpoint.example.params)
  }
}

/** A path without its query. */
export const placeOf = (path: string) => path.replace(/\?.*$/, '')

/** The same request with a query more. */
export function withQuery<T extends { path: string }>(request: T, query: string): T {
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}${query}` }
}

/** The small world that the contract's examples are about. */
export function prairieCatalog(tenant: string, tokens: object[]): object {
  return catalogFile(tenant, {
    services: [
      { id: 'svc-dot-urine-5', name: 'DOT 5-Panel Urine Drug Test', category: 'drug', type: 'urine', isDot: true },
    ],
    packages: [{ id: 'pkg-dot-urine', name: 'DOT Urine Drug Test', services: ['svc-dot-urine-5'] }],
    clinics: [
      {
        id: 'clinic-blue-river',
        name: 'Blue River Rail & Road Clinic',
        address: { line1: '1420 N Chouteau Trafficway', city: 'Kansas City', state: 'MO', postalCode: '64120' },
        services: ['svc-dot-urine-5'],
      },
    ],
    companies: [
      {
        id: 'co-tallow-creek',
        name: 'Tallow Creek & Western Railway',
        packages: ['pkg-dot-urine'],
        locations: [{ id: 'loc-tallow-kansas-city', name: 'East Bottoms Yard' }],
      },
    ],
    tokens,
  })
}

/** A token of the examples' company: all scopes, where nothing else is said. */
export const prairieToken = (secret: string, members: Parameters<typeof token>[1] = {}) =>
  token(secret, { companies: ['co-tallow-creek'], scopes: SCOPES, ...members })
