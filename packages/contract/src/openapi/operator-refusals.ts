import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { Endpoint } from '../endpoint.ts'
import {
  answerHeaders,
  challenge,
  entry,
  example,
  OUT_OF_SCOPE,
  REFUSALS,
  response,
  UNAUTHENTICATED,
  type RefusalKind,
} from './refusals.ts'

/** How an operation for operators refuses: as all do, in examples of its own world. */
export const operatorRefusal = (kind: RefusalKind, _endpoint: Endpoint): ZodOpenApiResponseObject =>
  OWN[kind] ?? REFUSALS[kind]

const OWN: Partial<Record<RefusalKind, ZodOpenApiResponseObject>> = {
  400: response('Invalid', 'The request is invalid: every problem is listed, with a pointer.', answerHeaders, {
    body: example('Members of a body', 400, [
      entry('required', 'This is required.', '/reason'),
      entry('invalidValue', 'Expected one of checkedIn, collected, inTransit.', '/status'),
    ]),
    mixedScopes: example('Scopes that must be kept apart', 400, [
      entry('invalidValue', 'Scopes that begin with operator. or intake. cannot be combined with others.', '/scopes'),
    ]),
  }),
  unauthorized: response(
    'Unauthorized',
    'The token is missing, unknown, revoked or expired, or lacks the scope of this operation.',
    challenge,
    {
      unauthenticated: example('No valid token', 401, [UNAUTHENTICATED]),
      insufficientScope: example('Scope missing', 401, [OUT_OF_SCOPE('operator.orders.read')]),
    },
  ),
  404: response('NotFound', 'Missing, or of another tenant: which one is not told.', answerHeaders, {
    notFound: example('Not found', 404, [entry('notFound', 'Not found, or not visible to this token.')]),
  }),
  409: response('Conflict', 'An id or a secret is taken.', answerHeaders, {
    conflict: example('Id taken', 409, [
      entry('conflict', 'Tenant "prairie" already has a token "payroll". Choose another id.', '/id'),
    ]),
  }),
  413: response('ContentTooLarge', 'The body is larger than this operation takes.', answerHeaders, {
    tooBig: example('Body too large', 413, [entry('tooBig', 'The body is larger than 256 KiB.')]),
  }),
  415: response('UnsupportedMediaType', 'The body is of a type that this operation does not take.', answerHeaders, {
    mediaType: example('Not JSON', 415, [entry('badRequest', 'Send the body as Content-Type: application/json.')]),
  }),
}
