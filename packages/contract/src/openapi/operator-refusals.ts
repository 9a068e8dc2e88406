import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { Endpoint } from '../endpoint.ts'
import { setClinic } from '../operator/orders.ts'
import { parse } from '../problems.ts'
import {
  answerHeaders,
  entry,
  example,
  INVALID,
  REFUSALS,
  refusedBy,
  response,
  unauthorized,
  type RefusalKind,
} from './refusals.ts'

/** The response of an operation for operators for a refusal. */
export const operatorRefusal = (kind: RefusalKind, _endpoint: Endpoint): ZodOpenApiResponseObject =>
  OPERATOR_REFUSALS[kind] ?? REFUSALS[kind]

const OPERATOR_REFUSALS: Partial<Record<RefusalKind, ZodOpenApiResponseObject>> = {
  400: response('Invalid', INVALID, answerHeaders, {
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
  404: response('NotFound', 'The resource does not exist, or belongs to another tenant.', answerHeaders, {
    notFound: example('Not found', 404, [entry('notFound', 'Not found, or not visible to this token.')]),
  }),
  409: response('Conflict', 'The id or the secret is already in use.', answerHeaders, {
    conflict: example('Id in use', 409, [
      entry('conflict', 'Tenant "prairie" already has a token "payroll". Choose another id.', '/id'),
    ]),
  }),
}
