import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints, SCOPES, STAFF_SCOPES, type ErrorBody } from '@order-testing/contract'
import { operatorEndpoints } from '@order-testing/contract/operator'
import { openapiText, operatorOpenapiText } from '@order-testing/contract/openapi'
import { cancel } from '../../src/domain/orders/life.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { errorBody, handleError } from '../../src/http/errors.ts'
import { RateLimit } from '../../src/http/limits/rate-limit.ts'
import { Unavailable } from '../../src/store/db/errors.ts'
import { orderOf } from '../support/orders.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { exampleOf, NOBODY, prairieCatalog, prairieToken } from './walk.ts'

/** Every error example of both OpenAPI documents is an answer that the service gives, word by word. */

const SECRET = 'prairie-secret-full'
const SCOPELESS = 'prairie-secret-without-scopes'
const OPERATOR = 'prairie-secret-operator'
const KEY = { 'idempotency-key': 'documented' }
const HUGE = 'x'.repeat(256 * 1024 + 1)

let service: TestService

beforeAll(async () => {
  service = await startService()
  const scopeless = SCOPES.filter((scope) => scope !== 'order.create' && scope !== 'order.list')
  const staff = STAFF_SCOPES.filter((scope) => scope !== 'operator.orders.read')
  const catalog = prairieCatalog('prairie', [
    prairieToken(SECRET),
    prairieToken(SCOPELESS, { scopes: scopeless }),
    token(OPERATOR, { scopes: staff, companies: [] }),
  ]) as { packages: object[]; companies: { packages: string[] }[] }
  catalog.packages.push({ id: 'dot-urine-again', name: 'DOT Urine Drug Test', services: ['svc-dot-urine-5'] })
  catalog.companies[0]!.packages.push('dot-urine-again')
  await service.apply(catalog)
})

afterAll(() => service.stop())

type Sent = Parameters<TestService['call']>[1]

const ask = async (secret: string | null, sent: Sent) => (await service.call(secret, sent)).body as ErrorBody
const order = exampleOf(endpoints.createOrder)
const orderBody = order.body as { participant: object; requester: object }
const invalidOrder = {
  ...orderBody,
  participant: { firstName: 'Maria' },
  requester: { ...orderBody.requester, email: 'dispatch' },
  jobCategories: [],
}
const createToken = exampleOf(operatorEndpoints.createToken)

/** How each example of a document comes about, by the names of its response and of the example. */
const INTEGRATORS: Record<string, () => Promise<ErrorBody> | ErrorBody> = {
  'Invalid body': () => ask(SECRET, { ...order, body: invalidOrder }),
  'Invalid query': () => ask(SECRET, '/api/v2/orders?page=0&location=aurora'),
  'InvalidV1 body': () => ask(SECRET, { ...order, path: '/api/v1/orders', body: invalidOrder }),
  'Unauthenticated unauthenticated': () => ask(NOBODY, order),
  'Unauthorized unauthenticated': () => ask(NOBODY, '/api/v2/orders'),
  'Unauthorized insufficientScope': () => ask(SCOPELESS, '/api/v2/orders'),
  'Forbidden insufficientScope': () => ask(SCOPELESS, order),
  'NotFound notFound': () => ask(SECRET, '/api/v2/orders/unknown'),
  'Conflict ambiguous': () =>
    ask(SECRET, { ...order, body: { ...orderBody, package: { name: 'DOT Urine Drug Test' } } }),
  'Conflict idempotencyKey': async () => {
    await ask(SECRET, { ...order, headers: KEY })
    return ask(SECRET, { ...order, headers: KEY, body: { ...orderBody, testReason: 'periodic' } })
  },
  'ContentTooLarge tooBig': () => ask(SECRET, { ...order, body: HUGE }),
  'UnsupportedMediaType mediaType': () => ask(SECRET, { ...order, headers: { 'content-type': 'text/plain' } }),
  'InvalidState invalidState': () =>
    refusedWith(422, () => cancel(orderOf({ status: 'negative', code: 'K7M4-2QXD' }), null, new Date())),
  'TooManyRequests tooManyRequests': () => refusedWith(429, exceedRateLimit),
  'ServerError internalError': failing,
  'Unavailable unavailable': unavailable,
}

const OPERATORS: typeof INTEGRATORS = {
  ...INTEGRATORS,
  'Invalid body': () =>
    ask(OPERATOR, {
      method: 'PUT',
      path: '/api/operator/v1/orders/any/clinic',
      body: { clinic: 'naperville', appointmentAt: 'tomorrow' },
    }),
  'Invalid mixedScopes': () => {
    const body = { id: 'mixed', name: 'Mixed', scopes: ['order.read', 'operator.orders.read'] }
    return ask(OPERATOR, { ...createToken, body })
  },
  'Unauthorized unauthenticated': () => ask(NOBODY, '/api/operator/v1/orders'),
  'Unauthorized insufficientScope': () => ask(OPERATOR, '/api/operator/v1/orders'),
  'NotFound notFound': () => ask(OPERATOR, '/api/operator/v1/tokens/unknown'),
  'Conflict messageId': async () => {
    const result = exampleOf(operatorEndpoints.postResult)
    await ask(OPERATOR, result)
    return ask(OPERATOR, { ...result, body: { ...(result.body as object), occurredAt: '2026-01-01T00:00:00Z' } })
  },
  'Conflict conflict': async () => {
    await ask(OPERATOR, createToken)
    return ask(OPERATOR, createToken)
  },
  'ContentTooLarge tooBig': () => ask(OPERATOR, { ...createToken, body: HUGE }),
  'UnsupportedMediaType mediaType': () => ask(OPERATOR, { ...createToken, headers: { 'content-type': 'text/plain' } }),
}

test.each(documented(openapiText()))('openapi.json: %s is what the service answers', async (name, value) => {
  expect(await INTEGRATORS[name]?.()).toEqual(value)
})

test.each(documented(operatorOpenapiText()))(
  'openapi-operator.json: %s is what the service answers',
  async (name, value) => {
    expect(await OPERATORS[name]?.()).toEqual(value)
  },
)

/** The error examples of a document. */
function documented(text: string): [string, ErrorBody][] {
  const { components } = JSON.parse(text) as {
    components: {
      responses: Record<string, { content: Record<string, { examples: Record<string, { value: ErrorBody }> }> }>
    }
  }
  return Object.entries(components.responses).flatMap(([response, { content }]) =>
    Object.entries(content['application/json']!.examples).map(([name, { value }]): [string, ErrorBody] => [
      `${response} ${name}`,
      value,
    ]),
  )
}

function refusedWith(status: number, work: () => unknown): ErrorBody {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return errorBody(status, error.problems)
    throw error
  }
  throw new Error('Nothing was refused.')
}

/** The second request of a token that may make one a minute, 18 seconds after the first. */
function exceedRateLimit(): void {
  const clock = [0, 18_000]
  const limit = new RateLimit(1, () => clock.shift()!)
  const caller = { tenantId: 'prairie', tokenId: 'a', rateLimit: null } as Parameters<RateLimit['take']>[0]
  for (let i = 0; i < 2; i++) limit.take(caller, { ownHeaders: null })
}

async function failing(): Promise<ErrorBody> {
  await service.pool`alter table clinics rename to vanished`
  try {
    return await ask(SECRET, {
      method: 'POST',
      path: '/api/v2/clinics/search',
      body: { near: { postalCode: '60540' } },
    })
  } finally {
    await service.pool`alter table vanished rename to clinics`
  }
}

/** The answer while the database cannot be reached. */
async function unavailable(): Promise<ErrorBody> {
  const app = fastify().setErrorHandler(handleError)
  app.get('/', () => {
    throw new Unavailable('No answer.')
  })
  return (await app.inject('/')).json<ErrorBody>()
}
