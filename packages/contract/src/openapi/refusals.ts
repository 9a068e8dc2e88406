import { STATUS_CODES } from 'node:http'
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi'
import type { Endpoint } from '../endpoint.ts'
import { ErrorBody, type ConstraintCode, type ErrorCode } from '../errors.ts'

type Header =
  | 'X-Request-Id'
  | 'WWW-Authenticate'
  | 'RateLimit-Limit'
  | 'RateLimit-Remaining'
  | 'RateLimit-Reset'
  | 'Retry-After'

/** Headers of answers, as components. */
export const headers: Record<Header, oas31.HeaderObject> = {
  'X-Request-Id': {
    description:
      'Identifies the request in the logs of the service: the one it brought in `X-Request-Id`, else a new one.',
    required: true,
    schema: { type: 'string' },
    example: '0b6d1c1e-52a4-4c0e-9a67-3f6f5d2c8e41',
  },
  'WWW-Authenticate': {
    description: 'What is missing: a token (`Bearer`), or the scope it names.',
    schema: { type: 'string' },
    example: 'Bearer error="insufficient_scope", scope="order.create"',
  },
  'RateLimit-Limit': whole('How many requests the token may make in a window of time.', 1200),
  'RateLimit-Remaining': whole('How many of them are left.', 1187),
  'RateLimit-Reset': whole('Seconds until the window ends.', 42),
  'Retry-After': whole('Seconds to wait before trying again.', 42),
}

const always = refer('X-Request-Id')
export const challenge = refer('X-Request-Id', 'WWW-Authenticate')
const counted = refer('X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset')

/** The headers of an answer to a request that was let in. */
export const answerHeaders: oas31.HeadersObject = counted

export type RefusalKind = Endpoint['refusals'][number] | 'unauthenticated' | 'unauthorized' | 429 | '5XX'

/** How an operation refuses, as a component that all operations share. */
export function refusal(kind: RefusalKind, endpoint: Endpoint): ZodOpenApiResponseObject {
  return kind === 400 && endpoint.path.startsWith('/api/v1/') ? INVALID_V1 : REFUSALS[kind]
}

export const UNAUTHENTICATED = entry('unauthenticated', 'Send a valid API token: Authorization: Bearer <token>.')
export const OUT_OF_SCOPE = (scope: string) => entry('insufficientScope', `This token lacks the scope ${scope}.`)

export const REFUSALS: Record<RefusalKind, ZodOpenApiResponseObject> = {
  400: response('Invalid', 'The request is invalid: every problem is listed, with a pointer to its field.', counted, {
    body: example('Members of a body', 400, [
      entry('required', 'This is required.', '/participant/lastName'),
      entry('invalidFormat', 'Expected an e-mail address.', '/requester/email'),
      entry('unrecognizedKeys', 'Unknown member "referrer".', '/referrer'),
    ]),
    query: example('Parameters of a list', 400, [
      entry('tooSmall', 'Expected at least 1.', '/page'),
      entry('invalidValue', 'Expected one of ordered, scheduled, pending.', '/status'),
    ]),
  }),
  unauthenticated: response('Unauthenticated', 'The token is missing, unknown, revoked or expired.', challenge, {
    unauthenticated: example('No valid token', 401, [UNAUTHENTICATED]),
  }),
  unauthorized: response(
    'Unauthorized',
    'The token is missing, unknown, revoked or expired, or lacks the scope of this operation.',
    challenge,
    {
      unauthenticated: example('No valid token', 401, [UNAUTHENTICATED]),
      insufficientScope: example('Scope missing', 401, [OUT_OF_SCOPE('order.list')]),
    },
  ),
  403: response('Forbidden', 'The token lacks the scope of this operation.', challenge, {
    insufficientScope: example('Scope missing', 403, [OUT_OF_SCOPE('order.create')]),
  }),
  404: response('NotFound', 'Missing, inactive, or not visible to the token: which one is not told.', counted, {
    notFound: example('Not found', 404, [entry('notFound', 'Not found, or not visible to this token.')]),
  }),
  409: response(
    'Conflict',
    'Several resources fit where one was expected, or an `Idempotency-Key` came again with another body.',
    counted,
    {
      ambiguous: example('Several packages of this name', 409, [
        entry('conflict', 'More than one package has this name: give its id.', '/package'),
      ]),
      idempotencyKey: example('Key used for another body', 409, [
        entry('conflict', 'This Idempotency-Key was used with another body.'),
      ]),
    },
  ),
  413: response('ContentTooLarge', 'The body is over 256 KiB.', counted, {
    tooBig: example('Body too large', 413, [entry('tooBig', 'The body is larger than 256 KiB.')]),
  }),
  415: response('UnsupportedMediaType', 'The body is not `application/json`.', counted, {
    mediaType: example('Not JSON', 415, [entry('badRequest', 'Send the body as Content-Type: application/json.')]),
  }),
  422: response('InvalidState', 'The resource is in a state that does not allow this.', counted, {
    invalidState: example('Order already has an outcome', 422, [
      entry('invalidState', 'Order K7M4-2QXD is already negative.'),
    ]),
  }),
  429: response(
    'TooManyRequests',
    'The token has made too many requests. Wait for `Retry-After`.',
    { ...counted, ...refer('Retry-After') },
    {
      tooManyRequests: example('Rate limit reached', 429, [
        entry('tooManyRequests', 'Too many requests with this token. Try again in 42 seconds.'),
      ]),
    },
  ),
  '5XX': response('ServerError', 'A problem of the service. Retry with exponential backoff.', always, {
    internalError: example('Unexpected problem', 500, [
      entry('internalError', 'Something went wrong on our side. Try again later.'),
    ]),
  }),
}

const INVALID_V1 = response(
  'InvalidV1',
  'The request is invalid: every problem is listed, under the names that v1 gives them.',
  counted,
  {
    body: example('Members of a body', 400, [
      entry('isNotEmpty', 'This is required.', '/participant/lastName'),
      entry('isEmail', 'Expected an e-mail address.', '/requester/email'),
    ]),
  },
)

export function response(
  id: string,
  description: string,
  sent: oas31.HeadersObject,
  examples: oas31.ExamplesObject,
): ZodOpenApiResponseObject {
  return { id, description, headers: sent, content: { 'application/json': { schema: ErrorBody, examples } } }
}

export function example(summary: string, statusCode: number, errors: ErrorBody['errors']): oas31.ExampleObject {
  return { summary, value: { error: STATUS_CODES[statusCode] ?? '', errors, statusCode } satisfies ErrorBody }
}

export function entry(code: ErrorCode | ConstraintCode, detail: string, pointer?: string) {
  return { code, detail, ...(pointer !== undefined && { source: { pointer } }) }
}

function whole(description: string, sample: number): oas31.HeaderObject {
  return { description, schema: { type: 'integer', minimum: 0 }, example: sample }
}

function refer(...names: Header[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
