import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '@order-testing/contract'
import { operatorEndpoints } from '@order-testing/contract/operator'
import { builtSite } from '../docs/built-site.ts'
import { SLOW } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { NOBODY } from './walk.ts'

const DEMO = { integrator: 'demo-integrator-secret', operator: 'demo-operator-secret' }

let sandbox: TestService
let production: TestService

beforeAll(async () => {
  await builtSite()
  sandbox = await startService({ demo: DEMO, version: '1.2.3' })
  production = await startService({
    demo: DEMO,
    version: '1.2.3',
    policy: { production: true, callbackAllow: [] },
  })
}, SLOW.timeout)

afterAll(async () => {
  await sandbox.stop()
  await production.stop()
})

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const showStart = (service: TestService) => service.call(NOBODY, { method: 'GET', path: '/', headers: HTML })

test('programs get an index with links, all of which exist', async () => {
  const { status, headers, body } = await sandbox.call(NOBODY, '/')
  expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
    200,
    'application/json; charset=utf-8',
    'accept',
  ])
  expect(body).toEqual({
    object: 'index',
    name: 'Order Testing Service',
    version: '1.2.3',
    mode: 'sandbox',
    links: {
      docs: '/docs',
      openapi: '/openapi.json',
      operatorDocs: '/operator/docs',
      operatorOpenapi: '/api/operator/v1/openapi.json',
      postman: '/postman.json',
      health: '/healthz',
      ready: '/readyz',
      mailbox: '/sandbox/mailbox',
      console: '/console',
    },
  })
  for (const link of Object.values(body.links as Record<string, string>))
    expect({ link, status: (await sandbox.call(NOBODY, link)).status }).toEqual({ link, status: 200 })
})

test('people get a page with the demo token, a first request and the same links', async () => {
  const { text, headers } = await showStart(sandbox)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain(`<code>${DEMO.integrator}</code>`)
  expect(text).toContain(
    `curl -H &#39;Authorization: Bearer ${DEMO.integrator}&#39; &#39;${sandbox.origin}/api/v2/orders&#39;`,
  )
  for (const link of ['/docs', '/openapi.json', '/postman.json', '/healthz', '/sandbox/mailbox', '/console'])
    expect(text).toContain(`<a href="${link}">`)
})

test('the start page allows no scripts, and only its own style', async () => {
  const { text, headers } = await showStart(sandbox)
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/,
  )
  expect(text).not.toMatch(/<script|\sstyle=|\son\w+=/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('a Host header with unusual characters does not get into the command line', async () => {
  const { payload } = await sandbox.app.inject({ url: '/', headers: { ...HTML, host: "a';reboot;'" } })
  expect(payload).toContain('http://localhost/api/v2/orders')
  expect(payload).not.toContain('reboot')
})

describe('in production', () => {
  test('neither page nor collection nor documentation show a demo token', async () => {
    const shown = await Promise.all([
      showStart(production),
      production.call(NOBODY, '/'),
      production.call(NOBODY, '/postman.json'),
      production.call(NOBODY, '/docs/tokens.json'),
    ])
    for (const { status, text } of shown) {
      expect(status).toBe(200)
      expect(text).not.toContain(DEMO.integrator)
      expect(text).not.toContain(DEMO.operator)
      expect(text).not.toContain('/sandbox/')
      expect(text).not.toContain('/console')
    }
  })
})

test('the samples of the documentation get the demo tokens of a sandbox', async () => {
  expect((await sandbox.call(NOBODY, '/docs/tokens.json')).body).toEqual(DEMO)
})

test('without documentation, nothing links to it', async () => {
  const service = await startService({ docs: false })
  const { body } = await service.call(NOBODY, '/')
  expect(Object.keys(body.links as object)).toEqual([
    'openapi',
    'operatorOpenapi',
    'postman',
    'health',
    'ready',
    'mailbox',
    'console',
  ])
  expect((await showStart(service)).text).not.toContain('docs')
  await service.stop()
})

test('/openapi.json is the document for integrators', async () => {
  const [short, long] = await Promise.all([
    sandbox.call(NOBODY, '/openapi.json'),
    sandbox.call(NOBODY, '/api/v2/openapi.json'),
  ])
  expect(short.text).toBe(long.text)
})

/** The parts of the Postman format 2.1 that the collection uses. */
const Pair = z.strictObject({ key: z.string().min(1), value: z.string() })
const Request = z.strictObject({
  name: z.string().min(1),
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    description: z.string().optional(),
    header: z.array(Pair),
    url: z.strictObject({
      raw: z.string().startsWith('{{baseUrl}}/api/'),
      host: z.tuple([z.literal('{{baseUrl}}')]),
      path: z.array(z.string().min(1)),
      query: z.array(Pair).optional(),
      variable: z.array(Pair),
    }),
    body: z
      .strictObject({
        mode: z.literal('raw'),
        raw: z.string(),
        options: z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) }),
      })
      .optional(),
  }),
  response: z.tuple([]),
})
const Folder = z.strictObject({ name: z.string(), description: z.string(), item: z.array(Request).min(1) })
const Typed = Pair.extend({ type: z.literal('string') })
const Collection = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  variable: z.array(Typed),
  item: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      auth: z.strictObject({ type: z.literal('bearer'), bearer: z.tuple([Typed]) }),
      item: z.array(Folder),
    }),
  ),
})

test('the Postman collection has a request with an example for every operation, and the tokens of the sandbox', async () => {
  const { body } = await sandbox.call(NOBODY, '/postman.json')
  const { variable, item } = Collection.parse(body)
  expect(variable.map(({ key, value }) => [key, value])).toEqual([
    ['baseUrl', sandbox.origin],
    ['token', DEMO.integrator],
    ['operatorToken', DEMO.operator],
  ])
  const [integrators, operators] = item.map((side) => side.item.flatMap((folder) => folder.item))
  expect(integrators).toHaveLength(Object.keys(endpoints).length)
  expect(operators).toHaveLength(Object.keys(operatorEndpoints).length)
  const create = integrators!.find(({ name }) => name === 'Create an order')
  expect(JSON.parse(create!.request.body!.raw)).toEqual(endpoints.createOrder.example.body)
})
