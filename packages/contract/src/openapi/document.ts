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
import { answerHeaders, headers, type RefusalKind } from './refusals.ts'
import { STORABLE } from '../primitives.ts'

/** What documents differ in. */
export interface DocumentParts {
  info: oas31.InfoObject
  tags: oas31.TagObject[]
  endpoints: readonly Endpoint[]
  webhooks?: ZodOpenApiPathsObject
  /** How an operation refuses. */
  refusal: (kind: RefusalKind, endpoint: Endpoint) => ZodOpenApiResponseObject
}

/** An OpenAPI document of endpoints. */
export function documentOf({ info, tags, endpoints, webhooks, refusal }: DocumentParts): object {
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
    { override: readable },
  )
  const { components = {}, ...rest } = JSON.parse(JSON.stringify(document), tidy) as oas31.OpenAPIObject
  return { ...rest, components: sorted(components) }
}

type Refusing = DocumentParts['refusal']

function paths(all: readonly Endpoint[], refusal: Refusing): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {}
  for (const endpoint of all) {
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    items[endpoint.path] = { ...items[endpoint.path], [method]: operation(endpoint, refusal) }
  }
  return items
}

function operation(endpoint: Endpoint, refusal: Refusing): ZodOpenApiOperationObject {
  const { name, tag, summary, description, body } = endpoint
  return {
    operationId: name,
    tags: [tag],
    summary: summary.replace(/\.$/, ''),
    description: [description, needs(endpoint)].filter(Boolean).join('\n\n'),
    security: [{ bearer: [] }],
    'x-required-scope': scopesOf(endpoint).join(' '),
    requestParams: parameters(endpoint),
    ...(body && {
      requestBody: {
        required: !(body instanceof z.ZodOptional),
        content: { 'application/json': { schema: body, example: endpoint.example.body }, ...others(endpoint, 'body') },
      },
    }),
    responses: { ...successes(endpoint), ...refusals(endpoint, refusal) },
  }
}

const needs = (endpoint: Endpoint) =>
  `Needs the scope ${scopesOf(endpoint)
    .map((scope) => `\`${scope}\``)
    .join(' or ')}.`

function parameters({ params, query, headers: header, example }: Endpoint) {
  return {
    ...(params && { path: withExamples(params, example.params) }),
    ...(query && { query: withExamples(query, example.query) }),
    ...(header && { header: withExamples(header, example.headers) }),
  }
}

/** Parameters carry their examples one by one, unlike bodies. */
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
        headers: answerHeaders,
        content: {
          [replyType]: { schema: reply, example: example.replies?.[Number(status) as 200] ?? example.reply },
          ...others(endpoint, 'reply'),
        },
      },
    ]),
  )
}

/** Bodies that are not JSON are text of a form that no schema describes. */
const others = ({ otherTypes = {} }: Endpoint, part: 'body' | 'reply') =>
  Object.fromEntries(
    Object.entries(otherTypes).map(([type, shown]) => [
      type,
      { schema: { type: 'string' as const }, example: shown[part] },
    ]),
  )

/** Without the scope, the create operations answer 403 and all others 401. */
function refusals(endpoint: Endpoint, refusal: Refusing): ZodOpenApiResponsesObject {
  const forbids = endpoint.refusals.includes(403)
  const named = endpoint.refusals.map((status) => [status, refusal(status, endpoint)])
  return {
    ...Object.fromEntries(named),
    401: refusal(forbids ? 'unauthenticated' : 'unauthorized', endpoint),
    429: refusal(429, endpoint),
    '5XX': refusal('5XX', endpoint),
  }
}

/** What helps a reader stays; what only a validator could like goes. */
const readable: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  // Answers may gain members, so clients made from this document must not refuse them.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  // The name of a format says more than the expression that checks it, and what text may not hold is said once.
  if (jsonSchema.format !== undefined || jsonSchema.pattern === STORABLE.source) delete jsonSchema.pattern
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength
  if (isPlainText(jsonSchema.propertyNames)) delete jsonSchema.propertyNames
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Names of members are text anyway. */
function isPlainText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}'
}

/** What can only be told from the rendered document. */
function tidy(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) {
    // A component with a description of its own repeats parts of the component, unfit for a reference.
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

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Components by name, so that a change of one does not move the others. */
function sorted(components: oas31.ComponentsObject): oas31.ComponentsObject {
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      Object.fromEntries(Object.entries(members).toSorted(byName)),
    ]),
  )
}
