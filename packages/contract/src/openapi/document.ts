import { z } from 'zod'
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { scopesOf, type Endpoint } from '../endpoint.ts'
import { STORABLE } from '../primitives.ts'
import { counted, headers, written, type RefusalKind } from './refusals.ts'

/** What differs between the documents. */
interface DocumentParts {
  info: oas31.InfoObject
  tags: oas31.TagObject[]
  endpoints: Record<string, Endpoint>
  webhooks?: ZodOpenApiPathsObject
  /** The response of an operation for a refusal. */
  refusal: (kind: RefusalKind, endpoint: Endpoint) => ZodOpenApiResponseObject
}

/** Composes the OpenAPI document of endpoints. */
export function composeDocument({ info, tags, endpoints, webhooks, refusal }: DocumentParts): object {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/', description: 'This service.' }],
      tags,
      paths: paths(endpoints, refusal),
      ...(webhooks && { webhooks }),
      components: {
        headers,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token, issued by the operator.' },
        },
      },
    },
    { override: simplify },
  )
  const { components = {}, ...rest } = JSON.parse(JSON.stringify(document), tidy) as oas31.OpenAPIObject
  return { ...rest, components: sortComponents(components) }
}

type RefusalResponse = DocumentParts['refusal']

function paths(endpoints: DocumentParts['endpoints'], refusal: RefusalResponse): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
    items[endpoint.path] = { ...items[endpoint.path], [method]: operation(name, endpoint, refusal) }
  }
  return items
}

function operation(name: string, endpoint: Endpoint, refusal: RefusalResponse): ZodOpenApiOperationObject {
  const { tag, summary, description, body, deprecation, isSandboxOnly } = endpoint
  return {
    operationId: name,
    ...(deprecation && { deprecated: true }),
    tags: [tag],
    summary: summary.replace(/\.$/, ''),
    description: [isSandboxOnly && SANDBOX_ONLY, description, requiredScope(endpoint)].filter(Boolean).join('\n\n'),
    security: [{ bearer: [] }],
    'x-required-scope': scopesOf(endpoint).join(' '),
    ...(isSandboxOnly && { 'x-sandbox-only': true }),
    requestParams: parameters(endpoint),
    ...(body && {
      requestBody: {
        required: !(body instanceof z.ZodOptional),
        content: {
          'application/json': { schema: body, ...bodyExamples(endpoint) },
          ...otherContent(endpoint, 'body'),
        },
      },
    }),
    responses: { ...successes(endpoint), ...refusals(endpoint, refusal) },
  }
}

const SANDBOX_ONLY = '**Sandbox only.** In production this path is unknown (404).'

/** A single example, or several with names. */
function bodyExamples({ example: { body, bodies } }: Endpoint) {
  if (!bodies) return { example: body }
  return { examples: { ...bodies, complete: { summary: 'With all of these', value: body } } }
}

function requiredScope(endpoint: Endpoint): string {
  const scopes = scopesOf(endpoint).map((scope) => `\`${scope}\``)
  return scopes.length === 0 ? 'Requires no scope.' : `Requires the scope ${scopes.join(' or ')}.`
}

function parameters({ params, query, headers: header, example }: Endpoint) {
  return {
    ...(params && { path: withExamples(params, example.params) }),
    ...(query && { query: withExamples(query, example.query) }),
    ...(header && { header: withExamples(header, example.headers) }),
  }
}

/** Unlike bodies, parameters have one example each. */
function withExamples(object: z.ZodObject, examples: Record<string, unknown> = {}): z.ZodObject {
  const shape = Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => [
    name,
    name in examples ? schema.meta({ param: { example: examples[name] } }) : schema,
  ])
  return z.object(Object.fromEntries(shape) as Record<string, z.ZodType>)
}

function successes(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { replies, reply, replyType = 'application/json', example } = endpoint
  return Object.fromEntries(
    Object.entries(replies).map(([status, description]) => [
      status,
      {
        description,
        headers: endpoint.method === 'GET' ? counted : written,
        ...(status !== '204' && {
          content: {
            [replyType]: { schema: reply, example: example.replies?.[Number(status) as 200] ?? example.reply },
            ...otherContent(endpoint, 'reply'),
          },
        }),
      },
    ]),
  )
}

/** Bodies that are not JSON are documented as strings. */
const otherContent = ({ otherTypes = {} }: Endpoint, part: 'body' | 'reply') =>
  Object.fromEntries(
    Object.entries(otherTypes).map(([type, examples]) => [
      part === 'reply' ? (examples.replyType ?? type) : type,
      { schema: { type: 'string' as const }, example: examples[part] },
    ]),
  )

function refusals(endpoint: Endpoint, refusal: RefusalResponse): ZodOpenApiResponsesObject {
  const { params, body, refusals: own = [] } = endpoint
  const statuses: RefusalKind[] = [400, ...own, 429, 500, 503]
  if (params) statuses.push(404)
  if (body) statuses.push(413, 415)
  return {
    ...Object.fromEntries(statuses.map((status) => [status, refusal(status, endpoint)])),
    // Without the scope, create operations answer 403 and all others 401.
    401: refusal(own.includes(403) || scopesOf(endpoint).length === 0 ? 'unauthenticated' : 'unauthorized', endpoint),
  }
}

/** Removes what helps validators but not readers. */
const simplify: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  // Answers may gain members, so generated clients must accept unknown ones.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // A format says more than its pattern, and the introduction describes the characters that text may not contain.
  if (jsonSchema.format !== undefined || jsonSchema.pattern === STORABLE.source) delete jsonSchema.pattern
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength
  if (isPlainText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

function isPlainText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}'
}

/** Changes that need the rendered document. */
function tidy(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (key === 'properties') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tell(each)]))
  if ('$ref' in value) {
    // A reference with its own description also repeats parts of the component, which is invalid.
    const { $ref, description } = value as oas31.ReferenceObject
    return { $ref, description }
  }
  if ('in' in value && 'schema' in value) {
    const { name, in: place, schema, ...rest } = value as oas31.ParameterObject
    const { description, ...undescribed } = schema as oas31.SchemaObject
    return { name, in: place, description, ...rest, schema: undescribed }
  }
  return value
}

/** Tells the default of a member in its description: generators make members with a `default` required in requests. */
function tell(member: oas31.SchemaObject): oas31.SchemaObject {
  const { default: fallback, description, ...rest } = member
  if (fallback === undefined) return member
  const isEmpty = fallback === '' || (Array.isArray(fallback) && fallback.length === 0)
  const told = isEmpty ? 'Empty by default.' : `Default: \`${String(fallback)}\`.`
  return { ...rest, description: [description, told].filter(Boolean).join(' ') }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Sorted by name, so that a change of one component does not move the others. */
function sortComponents(components: oas31.ComponentsObject): oas31.ComponentsObject {
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      Object.fromEntries(Object.entries(members).toSorted(byName)),
    ]),
  )
}
