import { describe, expect, test } from 'vitest'
import { endpoints, type CreateOrder as ContractCreate, type Endpoint, type Reply } from '@order-testing/contract'
import { OrderTesting, type CallOptions, type CreateOrder, type List } from '../src/index.ts'

type Name = keyof typeof endpoints

interface Sent {
  url: URL
  method: string
  headers: Headers
  body: string | undefined
}

/** A client whose every call gets this reply. */
function recording(status: number, reply: unknown) {
  const sent: Sent[] = []
  const client = new OrderTesting({
    token: 'secret',
    baseUrl: 'https://orders.example.com',
    fetch: async (url, { method = '', headers, body } = {}) => {
      sent.push({
        url: new URL(url instanceof Request ? url.url : url),
        method,
        headers: new Headers(headers),
        body: body as string | undefined,
      })
      return new Response(status === 204 ? null : JSON.stringify(reply), { status })
    },
  })
  return { client, sent }
}

const order = endpoints.createOrder.example.body as unknown as CreateOrder
const { callback } = order

/** How each operation of the contract is called. */
const CALLS: Record<Name, (client: OrderTesting, options: CallOptions) => PromiseLike<unknown>> = {
  createOrder: ({ orders }, options) => orders.create(order, options),
  createOrderV1: ({ orders }, options) => orders.createV1(order, options),
  listOrders: ({ orders }, options) => orders.list({ status: 'ordered', createdFrom: new Date(0) }, options),
  readOrder: ({ orders }, options) => orders.get('a/b', options),
  cancelOrder: ({ orders }, options) => orders.cancel('a/b', { reason: 'Hired elsewhere.' }, options),
  listOrderEvents: ({ orders }, options) => orders.events('a/b', { page: 2 }, options),
  validateOrder: ({ orders }, options) => orders.validate(order, options),
  listOrderCallbacks: ({ orders }, options) => orders.callbacks.list('a/b', { limit: 5 }, options),
  readOrderCallback: ({ orders }, options) => orders.callbacks.get('a/b', 'c', options),
  putOrderCallback: ({ orders }, options) => orders.callbacks.put('a/b', callback!, options),
  endOrderCallback: ({ orders }, options) => orders.callbacks.end('a/b', 'c', options),
  listEvents: ({ events }, options) => events.list({ cursor: '', limit: 3 }, options),
  resendEvent: ({ orders }, options) => orders.resendEvent('a/b', 'e', options),
  readToken: (client, options) => client.token(options),
  simulateOrder: ({ sandbox }, options) => sandbox.simulate('a/b', { outcome: 'negative' }, options),
  advanceClock: ({ sandbox }, options) => sandbox.advanceClock('a/b', { advanceSeconds: 60 }, options),
  troubleWebhook: ({ sandbox }, options) => sandbox.disturb('a/b', { kind: 'duplicate' }, options),
  listRequests: ({ sandbox }, options) => sandbox.requests({ limit: 5 }, options),
  listAgencies: ({ agencies }, options) => agencies.list({ code: 'FAA' }, options),
  readAgency: ({ agencies }, options) => agencies.get('x', options),
  readJobCategory: ({ agencies }, options) => agencies.jobCategory('x', 'y', options),
  listClinics: ({ clinics }, options) => clinics.list({ isActive: false, city: 'Naperville' }, options),
  readClinic: ({ clinics }, options) => clinics.get('x', options),
  searchClinics: ({ clinics }, options) => clinics.search({ near: { postalCode: '60540' } }, options),
  listCompanies: ({ companies }, options) => companies.list(undefined, options),
  readCompany: ({ companies }, options) => companies.get('x', options),
  listLocations: ({ locations }, options) => locations.list({ companyId: 'x' }, options),
  readLocation: ({ locations }, options) => locations.get('x', options),
  listPackages: ({ packages }, options) => packages.list({ locationId: 'x' }, options),
  readPackage: ({ packages }, options) => packages.get('x', options),
  listServices: ({ services }, options) => services.list({ name: 'urine' }, options),
  readService: ({ services }, options) => services.get('x', options),
}

describe('the client', () => {
  test.each(Object.keys(endpoints) as Name[])('sends %s as the contract has it and returns the reply', async (name) => {
    const { method, path, query, body, example, replies } = endpoints[name] as Endpoint
    const { client, sent } = recording(Number(Object.keys(replies)[0]), example.reply)
    expect(await CALLS[name](client, { timeoutMs: 1000 })).toEqual(example.reply)
    const [request, ...others] = sent
    expect(others).toEqual([])
    expect(request!.method).toBe(method)
    expect(request!.url.pathname).toMatch(new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
    expect(request!.headers.get('authorization')).toBe('Bearer secret')
    query!.parse(Object.fromEntries(request!.url.searchParams))
    const posted: unknown = request!.body === undefined ? undefined : JSON.parse(request!.body)
    expect(body ? body.safeParse(posted).success : posted === undefined).toBe(true)
    expect(request!.headers.get('content-type')).toBe(body ? 'application/json' : null)
  })

  test('sends an Idempotency-Key of its own with every create, and the given one', async () => {
    const { client, sent } = recording(201, endpoints.createOrder.example.reply)
    await client.orders.create(order)
    await client.orders.createV1(order)
    await client.orders.create(order, { idempotencyKey: 'mine' })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('mine')
  })

  test('keeps a path in the base URL', async () => {
    const sent: string[] = []
    const client = new OrderTesting({
      token: 'secret',
      baseUrl: 'https://gateway.example.com/testing/',
      fetch: async (url) => {
        sent.push(url as string)
        return Response.json({})
      },
    })
    await client.orders.get('x')
    expect(sent).toEqual(['https://gateway.example.com/testing/api/v2/orders/x'])
  })

  test.each(['', '.', '..'])('refuses the identifier "%s", which would lead to another path', async (id) => {
    const { client, sent } = recording(200, {})
    await expect(client.orders.get(id)).rejects.toThrow('identifier')
    expect(sent).toEqual([])
  })

  test.each([
    'orders.example.com',
    'ftp://orders.example.com',
    'https://u:p@orders.example.com',
    'https://x.example/?a=1',
  ])('refuses the base URL %s', (baseUrl) => {
    expect(() => new OrderTesting({ token: 'secret', baseUrl })).toThrow('`baseUrl` must be')
  })

  test.each(['', 'line\nbreak', 'naïve', 'x'.repeat(256)])('refuses the idempotency key %j', async (idempotencyKey) => {
    const { client, sent } = recording(201, {})
    await expect(client.orders.create(order, { idempotencyKey })).rejects.toThrow('idempotency key')
    expect(sent).toEqual([])
  })

  test('throws the mistake of a request that cannot be sent, and does not retry it', async () => {
    const { client, sent } = recording(200, {})
    await expect(client.orders.list({ createdFrom: new Date(Number.NaN) })).rejects.toThrow(RangeError)
    await expect(client.orders.create({ ...order, externalId: 1n as never })).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  test.each([undefined, null, 5, '', 'a b', 'line\nbreak', 'naïve'])(
    'refuses the token %j without repeating it',
    (token) => {
      const options = { token: token as string, baseUrl: 'https://x.example' }
      expect(() => new OrderTesting(options)).toThrow(
        new TypeError('The token is missing, empty or has invalid characters.'),
      )
    },
  )
})

/** What the service answers fits our types, and what our types allow fits the contract. */
type Answers<N extends Name, Ours> = Reply<(typeof endpoints)[N]> extends Ours ? true : never
type Item<L> = L extends List<infer T> ? T : never
type Listed<N extends Name, L> =
  Reply<(typeof endpoints)[N]> extends { data: (infer T)[] } ? (T extends Item<L> ? true : never) : never
type Resource<Key extends 'agencies' | 'clinics' | 'companies' | 'locations' | 'packages' | 'services'> =
  OrderTesting[Key]

test('the types of the client fit those of the contract', () => {
  const replies: [
    Answers<'readOrder', Awaited<ReturnType<OrderTesting['orders']['get']>>>,
    Answers<'validateOrder', Awaited<ReturnType<OrderTesting['orders']['validate']>>>,
    Answers<'readOrderCallback', Awaited<ReturnType<OrderTesting['orders']['callbacks']['get']>>>,
    Answers<'resendEvent', Awaited<ReturnType<OrderTesting['orders']['resendEvent']>>>,
    Answers<'readToken', Awaited<ReturnType<OrderTesting['token']>>>,
    Answers<'readJobCategory', Awaited<ReturnType<OrderTesting['agencies']['jobCategory']>>>,
    Listed<'listEvents', ReturnType<OrderTesting['events']['list']>>,
    Listed<'listOrderEvents', ReturnType<OrderTesting['orders']['events']>>,
    Listed<'listAgencies', ReturnType<Resource<'agencies'>['list']>>,
    Listed<'listClinics', ReturnType<Resource<'clinics'>['list']>>,
    Listed<'listCompanies', ReturnType<Resource<'companies'>['list']>>,
    Listed<'listLocations', ReturnType<Resource<'locations'>['list']>>,
    Listed<'listPackages', ReturnType<Resource<'packages'>['list']>>,
    Listed<'listServices', ReturnType<Resource<'services'>['list']>>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true]
  const create: CreateOrder extends (typeof ContractCreate)['_zod']['input'] ? true : never = true
  expect([...replies, create]).not.toContain(false)
})
