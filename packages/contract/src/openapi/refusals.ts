import { STATUS_CODES } from 'node:http'
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi'
import { constraintCode } from '../constraints.ts'
import { CreateOrder } from '../create-order.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorDocs, ErrorBody, type ErrorCode } from '../errors.ts'
import { setClinic } from '../operator/orders.ts'
import { listOrders } from '../orders.ts'
import { parsePartly } from '../partial.ts'
import { parse, type Parsed, type Problem } from '../problems.ts'
import { orderRequest } from './examples.ts'
import { WRITE_POSITION } from '../write-position.ts'

/** Response headers, as components. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs: the `X-Request-Id` of the request, or a new one.',
    required: true,
    schema: { type: 'string' },
    example: '0b6d1c1e-52a4-4c0e-9a67-3f6f5d2c8e41',
  },
  'WWW-Authenticate': {
    description: 'What is missing: a token (`Bearer`) or a scope.',
    schema: { type: 'string' },
    example: 'Bearer error="insufficient_scope", scope="order.create"',
  },
  'RateLimit-Limit': whole('Requests that the token may make per window.', 1200),
  'RateLimit-Remaining': whole('Requests left in the current window.', 1187),
  'RateLimit-Reset': whole('Seconds until the current window ends.', 42),
  'Retry-After': whole('Seconds to wait before the next attempt.', 42),
  [WRITE_POSITION]: {
    description:
      'Only if lists may come from a read replica. Send it with a list request to get a list that has this write. Later positions are greater as text.',
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
    example: '00000003a1f0c2d8',
  },
} satisfies Record<string, oas31.HeaderObject>

type Entry = ErrorBody['errors'][number]

const INVALID = 'The request is invalid. Every problem is listed, with a pointer to its field.'

const always = refer('X-Request-Id')
const challenge = refer('X-Request-Id', 'WWW-Authenticate')
/** The headers of an answer to a request that was let in. */
export const counted = refer('X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')

/** The headers of a response to a write. */
export const written = { ...counted, ...refer(WRITE_POSITION) }

export type RefusalKind = 400 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 'unauthenticated' | 'unauthorized'

/** The response of an operation for a refusal, as a component that all operations share. */
export function refusal(kind: RefusalKind, endpoint: Endpoint): ZodOpenApiResponseObject {
  return kind === 400 && endpoint.path.startsWith('/api/v1/') ? INVALID_V1 : REFUSALS[kind]
}

/** The same for an operation of the API for operators. */
export function operatorRefusal(kind: RefusalKind): ZodOpenApiResponseObject {
  return OPERATOR_REFUSALS[kind] ?? REFUSALS[kind]
}

/** A create request with a missing, an invalid and a misspelt member. */
const INVALID_ORDER = {
  ...orderRequest,
  participant: { firstName: 'Maria' },
  requester: { ...orderRequest.requester, email: 'dispatch' },
  jobCategories: [],
}

const UNAUTHENTICATED = entry('unauthenticated', 'Send a valid API token: Authorization: Bearer <token>.')

/** The refusals of both interfaces. Texts that no schema produces are compared with real answers by a test of the service. */
const REFUSALS: Record<RefusalKind, ZodOpenApiResponseObject> = {
  400: response('Invalid', INVALID, counted, {
    body: example('Members of a body', 400, refusedBy(parse(CreateOrder, INVALID_ORDER))),
    query: example(
      'Parameters of a list',
      400,
      refusedBy(parse(listOrders.query, { page: '0', location: 'aurora' }, 'parameter')),
    ),
  }),
  unauthenticated: response('Unauthenticated', 'The token is missing, unknown, revoked or expired.', challenge, {
    unauthenticated: example('No valid token', 401, [UNAUTHENTICATED]),
  }),
  unauthorized: unauthorized('order.list'),
  403: response('Forbidden', 'The token lacks the scope of this operation.', challenge, {
    insufficientScope: example('Missing scope', 403, [outOfScope('order.create')]),
  }),
  404: response('NotFound', 'The resource does not exist, is inactive, or is not visible to the token.', counted, {
    notFound: example('Not found', 404, [entry('notFound', 'Not found, or not visible to this token.')]),
  }),
  409: response(
    'Conflict',
    'A name matches several resources, or an `Idempotency-Key` was reused with another body.',
    counted,
    {
      ambiguous: example('Several packages with the same name', 409, [
        entry('conflict', 'Several packages have this name. Send the id: GET /api/v2/packages lists them.', '/package'),
      ]),
      idempotencyKey: example('Key used with another body', 409, [
        entry(
          'conflict',
          'This Idempotency-Key was already used for a different request. Use a new key.',
          '/Idempotency-Key',
        ),
      ]),
    },
  ),
  413: response('ContentTooLarge', 'The body is larger than this operation accepts.', counted, {
    tooBig: example('Body too large', 413, [entry('tooBig', 'The body is larger than 256 KiB.')]),
  }),
  415: response('UnsupportedMediaType', 'This operation does not accept bodies of this type.', counted, {
    mediaType: example('Not JSON', 415, [entry('badRequest', 'Send the body as Content-Type: application/json.')]),
  }),
  422: response('InvalidState', 'The current state of the resource does not allow this.', counted, {
    invalidState: example('Order with an outcome', 422, [
      entry('invalidState', 'Order K7M4-2QXD is already negative.'),
    ]),
  }),
  429: response(
    'TooManyRequests',
    'The token has made too many requests. Wait for the seconds in `Retry-After`.',
    { ...counted, ...refer('Retry-After') },
    {
      tooManyRequests: example('Rate limit reached', 429, [
        entry('tooManyRequests', 'Too many requests with this token. Try again in 42 seconds.'),
      ]),
    },
  ),
  500: response('ServerError', 'The service failed. Retry with exponential backoff.', always, {
    internalError: example('Unexpected failure', 500, [
      entry('internalError', 'Something went wrong on our side. Try again later.'),
    ]),
  }),
  503: response(
    'Unavailable',
    'The service is overloaded or cannot reach its database. Retry after the seconds in `Retry-After`.',
    refer('X-Request-Id', 'Retry-After'),
    {
      unavailable: example('Too busy', 503, [
        entry('internalError', 'The service is temporarily unavailable. Try again later.'),
      ]),
    },
  ),
}

const INVALID_V1 = response('InvalidV1', `${INVALID} Codes are the constraint names of v1.`, counted, {
  body: example(
    'Members of a body',
    400,
    parsePartly(CreateOrder, INVALID_ORDER).problems.map((problem) => entryOf(problem, constraintCode(problem))),
  ),
})

const OPERATOR_REFUSALS: Partial<Record<RefusalKind, ZodOpenApiResponseObject>> = {
  400: response('Invalid', INVALID, counted, {
    body: example(
      'Members of a body',
      400,
      refusedBy(parse(setClinic.body, { clinic: 'naperville', appointmentAt: 'tomorrow' })),
    ),
    mixedScopes: example('Scopes that cannot be combined', 400, [
      entry(
        'invalidValue',
        'A token cannot combine operator.* or intake.* scopes with other scopes. Issue two tokens.',
        '/scopes',
      ),
    ]),
  }),
  unauthorized: unauthorized('operator.orders.read'),
  404: response('NotFound', 'The resource does not exist, or belongs to another tenant.', counted, {
    notFound: example('Not found', 404, [entry('notFound', 'Not found, or not visible to this token.')]),
  }),
  409: response(
    'Conflict',
    'An id, a secret or the `messageId` of another report is in use already, or the resource has changed since it was read.',
    counted,
    {
      conflict: example('Id in use', 409, [
        entry('conflict', 'Tenant "prairie" already has a token "hiring". Choose another id.', '/id'),
      ]),
      messageId: example('Id of another report', 409, [
        entry('conflict', 'This token has already used the messageId for a different report.', '/messageId'),
      ]),
    },
  ),
}

/** The 401 of an operation that needs a scope. */
function unauthorized(scope: string): ZodOpenApiResponseObject {
  const description = 'The token is missing, unknown, revoked or expired, or lacks the scope of this operation.'
  return response('Unauthorized', description, challenge, {
    unauthenticated: example('No valid token', 401, [UNAUTHENTICATED]),
    insufficientScope: example('Missing scope', 401, [outOfScope(scope)]),
  })
}

function response(
  id: string,
  description: string,
  sent: oas31.HeadersObject,
  examples: oas31.ExamplesObject,
): ZodOpenApiResponseObject {
  return { id, description, headers: sent, content: { 'application/json': { schema: ErrorBody, examples } } }
}

function example(summary: string, statusCode: number, errors: ErrorBody['errors']): oas31.ExampleObject {
  return { summary, value: { error: STATUS_CODES[statusCode] ?? '', errors, statusCode } satisfies ErrorBody }
}

function entry(code: ErrorCode, detail: string, pointer?: string): Entry {
  return entryOf({ code, detail, ...(pointer !== undefined && { pointer }) })
}

/** What the error body lists for a request that its schema refuses. */
function refusedBy(parsed: Parsed<unknown>): Entry[] {
  return parsed.ok ? [] : parsed.problems.map((problem) => entryOf(problem))
}

function entryOf({ code, detail, pointer }: Problem, name: string = code): Entry {
  return { code: name, detail, meta: { docs: errorDocs(name) }, ...(pointer !== undefined && { source: { pointer } }) }
}

function outOfScope(scope: string): Entry {
  return entry('insufficientScope', `This token lacks the scope ${scope}. Use a token that has it.`)
}

function whole(description: string, sample: number): oas31.HeaderObject {
  return { description, schema: { type: 'integer', minimum: 0 }, example: sample }
}

function refer(...names: (keyof typeof headers)[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
