import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { scopesOf, type Endpoint } from '../src/endpoint.ts'
import { ERROR_CODES, ErrorBody } from '../src/errors.ts'
import { parse } from '../src/problems.ts'

interface Media {
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
interface Response {
  description: string
  headers: Record<string, { $ref: string }>
  content: Record<string, Media>
}
export interface Parameter {
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
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response | { $ref: string }>
}
export interface Document {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, { properties?: Record<string, object> }> }
}

const root = new URL('../../../', import.meta.url)
/** The codes of v2, and the constraint names in the example of v1. */
const CODES: readonly string[] = [...ERROR_CODES, 'isEmail', 'isNotEmpty']
const JSON_TYPE = 'application/json'

interface Published {
  /** The published file. */
  file: string
  text: string
  endpoints: Record<string, Endpoint>
}

/** Checks that a document is current and complete, and has valid examples. */
export function checkDocument({ file, text, endpoints }: Published): void {
  const document = JSON.parse(text) as Document
  const operationOf = (endpoint: Endpoint) => findOperation(document, endpoint)
  const responseOf = (operation: Operation, status: string) => findResponse(document, operation, status)
  const errorBodies = (operation: Operation, status: string) =>
    status in operation.responses ? bodiesOf(responseOf(operation, status)) : []

  test(`${file} is what the contract generates`, () => {
    const published = readFileSync(new URL(file, root), 'utf8')
    expect(published === text, `${file} is out of date: run \`npm run openapi\``).toBe(true)
  })

  test('every endpoint is documented as an operation, and every operation is an endpoint', () => {
    const documented = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((each) => each.operationId),
    )
    expect(documented.toSorted()).toEqual(Object.keys(endpoints).toSorted())
  })

  describe.each(Object.entries(endpoints))('%s', (name, endpoint) => {
    const operation = operationOf(endpoint)
    const parameters = operation.parameters.map((each) => resolve<Parameter>(document, each))
    const forbids = /^(createOrder|validateOrder)/.test(name)
    const needsScope = scopesOf(endpoint).length > 0

    test('the operation has a name, a tag, a summary and the scope it requires', () => {
      expect(operation.operationId).toBe(name)
      expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0])
      expect(operation.summary).not.toBe('')
      expect(operation.description).toContain(
        scopesOf(endpoint)
          .map((scope) => `\`${scope}\``)
          .join(' or '),
      )
      expect(operation['x-required-scope']).toBe(scopesOf(endpoint).join(' '))
      expect(operation.security).toEqual([{ bearer: [] }])
    })

    test('the operation describes every parameter of its path, query and headers', () => {
      const expected = partsOf(endpoint).flatMap(([, schema]) => Object.keys(schema.shape))
      expect(parameters.map((parameter) => parameter.name)).toEqual(expected)
      expect(parameters.filter((parameter) => !parameter.description)).toEqual([])
    })

    test('the example parameters are valid', () => {
      for (const [place, schema] of partsOf(endpoint)) {
        const shown = parameters.filter((each) => each.in === place && 'example' in each)
        const request = Object.fromEntries(shown.map((each) => [each.name, each.example]))
        expect(parse(schema, request)).toMatchObject({ ok: true })
      }
    })

    test('the example replies are complete and have no unknown members', () => {
      const { 204: empty, ...replies } = endpoint.replies
      expect((operation.responses['204'] as { description: string } | undefined)?.description).toBe(empty)
      for (const [status, description] of Object.entries(replies)) {
        const response = responseOf(operation, status)
        expect(response.description).toBe(description)
        expectWhole(endpoint.reply, response.content[endpoint.replyType ?? JSON_TYPE]?.example)
      }
    })

    test('the operation documents its refusals with matching statuses and known codes', () => {
      const expected = ['400', '401', '429', '500', '503', ...(endpoint.refusals ?? []).map(String)]
      if (endpoint.params) expected.push('404')
      if (endpoint.body) expected.push('413', '415')
      const refused = Object.keys(operation.responses).filter((status) => !status.startsWith('2'))
      expect(refused.toSorted()).toEqual(expected.toSorted())
      for (const status of refused) {
        const bodies = errorBodies(operation, status)
        expect(bodies).not.toHaveLength(0)
        for (const body of bodies) {
          expectWhole(ErrorBody, body)
          expect(String(body.statusCode)).toBe(status)
          expect(CODES).toEqual(expect.arrayContaining(codesOf(body)))
        }
      }
    })

    test(`the operation answers ${forbids ? 403 : 401} to a token without a scope that it requires`, () => {
      const refusing = ['401', '403'].filter((status) =>
        errorBodies(operation, status).some((body) => codesOf(body).includes('insufficientScope')),
      )
      expect(refusing).toEqual(needsScope ? [forbids ? '403' : '401'] : [])
    })

    test('every answer documents the request id, counted ones the rate limit, and 429 and 503 the time to wait', () => {
      const having = (header: string) =>
        Object.keys(operation.responses).filter((status) => header in responseOf(operation, status).headers)
      expect(having('X-Request-Id')).toEqual(Object.keys(operation.responses))
      expect(having('RateLimit-Remaining')).toEqual(expect.arrayContaining([...Object.keys(endpoint.replies), '429']))
      expect(having('Retry-After')).toEqual(['429', '503'])
    })
  })

  const bodied = Object.entries(endpoints).filter(([, { body }]) => body)

  test.each(bodied)('the example body of %s is valid', (_, endpoint) => {
    const { requestBody } = operationOf(endpoint)
    const { example, examples = { only: { value: example } } } = requestBody?.content[JSON_TYPE] ?? {}
    for (const { value } of Object.values(examples)) {
      expect(value).toBeTypeOf('object')
      expect(endpoint.body?.safeParse(value)).toMatchObject({ success: true })
    }
    expect(requestBody?.required).toBe(!endpoint.body?.safeParse(undefined).success)
  })

  test('bodies and answers of other media types are documented with examples', () => {
    for (const [, endpoint] of bodied) {
      const { requestBody } = operationOf(endpoint)
      const types = Object.keys(endpoint.otherTypes ?? {})
      expect(Object.keys(requestBody?.content ?? {})).toEqual([JSON_TYPE, ...types])
      for (const type of types) {
        expect(requestBody?.content[type]?.example).toBeTypeOf('string')
        for (const status of Object.keys(endpoint.replies))
          expect(
            responseOf(operationOf(endpoint), status).content[endpoint.otherTypes![type]!.replyType ?? type]?.example,
          ).toBeTypeOf('string')
      }
    }
  })

  test('no member of a body has a default, because generators make such members required', () => {
    const defaults = (node: unknown): unknown[] => {
      if (typeof node !== 'object' || node === null) return []
      const { properties = {} } = node as { properties?: Record<string, object> }
      const members = Object.entries(properties).filter(([, member]) => 'default' in member)
      return [...members, ...Object.values(node).flatMap(defaults)]
    }
    expect(defaults(document.components.schemas)).toEqual([])
  })

  test('an open enum lists the values known today, and accepts any string', () => {
    const { code } = document.components.schemas['ErrorEntry']!.properties!
    expect(code).toMatchObject({ anyOf: [{ type: 'string', enum: ERROR_CODES }, { type: 'string' }] })
    const { status } = document.components.schemas['Order']!.properties!
    expect(status).toMatchObject({
      anyOf: [{ enum: expect.arrayContaining(['ordered', 'negative']) as unknown }, { type: 'string' }],
    })
  })

  test('only endpoints with a body document one', () => {
    const showing = Object.entries(endpoints).filter(([, endpoint]) => operationOf(endpoint).requestBody)
    expect(showing).toEqual(bodied)
  })
}

function findOperation(document: Document, endpoint: Endpoint): Operation {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]
  if (!operation) throw new Error(`${endpoint.method} ${endpoint.path} is not documented.`)
  return operation
}

/** The parts of a request that consist of parameters. */
function partsOf({ params, query, headers }: Endpoint): [Parameter['in'], z.ZodObject][] {
  const parts = { path: params, query, header: headers }
  return (Object.entries(parts) as [Parameter['in'], z.ZodObject | undefined][]).flatMap(([place, schema]) =>
    schema ? [[place, schema]] : [],
  )
}

function findResponse(document: Document, operation: Operation, status: string): Response {
  const response = operation.responses[status]
  if (!response) throw new Error(`${operation.operationId} has no answer ${status}.`)
  return resolve<Response>(document, response)
}

function bodiesOf({ content }: Response): ErrorBody[] {
  return Object.values(content[JSON_TYPE]?.examples ?? {}).map((example) => example.value as ErrorBody)
}

const codesOf = (body: ErrorBody) => body.errors.map((entry) => entry.code)

/** Expects an example to be valid and to have no unknown members. */
export function expectWhole(schema: z.ZodType, example: unknown): void {
  expect(example).toBeDefined()
  expect(parse(schema, example)).toEqual({ ok: true, value: example })
}

export function resolve<T extends object>(document: Document, value: T | { $ref: string }): T {
  if (!('$ref' in value)) return value
  const path = value.$ref.slice(2).split('/')
  return path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T
}
