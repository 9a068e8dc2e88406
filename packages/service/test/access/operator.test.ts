import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, scopesOf, STAFF_SCOPES, type Endpoint } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { NOBODY, exampleOf, routed as publicRoutes, type Routed } from '../http/walk.ts'
import { SECRET } from '../orders/given.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { OPERATOR } from '../support/operator.ts'
import { requestOf, routed, walkedWorld } from '../support/operator-walk.ts'

const only = (scope: string) => `only-${scope}-secret`
const without = (endpoint: Routed) => `without-${endpoint.name}-secret`
const THEIRS = 'their-operator-every-scope'

const staff = (secret: string, scopes: readonly (typeof STAFF_SCOPES)[number][]) =>
  token(secret, { scopes, companies: [] })

let service: TestService
beforeAll(async () => {
  service = await startService()
  const lacking = (endpoint: Endpoint) => STAFF_SCOPES.filter((scope) => !scopesOf(endpoint).includes(scope))
  await service.apply(
    walkedWorld([
      ...STAFF_SCOPES.map((scope) => staff(only(scope), [scope])),
      ...routed.map((endpoint) => staff(without(endpoint), lacking(endpoint))),
    ]),
    catalogFile('south', { tokens: [staff(THEIRS, STAFF_SCOPES)] }),
  )
})
afterAll(() => service.stop())

describe('the operator API', () => {
  test('every operator operation is routed', () => {
    const served = ({ method, path }: Endpoint) =>
      service.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })
    expect(routed.filter((endpoint) => !served(endpoint))).toEqual([])
  })

  test.each(routed)('$name answers a token with its scope as the contract specifies', async (endpoint) => {
    const { status, body, text, headers } = await service.call(OPERATOR, await requestOf(service, endpoint))
    expect({ text, documented: Object.keys(endpoint.replies) }).toMatchObject({
      documented: expect.arrayContaining([String(status)]),
    })
    expect(headers.get('content-type')).toBe(endpoint.replyType ?? 'application/json; charset=utf-8')
    const content = endpoint.replyType ? text : body
    expect(parse(endpoint.reply, content)).toEqual({ ok: true, value: content })
  })

  test.each(routed)(
    '$name refuses requests without a token, integrators, and operators without its scope',
    async (endpoint) => {
      const request = await requestOf(service, endpoint)
      // Providers are asked for a password too.
      const asked = scopesOf(endpoint).includes('operator.messages.receive')
        ? 'Basic realm="Providers", charset="UTF-8", '
        : ''
      const challenge = `${asked}Bearer error="insufficient_scope", scope="${scopesOf(endpoint).join(' ')}"`
      const nobody = await service.call(NOBODY, request)
      expect([refusalOf(nobody), nobody.headers.get('www-authenticate')]).toEqual([
        '401 unauthenticated',
        `${asked}Bearer`,
      ])
      for (const secret of [SECRET, without(endpoint)]) {
        const answer = await service.call(secret, request)
        expect({ secret, refusal: refusalOf(answer), challenge: answer.headers.get('www-authenticate') }).toEqual({
          secret,
          refusal: '401 insufficientScope',
          challenge,
        })
      }
    },
  )
})

test.each(STAFF_SCOPES)('the scope %s allows its own operations and no others', async (scope) => {
  for (const endpoint of routed) {
    const answer = await service.call(only(scope), exampleOf(endpoint))
    const passed = !answer.text.includes('"insufficientScope"')
    expect({ name: endpoint.name, passed }).toEqual({ name: endpoint.name, passed: scopesOf(endpoint).includes(scope) })
  }
})

const scoped = publicRoutes.filter((endpoint) => scopesOf(endpoint).length > 0)

test.each(scoped)('$name of the integrator API refuses operator tokens', async (endpoint) => {
  const refused = `${endpoint.scope === 'order.create' && endpoint.method === 'POST' ? 403 : 401} insufficientScope`
  expect(refusalOf(await service.call(OPERATOR, exampleOf(endpoint)))).toBe(refused)
})

describe('an operator of another tenant', () => {
  // A code that is set is added to the caller's own tenant if it is not there.
  const named = routed.filter(({ name, params }) => params && name !== 'rememberLaboratoryCode')

  test('a laboratory code that another tenant sets is not seen here', async () => {
    const path = '/api/operator/v1/laboratoryCodes/heartland/THEIRS'
    expect((await service.call(THEIRS, { method: 'PUT', path, body: { serviceId: 'urine' } })).status).toBe(200)
    expect(refusalOf(await service.call(OPERATOR, { method: 'DELETE', path }))).toBe('404 notFound')
  })

  test.each(named)('$name answers an operator of another tenant as if the resource did not exist', async (endpoint) => {
    const ours = await requestOf(service, endpoint)
    const theirs = await service.call(THEIRS, ours)
    const missing = await service.call(THEIRS, {
      ...ours,
      path: exampleOf(endpoint, { id: 'missing', serviceId: 'missing' }).path,
    })
    expect([refusalOf(theirs), refusalOf(missing)]).toEqual(['404 notFound', '404 notFound'])
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(theirs.headers)
    const { 'x-request-id': ___, date: ____, ...other } = Object.fromEntries(missing.headers)
    expect({ text: theirs.text, headers }).toEqual({ text: missing.text, headers: other })
    expect((await service.call(OPERATOR, ours)).status).toBeLessThan(300)
  })

  // Roles are the same for all tenants. Lists of one resource are among the reads above.
  const lists = routed.filter(
    ({ name, method, path }) => method === 'GET' && /list/i.test(name) && name !== 'listRoles' && !path.includes('{'),
  )

  test.each(lists)('$name lists nothing of another tenant', async ({ name: listed, path }) => {
    for (const name of [
      'pauseReceiver',
      'operatorReadOrder',
      'readDelivery',
      'readResult',
      'readRefusedMessage',
      'setClinic',
    ])
      await service.call(OPERATOR, await requestOf(service, endpointOf(name)))
    const url = listed === 'listBookings' ? `${path}?clinicId=open` : path
    const [ours, theirs] = [await service.call(OPERATOR, url), await service.call(THEIRS, url)]
    expect([ours.status, theirs.status]).toEqual([200, 200])
    expect(ours.body.data.length).toBeGreaterThan(0)
    const seen = new Set(ours.body.data.map((item: object) => JSON.stringify(item)))
    expect(theirs.body.data.filter((item: object) => seen.has(JSON.stringify(item)))).toEqual([])
    expect(theirs.body.total).toBe(theirs.body.data.length)
  })

  test('an operator reads, compares and applies only the catalog of the own tenant', async () => {
    const ours = (await service.call(OPERATOR, '/api/operator/v1/catalog')).body
    expect((await service.call(THEIRS, '/api/operator/v1/catalog')).body.tenant.id).toBe('south')
    for (const [method, path] of [
      ['PUT', '/api/operator/v1/catalog'],
      ['POST', '/api/operator/v1/catalog/diff'],
    ] as const)
      expect(refusalOf(await service.call(THEIRS, { method, path, body: ours }))).toBe('400 invalidValue /tenant/id')
  })

  test('an operator cannot assign a result report to a service of another tenant', async () => {
    const { body } = await service.call(OPERATOR, await requestOf(service, endpointOf('assignResult')))
    expect(body).toMatchObject({ state: 'applied' })
    const sent = await service.call(THEIRS, await requestOf(service, endpointOf('postResult')))
    expect(sent).toMatchObject({ status: 202, body: { why: 'noMatch' } })
    const path = `/api/operator/v1/results/${sent.body.id}/assignment`
    const assignment = { method: 'POST', path, body: { serviceId: body.serviceId } }
    expect(refusalOf(await service.call(THEIRS, assignment))).toBe('400 invalidValue /serviceId')
  })
})

describe('the audit log', () => {
  const changing = routed.filter(
    ({ name, method }) => method !== 'GET' && !['postResult', 'diffCatalog'].includes(name),
  )

  test.each(changing)('$name is recorded in the audit log with the token that called it', async (endpoint) => {
    const request = await requestOf(service, endpoint)
    if (endpoint.name === 'clearClinic')
      await service.call(OPERATOR, { ...request, method: 'PUT', body: { clinicId: 'open' } })
    const before = await entries()
    expect((await service.call(OPERATOR, request)).status).toBeLessThan(300)
    const after = await entries()
    expect(after.length).toBeGreaterThan(before.length)
    expect(after[0]).toMatchObject({ tokenId: 'operator' })
  })

  test('refused requests leave no entry in the audit log', async () => {
    const before = await entries()
    for (const endpoint of changing.filter(({ body, params }) => body ?? params)) {
      const missing = exampleOf(endpoint, { id: 'missing', serviceId: 'missing' })
      const answer = await service.call(OPERATOR, { ...missing, ...(endpoint.body && { body: { nonsense: true } }) })
      expect([400, 404]).toContain(answer.status)
    }
    expect(await entries()).toEqual(before)
  })

  const entries = () => service.pool<{ tokenId: string }[]>`
    select id, token_id, action from audit_entries where tenant_id = 'north' order by id desc`
})

const endpointOf = (name: string) => routed.find((endpoint) => endpoint.name === name)!
