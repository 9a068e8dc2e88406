import { INTAKE_SCOPES, OPERATOR_SCOPES, type SenderKind } from '@order-testing/contract'
import type { OperatorOrder, ResultReceipt } from '@order-testing/contract/operator'
import { LAB as LABORATORY, world } from '../orders/given.ts'
import { token, type TestService } from './service.ts'

/** The secret of an operator with every operator and intake scope. */
export const OPERATOR = 'operator-secret-every-scope'
/** The secret of an operator who may not see participants. */
export const DISCREET_OPERATOR = 'operator-secret-redacted'
/** The secrets of a laboratory and a medical reviewer. */
export const LAB = 'intake-secret-laboratory'
export const MRO = 'intake-secret-reviewer'

type World = Parameters<typeof world>[0]

/** The catalog for orders with tokens of operators and senders of result reports. */
export const staffed = (given: World = {}) =>
  world({
    ...given,
    tokens: [
      ...(given?.tokens ?? []),
      token(OPERATOR, { id: 'operator', scopes: [...OPERATOR_SCOPES, ...INTAKE_SCOPES], companies: [] }),
      token(DISCREET_OPERATOR, {
        id: 'redactError-operator',
        scopes: OPERATOR_SCOPES.filter((scope) => scope !== 'operator.participants.read'),
        companies: [],
      }),
      token(LAB, { id: 'lab', scopes: ['intake.lab'], companies: [] }),
      token(MRO, { id: 'mro', scopes: ['intake.mro'], companies: [] }),
    ],
  })

let reports = 0

/** Makes a result report about an order's first service; a test states only what matters. */
export function messageAbout(order: { code: string }, members: { kind?: SenderKind; [member: string]: unknown } = {}) {
  const { kind = 'lab', ...rest } = members
  return {
    messageId: `message-${(reports += 1)}`,
    sender: { kind, id: `${kind}-1` },
    match: { orderCode: order.code },
    event: 'receivedAtLab',
    occurredAt: new Date().toISOString(),
    ...rest,
  }
}

/** A result from the service's own laboratory with a specimen, which is applied without earlier reports (ruling 57). */
export const tested = (result: string, members: object = {}) => ({
  sender: { kind: 'lab', id: LABORATORY.id },
  specimen: { id: `specimen-${(reports += 1)}` },
  event: 'result',
  result,
  ...members,
})

export const report = (service: TestService, message: unknown, secret = OPERATOR) =>
  service.call(secret, { method: 'POST', path: '/api/operator/v1/results', body: message })

/** Submits a result report that must be applied. */
export async function applied(service: TestService, message: unknown): Promise<ResultReceipt> {
  const answer = await report(service, message)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as ResultReceipt
}

export const operate = (service: TestService, method: string, path: string, body?: unknown, secret = OPERATOR) =>
  service.call(secret, { method, path: `/api/operator/v1${path}`, ...(body !== undefined && { body }) })

export async function seenByOperator(service: TestService, id: string): Promise<OperatorOrder> {
  const answer = await operate(service, 'GET', `/orders/${id}`)
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as OperatorOrder
}
