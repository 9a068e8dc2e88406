import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints, SCOPES, type CatalogFile, type Endpoint } from '@order-testing/contract'
import { startService, token, type TestService } from '../support/service.ts'
import { exampleOf, placeOf, routed, type Request } from './walk.ts'

const DEMO = JSON.parse(await readFile(new URL('../../catalog/demo.json', import.meta.url), 'utf8')) as CatalogFile

const DEMO_SECRET = DEMO.tokens[0]?.secret ?? ''

/** Whatever an operator may call things. */
const NASTY_IDS = [
  'a/b',
  '/',
  '//',
  '?',
  '?a=b',
  '#',
  '%',
  '%2F',
  '%252F',
  '%zz',
  '~',
  '~1',
  ' ',
  ' x ',
  '+',
  'é',
  'e\u0301',
  '"',
  "'",
  '\\',
  '`',
  '<b>&amp;',
  '😀',
  '👩‍👩‍👧',
  '漢字',
  'עברית',
  '...',
  'a.',
  '.a',
  ':id',
  '{id}',
  '*',
  ';a=b',
  '@:$,&=',
  '__proto__',
  'constructor',
  'search',
  'null',
  '0',
  'x'.repeat(255),
  '漢'.repeat(255),
  '😀'.repeat(127),
  '%'.repeat(255),
]

/** The first characters, none of them cut in halves. */
const begin = (text: string, length: number) => Array.from(text).slice(0, length).join('')

const named = (id: string) => ({ id, name: begin(`${id} by name`, 120) })

const NASTY = {
  tenant: { id: 'nasty / tenant', name: 'Nasty' },
  services: NASTY_IDS.map((id) => ({ ...named(id), category: 'drug', type: begin(id, 30), isDot: false })),
  packages: NASTY_IDS.map((id) => ({ ...named(id), services: [id, 'a/b'] })),
  clinics: NASTY_IDS.map((id, i) => ({
    ...named(id),
    address: { line1: id, city: id, state: begin(id, 30), postalCode: '60540' },
    services: [id],
    isActive: i % 5 > 0,
  })),
  companies: NASTY_IDS.map((id) => ({ ...named(id), packages: [id], locations: [{ ...named(id), packages: [id] }] })),
  tokens: [token('nasty-secret-token', { scopes: SCOPES, companies: NASTY_IDS })],
}

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.apply(DEMO, NASTY)
  await placeOrder(DEMO_SECRET, { location: { id: 'loc-tallow-kansas-city' }, package: { id: 'pkg-dot-urine' } })
  const unregulated = { agency: undefined, jobCategory: undefined }
  for (const id of NASTY_IDS)
    await placeOrder('nasty-secret-token', { location: { id }, package: { id }, ...unregulated })
})

/** An order that has changed, and so has an event. */
async function placeOrder(secret: string, members: object): Promise<void> {
  const body = { ...endpoints.createOrder.example.body, ...members }
  const answer = await service.call(secret, { method: 'POST', path: '/api/v2/orders', body })
  expect(answer).toMatchObject({ status: 201 })
  expectToFit(endpoints.createOrder, answer.body)
  const { status } = await service.call(secret, { method: 'PUT', path: `${answer.body.url}/cancellation` })
  expect(status).toBe(200)
}

afterAll(() => service.stop())

interface Linked {
  id: string
  object: string
  url: string
  isActive?: boolean
}

describe.each([
  {
    catalog: 'the demo catalog',
    secret: DEMO_SECRET,
    search: { query: 'clinic', near: { postalCode: '60540' }, radiusMiles: 500 },
    atLeast: 80,
  },
  {
    catalog: 'a catalog of nasty ids',
    secret: 'nasty-secret-token',
    search: { near: { postalCode: '60540' } },
    atLeast: 6 * NASTY_IDS.length,
  },
])('in $catalog', ({ secret, search, atLeast }) => {
  test('every url in any answer leads to its resource', async () => {
    const found = new Map<string, Linked>()
    const queue: Linked[] = []
    const collect = (body: unknown) => {
      for (const link of linksIn(body)) {
        const key = `${link.url} ${link.object} ${link.id}`
        if (!found.has(key)) queue.push(link)
        found.set(key, link)
      }
    }
    const walk = async (endpoint: Endpoint, asked: Asked) => {
      for (const body of await pagesOf(secret, endpoint, asked)) collect(body)
    }
    for (const endpoint of COLLECTIONS.filter((each) => !isOfOne(each))) await walk(endpoint, { search })
    for (let link = queue.shift(); link; link = queue.shift()) {
      collect(await follow(secret, link))
      const { object, id } = link
      if (object === 'order')
        for (const endpoint of COLLECTIONS.filter(isOfOne)) await walk(endpoint, { params: { id } })
    }

    const kinds = new Set([...found.values()].map(({ object }) => object))
    expect([...kinds].toSorted()).toEqual(OBJECTS)
    expect(found.size).toBeGreaterThan(atLeast)
  })
})

const OBJECTS = ['agency', 'callback', 'clinic', 'company', 'jobCategory', 'location', 'order', 'package', 'service']

const COLLECTIONS = routed.filter(({ reply }) => reply instanceof z.ZodObject && 'total' in reply.shape)

/** Whether it lists what belongs to one resource, which so far is always an order. */
const isOfOne = ({ path }: Endpoint) => path.includes('{')

interface Asked {
  search?: object
  params?: Record<string, string>
}

/** Reads what a link leads to; an inactive clinic is listed, and yet not found (Conventions 5). */
async function follow(secret: string, link: Linked): Promise<unknown> {
  const endpoint = routed.find(({ method, path }) => method === 'GET' && templateOf(path).test(link.url))
  const { status, body } = await service.call(secret, link.url)
  expect({ link, endpoint, status }).toEqual({
    link,
    endpoint: expect.anything(),
    status: link.isActive === false ? 404 : 200,
  })
  if (!endpoint || status !== 200) return undefined
  expect(body).toMatchObject({ id: link.id, object: link.object, url: link.url })
  expectToFit(endpoint, body)
  return body
}

/** All pages of a collection, in small helpings. */
async function pagesOf(secret: string, endpoint: Endpoint, asked: Asked): Promise<unknown[]> {
  const bodies: { data: (Omit<Linked, 'url'> & { url?: string })[]; total: number }[] = []
  const hasCursor = 'cursor' in (endpoint.query?.shape ?? {}) && !('page' in endpoint.query!.shape)
  for (let [page, cursor] = [1, '']; ; page++) {
    const place = hasCursor ? { cursor, limit: 7 } : { page, limit: 7 }
    const { status, body, text } = await service.call(secret, pageOf(endpoint, place, asked))
    expect({ status, text }).toMatchObject({ status: 200 })
    expectToFit(endpoint, body)
    expect(body).toMatchObject({ page: hasCursor ? 1 : page, limit: 7 })
    if (body.data.length === 0) break
    cursor = body.nextCursor ?? ''
    bodies.push(body)
  }
  // Events have no address of their own.
  const entries = bodies.flatMap(({ data }) => data.map(({ url, id }) => url ?? id))
  expect(entries.filter((entry, i) => entries.indexOf(entry) !== i)).toEqual([])
  expect(entries).not.toEqual([])
  expect(bodies.map(({ total }) => total)).toEqual(bodies.map(() => entries.length))
  return bodies
}

function pageOf(
  endpoint: Endpoint,
  place: { limit: number; page?: number; cursor?: string },
  { search, params }: Asked,
): Request {
  const { method, path, body } = exampleOf(endpoint, params)
  if (body !== undefined) return { method, path, body: { ...search, ...place } }
  const query = Object.entries(place).map(([name, value]) => `${name}=${value}`)
  return { method, path: `${placeOf(path)}?${query.join('&')}` }
}

/** That an answer has the members of its schema, and none besides. */
function expectToFit({ reply }: Endpoint, body: unknown): void {
  expect(z.parse(reply, body)).toEqual(body)
}

/** Everything in an answer that says where it can be found, at whatever depth. */
function linksIn(value: unknown): Linked[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap((member) => linksIn(member))
  return 'url' in value ? [value as Linked, ...inner] : inner
}

const templateOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?#]+')}$`)
