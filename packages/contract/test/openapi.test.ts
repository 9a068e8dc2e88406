import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { scopesOf, type Endpoint } from '../src/endpoint.ts'
import { endpoints } from '../src/endpoints.ts'
import { CONSTRAINT_CODES, ERROR_CODES, ErrorBody } from '../src/errors.ts'
import { Event, EventV1 } from '../src/events.ts'
import { openapi, openapiText } from '../src/openapi.ts'
import { parse } from '../src/problems.ts'
import { signV2, verifySignature } from '../src/signature.ts'

interface Media {
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
interface Response {
  description: string
  headers: Record<string, { $ref: string }>
  content: { 'application/json': Media }
}
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  example?: unknown
}
interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: object[]
  'x-required-scope': string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: { 'application/json': Media } }
  responses: Record<string, Response | { $ref: string }>
}
interface Document {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
}

const root = new URL('../../../', import.meta.url)
const document = openapi() as Document
const all: Endpoint[] = Object.values(endpoints)

test('docs/openapi.json is what the contract generates', () => {
  const published = readFileSync(new URL('docs/openapi.json', root), 'utf8')
  expect(published === openapiText(), 'docs/openapi.json is out of date: run `npm run openapi`').toBe(true)
})

test('Spectral finds nothing to remark', async () => {
  const cli = '@stoplight/spectral-cli/dist/index.js'
  expect(await lint(cli, ['lint', 'docs/openapi.json', '--fail-severity=hint'])).toBe('clean')
})

test('Redocly finds nothing to remark', async () => {
  const cli = '@redocly/cli/bin/cli.js'
  expect(await lint(cli, ['lint', 'docs/openapi.json', '--max-problems=20'])).toBe('clean')
})

test('every endpoint is an operation, and every operation an endpoint', () => {
  const documented = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((each) => each.operationId),
  )
  expect(documented.toSorted()).toEqual(Object.keys(endpoints).toSorted())
})

describe.each(all)('$name', (endpoint) => {
  const operation = operationOf(endpoint)
  const parameters = operation.parameters.map((each) => resolve<Parameter>(each))
  const forbids = endpoint.name.startsWith('createOrder')

  test('has a name, a tag, words and a token with the scope it needs', () => {
    expect(operation.operationId).toBe(endpoint.name)
    expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0])
    expect(operation.summary).not.toBe('')
    expect(operation.description).toContain(`\`${scopesOf(endpoint).join(' ')}\``)
    expect(operation['x-required-scope']).toBe(scopesOf(endpoint).join(' '))
    expect(operation.security).toEqual([{ bearer: [] }])
  })

  test('describes every parameter of its path, query and headers', () => {
    const expected = partsOf(endpoint).flatMap(([, schema]) => Object.keys(schema.shape))
    expect(parameters.map((parameter) => parameter.name)).toEqual(expected)
    expect(parameters.filter((parameter) => !parameter.description)).toEqual([])
  })

  test('shows parameters that its own schemas take', () => {
    for (const [place, schema] of partsOf(endpoint)) {
      const shown = parameters.filter((each) => each.in === place && 'example' in each)
      const request = Object.fromEntries(shown.map((each) => [each.name, each.example]))
      expect(parse(schema, request)).toMatchObject({ ok: true })
    }
  })

  test('shows every success reply whole, with no member its schema lacks', () => {
    for (const [status, description] of Object.entries(endpoint.replies)) {
      const response = responseOf(operation, status)
      expect(response.description).toBe(description)
      expectWhole(endpoint.reply, response.content['application/json'].example)
    }
  })

  test('documents its refusals with bodies of their status and codes that exist', () => {
    const expected = [...endpoint.refusals.map(String), '401', '429', '5XX']
    const refused = Object.keys(operation.responses).filter((status) => !status.startsWith('2'))
    expect(refused.toSorted()).toEqual(expected.toSorted())
    for (const status of refused) {
      const bodies = errorBodies(operation, status)
      expect(bodies).not.toHaveLength(0)
      for (const body of bodies) {
        expectWhole(ErrorBody, body)
        expect(String(body.statusCode)).toBe(status.replace('XX', '00'))
        expect(CODES).toEqual(expect.arrayContaining(codesOf(body)))
      }
    }
  })

  test(`answers ${forbids ? 403 : 401} to a token without the scope`, () => {
    const refusing = ['401', '403'].filter((status) =>
      errorBodies(operation, status).some((body) => codesOf(body).includes('insufficientScope')),
    )
    expect(refusing).toEqual([forbids ? '403' : '401'])
  })

  test('documents the request id on every answer, the rate limit on counted ones, when to come back on 429', () => {
    const having = (header: string) =>
      Object.keys(operation.responses).filter((status) => header in responseOf(operation, status).headers)
    expect(having('X-Request-Id')).toEqual(Object.keys(operation.responses))
    expect(having('RateLimit-Remaining')).toEqual(expect.arrayContaining([...Object.keys(endpoint.replies), '429']))
    expect(having('Retry-After')).toEqual(['429'])
  })
})

test.each(all.filter(({ body }) => body))('$name shows a body that its own schema takes', (endpoint) => {
  const { requestBody } = operationOf(endpoint)
  const example = requestBody?.content['application/json'].example
  expect(example).toBeTypeOf('object')
  expect(endpoint.body?.safeParse(example)).toMatchObject({ success: true })
  expect(requestBody?.required).toBe(!endpoint.body?.safeParse(undefined).success)
})

test('only endpoints that take a body show one', () => {
  const showing = all.filter((endpoint) => operationOf(endpoint).requestBody)
  expect(showing).toEqual(all.filter(({ body }) => body))
})

describe('webhooks', () => {
  test.each([
    ['order.updated', Event, 'v2'],
    ['order.updated.v1', EventV1, 'v1'],
  ] as const)('%s shows a delivery whose body and signature are genuine', (name, schema, version) => {
    const delivery = document.webhooks[name]?.post
    const body = delivery?.requestBody?.content['application/json'].example as { createdAt: string }
    expectWhole(schema, body)
    const [header] = delivery?.parameters.map((each) => resolve<Parameter>(each).example as string) ?? []
    const now = new Date(body.createdAt)
    expect(verifySignature({ body: JSON.stringify(body), header, secret: 'signing-secret', now })).toEqual({
      valid: true,
      version,
    })
  })

  test('the receiver shown in the introduction tells genuine deliveries from others', async () => {
    const [, sample] = /```js\n(.*?)```/s.exec(document.info.description) ?? []
    const source = `data:text/javascript,${encodeURIComponent(`${sample}\nexport { isGenuine }`)}`
    const { isGenuine } = (await import(source)) as { isGenuine: (...delivery: unknown[]) => boolean }
    const body = Buffer.from('{"name":"Núñez"}')
    const at = (now: Date) => signV2({ body, secret: 'secret', now })
    expect(isGenuine(body, at(new Date()), 'secret')).toBe(true)
    expect(isGenuine(body, at(new Date()), 'another')).toBe(false)
    expect(isGenuine(body, at(new Date(Date.now() - 301_000)), 'secret')).toBe(false)
    expect(isGenuine(body, 'sha256=00', 'secret')).toBe(false)
  })
})

const CODES: readonly string[] = [...CONSTRAINT_CODES, ...ERROR_CODES]

function operationOf(endpoint: Endpoint): Operation {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  if (!operation) throw new Error(`${endpoint.name} is not documented.`)
  return operation
}

/** The parts of a request that are made of parameters. */
function partsOf({ params, query, headers }: Endpoint): [Parameter['in'], z.ZodObject][] {
  const parts = { path: params, query, header: headers }
  return (Object.entries(parts) as [Parameter['in'], z.ZodObject | undefined][]).flatMap(([place, schema]) =>
    schema ? [[place, schema]] : [],
  )
}

function responseOf(operation: Operation, status: string): Response {
  const response = operation.responses[status]
  if (!response) throw new Error(`${operation.operationId} has no answer ${status}.`)
  return resolve<Response>(response)
}

function errorBodies(operation: Operation, status: string): ErrorBody[] {
  if (!(status in operation.responses)) return []
  const { examples = {} } = responseOf(operation, status).content['application/json']
  return Object.values(examples).map((example) => example.value as ErrorBody)
}

const codesOf = (body: ErrorBody) => body.errors.map((entry) => entry.code)

/** An example that its schema takes and, dropping unknown members, leaves as it is. */
function expectWhole(schema: z.ZodType, example: unknown): void {
  expect(example).toBeTypeOf('object')
  expect(parse(schema, example)).toEqual({ ok: true, value: example })
}

function resolve<T extends object>(value: T | { $ref: string }): T {
  if (!('$ref' in value)) return value
  const path = value.$ref.slice(2).split('/')
  return path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T
}

/** Runs a linter of ours on the published document. It must reach no network. */
async function lint(cli: string, args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const script = fileURLToPath(new URL(`node_modules/${cli}`, root))
  return promisify(execFile)(process.execPath, [script, ...args], { cwd: fileURLToPath(root), env }).then(
    () => 'clean',
    (failure: { stdout?: string; stderr?: string }) => `${failure.stdout ?? ''}${failure.stderr ?? ''}`,
  )
}
