import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_SCOPES, type CatalogFile } from '@order-testing/contract'
import { readClinicMap } from '@order-testing/contract/operator'
import { refusalOf } from '../http/answers.ts'
import { created, SECRET } from '../orders/given.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { catalogOf } from '../support/operator-walk.ts'

const KEEPER = 'operator-secret-catalog-alone'
const BASE = staffed({
  tokens: [
    token(KEEPER, {
      id: 'keeper',
      scopes: OPERATOR_SCOPES.filter((scope) => scope !== 'operator.tokens.write'),
      companies: [],
    }),
  ],
})

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(BASE)
})
afterAll(() => service.stop())

const exported = () => catalogOf(service) as Promise<CatalogFile>
const apply = (file: unknown, secret = OPERATOR) => operate(service, 'PUT', '/catalog', file, secret)
const diff = (file: unknown, secret = OPERATOR) => operate(service, 'POST', '/catalog/diff', file, secret)

test('the map has the borders of the states, and every clinic whose place is known, where it is', async () => {
  const file = await exported()
  const place = (id: string, members: object) => ({ id, name: id, services: ['urine'], ...members })
  await apply({
    ...file,
    clinics: [
      place('chicago', { address: { city: 'Chicago', state: 'IL', postalCode: '60601' } }),
      place('miami', { coordinates: { lat: 25.8, long: -80.2 }, isActive: false }),
      place('honolulu', { coordinates: { lat: 21.3, long: -157.9 } }),
      place('paris', { coordinates: { lat: 48.9, long: 2.4 } }),
      place('nowhere', {}),
    ],
  })
  const { body } = await operate(service, 'GET', '/catalog/map')
  expect(readClinicMap.reply.parse(body)).toEqual(body)
  const { states, clinics, width, height } = readClinicMap.reply.parse(body)
  expect(clinics.map(({ id, isActive }) => [id, isActive])).toEqual([
    ['chicago', true],
    ['honolulu', true],
    ['miami', false],
  ])
  const [chicago, honolulu, miami] = clinics.map(({ x, y }) => [x / width, y / height] as const)
  expect(chicago![0]).toBeLessThan(miami![0])
  expect(chicago![1]).toBeLessThan(miami![1])
  // Hawaii is drawn below the southwest.
  expect(honolulu![0]).toBeLessThan(0.4)
  expect(honolulu![1]).toBeGreaterThan(0.8)
  expect(states).toMatch(/^(M[\d. L-]+Z)+$/)
  expect(states.match(/M/g)!.length).toBeGreaterThan(49)
  expect(states.length).toBeLessThan(200_000)
  await apply(file)
})

test('the exported catalog has no secrets, and applying it changes nothing', async () => {
  const { text } = await operate(service, 'GET', '/catalog')
  expect(text).not.toMatch(/secretHash|acme-secret-full-scope","companies|"secret":/)
  const nothing = {
    object: 'catalogChanges',
    added: 0,
    changed: 0,
    deactivated: 0,
    openBookings: 0,
    openOrders: 0,
    changes: [],
  } as object
  expect((await diff(JSON.parse(text))).body).toMatchObject(nothing)
  expect((await apply(JSON.parse(text))).body).toMatchObject(nothing)
})

test('the difference counts the open orders of a company that is switched off', async () => {
  const file = await exported()
  const companies = file.companies.map((company) => (company.id === 'acme' ? { ...company, isActive: false } : company))
  const { body: none } = await diff({ ...file, companies })
  const [, second] = [await created(service), await created(service)]
  expect((await diff({ ...file, companies })).body).toMatchObject({ openOrders: none.openOrders + 2 })
  await operate(service, 'PUT', `/orders/${second.id}/cancellation`, { reason: 'Placed twice.' })
  expect((await diff({ ...file, companies })).body).toMatchObject({ openOrders: none.openOrders + 1 })
  expect((await diff(file)).body).toMatchObject({ openOrders: 0 })
})

describe('catalog files of the operator API', () => {
  test('a file can be compared, then applied, and takes effect at once', async () => {
    const file = await exported()
    const changed = {
      ...file,
      clinics: [{ id: 'new', name: 'New Clinic', services: ['urine'] }],
      companies: file.companies.map((company) => (company.id === 'acme' ? { ...company, name: 'Acme Two' } : company)),
      packages: file.packages.map((pkg) => (pkg.id === 'basic' ? { ...pkg, name: 'Plain' } : pkg)),
    }
    const expected = {
      added: 1,
      changed: 2,
      deactivated: 0,
      changes: expect.arrayContaining([
        { kind: 'clinics', id: 'new', name: 'New Clinic', action: 'add', members: [] },
        { kind: 'companies', id: 'acme', name: 'Acme Two', action: 'change', members: ['name'] },
      ]),
    }
    expect((await diff(changed)).body).toMatchObject(expected)
    expect(await exported()).toEqual(file)
    expect((await apply(changed)).body).toMatchObject(expected)
    expect((await service.call(SECRET, '/api/v2/companies/acme')).body.name).toBe('Acme Two')
    const { body } = await operate(service, 'GET', '/audit?action=catalog.apply&limit=1')
    expect(body.data).toMatchObject([
      {
        tokenId: 'operator',
        subject: { type: 'catalog', id: 'north' },
        after: { clinics: { add: 1 }, companies: { change: 1 }, packages: { change: 1 } },
      },
    ])
    expect(JSON.stringify(body)).not.toContain('Acme Two')
    await apply(file)
  })

  test('a file that was compared with an earlier catalog is refused, and one compared with the current catalog is applied', async () => {
    const file = await exported()
    const named = (name: string) => ({ ...file, clinics: [{ id: 'raced', name, services: ['urine'] }] })
    const { basedOn } = (await diff(named('First'))).body as { basedOn: string }
    expect((await diff(named('Second'))).body.basedOn).toBe(basedOn)
    expect((await operate(service, 'PUT', `/catalog?basedOn=${basedOn}`, named('First'))).status).toBe(200)
    const late = await operate(service, 'PUT', `/catalog?basedOn=${basedOn}`, named('Second'))
    expect(refusalOf(late)).toBe('409 conflict')
    expect((await exported()).clinics).toMatchObject([{ name: 'First' }])
    const again = (await diff(named('Second'))).body as { basedOn: string }
    expect((await operate(service, 'PUT', `/catalog?basedOn=${again.basedOn}`, named('Second'))).status).toBe(200)
    await apply(file)
  })

  test('an invalid file is refused with all problems and pointers, and nothing of it is applied', async () => {
    const file = await exported()
    const wrong = {
      ...file,
      packages: [...file.packages, { id: 'extra', name: 'Extra', services: ['none'] }],
      tokens: [...file.tokens, { id: 'both', name: 'Both', scopes: ['order.read', 'intake.lab'], companies: [] }],
    }
    const places = [`/packages/${file.packages.length}/services/0`, `/tokens/${file.tokens.length}/scopes`]
    const refusal = `400 ${places.map((place) => `invalidValue ${place}`).join(', ')}`
    for (const send of [diff, apply]) expect(refusalOf(await send(wrong))).toBe(refusal)
    expect(refusalOf(await apply({ ...file, tennant: {} }))).toBe('400 unrecognizedKeys /tennant')
    expect(refusalOf(await apply(undefined))).toBe('400 required')
    expect(await exported()).toEqual(file)
  })

  test('a file of another tenant is refused, whether the tenant exists or not', async () => {
    const file = await exported()
    for (const id of ['south', 'nobody'])
      expect(refusalOf(await apply({ ...file, tenant: { id, name: id } }))).toBe('400 invalidValue /tenant/id')
  })

  test('a file may be larger than other request bodies', async () => {
    const file = await exported()
    const clinics = Array.from({ length: 5_000 }, (_, i) => ({ id: `c${i}`, name: `Clinic ${i}`, services: ['urine'] }))
    expect(JSON.stringify(clinics).length).toBeGreaterThan(256 * 1024)
    expect((await diff({ ...file, clinics })).body).toMatchObject({ added: 5_000 })
    const text = await fetch(`${service.origin}/api/operator/v1/catalog`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'text/plain' },
      body: JSON.stringify(file),
    })
    expect(text.status).toBe(415)
  })

  test('a file that changes tokens requires the scope to issue them', async () => {
    const file = await exported()
    const granting = {
      ...file,
      tokens: [
        ...file.tokens,
        { id: 'new', name: 'New', scopes: ['operator.*'], companies: [], secret: 'a-secret-of-my-own-making' },
      ],
    }
    const answer = await apply(granting, KEEPER)
    expect(refusalOf(answer)).toBe('401 insufficientScope /tokens')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"')
    expect((await service.call('a-secret-of-my-own-making', '/api/operator/v1/orders')).status).toBe(401)
    expect((await apply({ ...file, clinics: [] }, KEEPER)).status).toBe(200)
  })

  test('a file that would disable the token that applies it is refused', async () => {
    const file = await exported()
    const others = file.tokens.filter(({ id }) => id !== 'operator')
    const own = file.tokens.find(({ id }) => id === 'operator')!
    const ways = [
      others,
      [...others, { ...own, secret: 'another-secret-for-the-operator' }],
      [...others, { ...own, expiresAt: '2020-01-01T00:00:00Z' }],
    ]
    for (const tokens of ways) expect(refusalOf(await apply({ ...file, tokens }))).toBe('422 invalidState')
    expect(await exported()).toEqual(file)
    expect((await apply({ ...file, tokens: [...others, { ...own, name: 'Renamed' }] })).status).toBe(200)
  })
})

test('in production, a file with secrets is neither applied nor compared, and pointers name them', async () => {
  const production = await startService({ policy: { production: true, callbackAllow: [] } })
  try {
    await production.apply(BASE)
    const stored = (await catalogOf(production)) as CatalogFile
    const text = { version: '1', en: 'Text of the tenant.' }
    const texts = { backgroundDisclosure: text, backgroundAuthorization: text }
    const file = { ...stored, tenant: { ...stored.tenant, texts } }
    expect((await operate(production, 'PUT', '/catalog', file)).status).toBe(200)
    const tokens = [...file.tokens, token('demo-token-full-scope-0001', { id: 'demo' })]
    const refused = `400 invalidValue /tokens/${tokens.length - 1}/secret`
    const applied = await operate(production, 'PUT', '/catalog', { ...file, tokens })
    expect(refusalOf(applied)).toBe(refused)
    expect(applied.text).toContain('ots token issue')
    expect(refusalOf(await operate(production, 'POST', '/catalog/diff', { ...file, tokens }))).toBe(refused)
    expect((await operate(production, 'GET', '/tokens/demo')).status).toBe(404)
  } finally {
    await production.stop()
  }
})
