import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, SCOPES } from '@order-testing/contract'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { routed } from './walk.ts'

/** Stands in the id and the name of all that the token under test must never meet. */
const HIDDEN = 'hidden'

const address = { line1: '1 Main Street', city: 'Naperville', state: 'IL', postalCode: '60540' }

const company = (id: string, packages: string[], members: object = {}) => ({
  id,
  name: `Company ${id}`,
  packages,
  locations: [
    { id: `${id}-site`, name: `Site ${id}` },
    { id: `${id}-own`, name: `Own ${id}`, packages: ['shared', `${id}-only`] },
  ],
  ...members,
})

const service_ = (id: string) => ({ id, name: `Service ${id}`, category: 'drug', type: 'urine', isDot: false })
const package_ = (id: string, members: object = {}) => ({ id, name: `Package ${id}`, services: ['urine'], ...members })
const clinic = (id: string, members: object = {}) => ({
  id,
  name: `Clinic ${id}`,
  address,
  services: ['urine'],
  ...members,
})

/** The tenant of the token: a linked company, one that is not linked, and a linked one that becomes inactive. */
const ours = ({ closed }: { closed: boolean }) =>
  catalogFile('ours', {
    services: [service_('urine')],
    packages: [
      package_('shared'),
      package_('acme-only'),
      package_(`${HIDDEN}-foreign-only`),
      package_(`${HIDDEN}-closed-only`),
      package_(`${HIDDEN}-switched-off`, { isActive: false }),
      package_(`${HIDDEN}-assigned-nowhere`),
    ],
    clinics: [clinic('open'), clinic(`${HIDDEN}-shut`, { isActive: false })],
    companies: [
      company('acme', ['shared', `${HIDDEN}-switched-off`], {
        locations: [
          { id: 'acme-site', name: 'Site acme' },
          { id: 'acme-own', name: 'Own acme', packages: ['acme-only'] },
          { id: `${HIDDEN}-acme-shut`, name: `Shut ${HIDDEN}`, isActive: false },
        ],
      }),
      company(`${HIDDEN}-foreign`, ['shared']),
      company(`${HIDDEN}-closed`, ['shared'], { isActive: !closed }),
    ],
    tokens: [
      token('ours-secret-token', { companies: ['acme', `${HIDDEN}-closed`] }),
      token('bare-secret-token', { companies: [] }),
      token('foreign-secret-token', { companies: [`${HIDDEN}-foreign`] }),
    ],
  })

/** Another tenant, some of whose ids are ours too, and which assigns what we do not. */
const THEIRS = catalogFile('theirs', {
  services: [service_(`${HIDDEN}-their-service`), { ...service_('urine'), name: `Theirs, ${HIDDEN}` }],
  packages: [
    package_(`${HIDDEN}-their-package`),
    { ...package_('shared'), name: `Theirs, ${HIDDEN}` },
    package_('acme-only'),
    package_(`${HIDDEN}-assigned-nowhere`),
  ],
  clinics: [clinic(`${HIDDEN}-their-clinic`), { ...clinic('open'), name: `Theirs, ${HIDDEN}` }],
  companies: [
    company(`${HIDDEN}-their-company`, ['shared', `${HIDDEN}-their-package`], {
      locations: [{ id: `${HIDDEN}-their-location`, name: 'Theirs' }],
    }),
    { ...company('acme', ['shared', `${HIDDEN}-assigned-nowhere`]), name: `Theirs, ${HIDDEN}` },
  ],
  tokens: [token('theirs-secret-token', { companies: ['acme', `${HIDDEN}-their-company`] })],
})

let service: TestService
/** Orders that the token must not see, by the reason why. */
const orders = { foreign: '', closed: '', theirs: '' }
/** One that it may see, and that has changed. */
let own = ''

beforeAll(async () => {
  service = await startService()
  await service.apply(ours({ closed: false }), THEIRS)
  own = await placeOrder('ours-secret-token', 'acme-site')
  await cancel('ours-secret-token', own)
  orders.foreign = await placeOrder('foreign-secret-token', `${HIDDEN}-foreign-site`)
  orders.closed = await placeOrder('ours-secret-token', `${HIDDEN}-closed-site`)
  orders.theirs = await placeOrder('theirs-secret-token', 'acme-site')
  await service.apply(ours({ closed: true }), THEIRS)
  await sleep(600)
})

async function placeOrder(secret: string, locationId: string): Promise<string> {
  const { agency: _, jobCategory: __, ...order } = endpoints.createOrder.example.body
  const body = { ...order, location: { id: locationId }, package: { id: 'shared' } }
  const answer = await service.call(secret, { method: 'POST', path: '/api/v2/orders', body })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body.id
}

const cancel = (secret: string, id: string) =>
  service.call(secret, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })

afterAll(() => service.stop())

const get = async (path: string) => service.call('ours-secret-token', path)
const search = async (body: object) =>
  service.call('ours-secret-token', { method: 'POST', path: '/api/v2/clinics/search', body })

const KINDS = ['companies', 'locations', 'packages', 'clinics', 'services'] as const

/** Ids that are not found, each for a different reason. */
const NOWHERE: Record<(typeof KINDS)[number], string[]> = {
  companies: ['missing', `${HIDDEN}-foreign`, `${HIDDEN}-closed`, `${HIDDEN}-their-company`],
  locations: [
    'missing',
    `${HIDDEN}-acme-shut`,
    `${HIDDEN}-foreign-site`,
    `${HIDDEN}-closed-site`,
    `${HIDDEN}-their-location`,
  ],
  packages: [
    'missing',
    `${HIDDEN}-switched-off`,
    `${HIDDEN}-assigned-nowhere`,
    `${HIDDEN}-foreign-only`,
    `${HIDDEN}-closed-only`,
    `${HIDDEN}-their-package`,
  ],
  clinics: ['missing', `${HIDDEN}-shut`, `${HIDDEN}-their-clinic`],
  services: ['missing', `${HIDDEN}-their-service`],
}

describe('what a token cannot see', () => {
  const lists = routed.filter(({ name }) => name.startsWith('list'))

  test.each(lists)('$name does not list what the token cannot see', async ({ name, path }) => {
    const place = path.replace('{id}', own)
    // An inactive clinic is the tenant's own: it is listed and says so.
    const { body, text } = await get(name === 'listClinics' ? `${place}?isActive=true` : place)
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.total).toBe(body.data.length)
    expect(text).not.toContain(HIDDEN)
  })

  test.each([
    '/api/v2/locations?companyId=acme',
    '/api/v2/packages?locationId=acme-site',
    '/api/v2/packages/shared',
    '/api/v2/packages/acme-only',
    '/api/v2/companies/acme',
    '/api/v2/clinics/open',
    '/api/v2/services/urine',
  ])('nothing that %s returns contains it', async (path) => {
    const { status, text } = await get(path)
    expect(status).toBe(200)
    expect(text).not.toContain(HIDDEN)
  })

  test('invisible locations are not listed for a shared package', async () => {
    expect((await get('/api/v2/packages/shared')).body.locationIds).toEqual(['acme-site'])
    expect((await get('/api/v2/packages/acme-only')).body.locationIds).toEqual(['acme-own'])
  })

  test.each(NOWHERE.companies)('a filter for the company %s gives an empty page', async (id) => {
    for (const kind of ['locations', 'orders'])
      expect((await get(`/api/v2/${kind}?companyId=${id}`)).body).toMatchObject({ data: [], total: 0 })
  })

  test.each(NOWHERE.locations)('a filter for the location %s gives an empty page', async (id) => {
    for (const kind of ['packages', 'orders'])
      expect((await get(`/api/v2/${kind}?locationId=${id}`)).body).toMatchObject({ data: [], total: 0 })
  })

  test('an invisible order is not found by its code', async () => {
    const [row] = await service.pool<{ code: string }[]>`select code from orders where id = ${orders.foreign}`
    expect((await service.call('foreign-secret-token', `/api/v2/orders?code=${row?.code}`)).body.total).toBe(1)
    expect((await get(`/api/v2/orders?code=${row?.code}`)).body).toMatchObject({ data: [], total: 0 })
  })

  test('an invisible order cannot be cancelled', async () => {
    for (const id of Object.values(orders))
      expect(refusalOf(await cancel('ours-secret-token', id))).toBe('404 notFound')
    expect(await service.pool`select id from orders where status = 'cancelled' and id <> ${own}`).toEqual([])
  })

  test.each(KINDS)('no name filter finds an invisible one of the %s', async (kind) => {
    const active = kind === 'clinics' ? '&isActive=1' : ''
    expect((await get(`/api/v2/${kind}?name=${HIDDEN}${active}`)).body).toMatchObject({ data: [], total: 0 })
  })

  test('a search does not find invisible clinics', async () => {
    expect((await search({ query: HIDDEN })).body).toMatchObject({ data: [], total: 0 })
    const { body, text } = await search({ near: { postalCode: '60540' } })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['open'])
    expect(text).not.toContain(HIDDEN)
  })

  test('invisible packages neither narrow a search nor reveal themselves in it', async () => {
    expect((await search({ query: 'clinic', packageId: 'shared' })).body).toMatchObject({ total: 1 })
    for (const packageId of NOWHERE.packages)
      expect({ packageId, ...(await search({ query: 'clinic', packageId })).body }).toMatchObject({
        packageId,
        data: [],
        total: 0,
      })
    expect((await search({ query: 'clinic', serviceIds: [`${HIDDEN}-their-service`] })).body).toMatchObject({
      total: 0,
    })
  })

  test('a token without companies sees nothing that belongs to a company', async () => {
    for (const kind of ['companies', 'locations', 'packages', 'orders'])
      expect((await service.call('bare-secret-token', `/api/v2/${kind}`)).body).toMatchObject({ data: [], total: 0 })
    expect(refusalOf(await service.call('bare-secret-token', '/api/v2/packages/shared'))).toBe('404 notFound')
  })

  test('the token of the owner sees it', async () => {
    const { status, text } = await service.call('theirs-secret-token', '/api/v2/companies/acme')
    expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining(HIDDEN) })
  })
})

describe('a lookup that fails does not say why (Conventions 5)', () => {
  const paths = [
    ...KINDS.flatMap((kind) => NOWHERE[kind].map((id) => `/api/v2/${kind}/${id}`)),
    '/api/v2/agencies/missing',
    '/api/v2/agencies/FRA',
    '/api/v2/agencies/fra/jobCategories/missing',
    '/api/v2/agencies/fra/jobCategories/flight-attendant',
    '/api/v2/agencies/missing/jobCategories/engine-service',
    // Ids that cannot be.
    ...KINDS.flatMap((kind) =>
      ['%00', 'a%00b', '%F0%9F%92%A5', '..%2f..', "'--", 'x'.repeat(5_000)].map((id) => `/api/v2/${kind}/${id}`),
    ),
  ]

  test('failed lookups have the same bytes and headers for every reason and kind', async () => {
    const seen = async (path: string) => {
      const answer = await get(path)
      expect({ path, refusal: refusalOf(answer) }).toEqual({ path, refusal: '404 notFound' })
      const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(answer.headers)
      return { text: answer.text, headers }
    }
    const expected = await seen('/api/v2/companies/missing')
    const placed = ['missing', ...Object.values(orders)].flatMap((id) => [
      `/api/v2/orders/${id}`,
      `/api/v2/orders/${id}/events`,
    ])
    for (const path of [...paths, ...placed]) expect({ path, ...(await seen(path)) }).toEqual({ path, ...expected })
  })

  test('visible ids are found', async () => {
    for (const path of ['companies/acme', 'locations/acme-own', 'packages/shared', 'clinics/open', 'services/urine'])
      expect({ path, ...(await get(`/api/v2/${path}`)) }).toMatchObject({ path, status: 200 })
  })
})

test('a company that is deactivated and activated again disappears and returns with its dependents', async () => {
  const world = (isActive: boolean) =>
    catalogFile('switch', {
      clinics: [clinic('open', { services: ['urine'] })],
      companies: [
        { id: 'acme', name: 'Acme', isActive, packages: ['basic'], locations: [{ id: 'acme-hq', name: 'HQ' }] },
      ],
      tokens: [token('switch-secret-token', { scopes: SCOPES })],
    })
  const seen = async () =>
    Promise.all(
      ['/companies/acme', '/locations/acme-hq', '/packages/basic'].map(
        async (path) => (await service.call('switch-secret-token', `/api/v2${path}`)).status,
      ),
    )
  await service.apply(world(true))
  await expect.poll(seen).toEqual([200, 200, 200])
  await service.apply(world(false))
  await expect.poll(seen).toEqual([404, 404, 404])
  await service.apply(world(true))
  await expect.poll(seen).toEqual([200, 200, 200])
})
