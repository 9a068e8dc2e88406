import {
  createOrder,
  CreateOrder,
  listOrders,
  parse,
  searchClinics,
  type ErrorBody,
  type ErrorCode,
  type Problem,
} from '@order-testing/contract'
import { openapi } from '@order-testing/contract/openapi'
import { readJson } from '@order-testing/service/domain/json'
import { checkRegulation } from '@order-testing/service/domain/orders/regulation'
import { checkScheduling, refusalForClinic } from '@order-testing/service/domain/orders/scheduling'
import { Refusal } from '@order-testing/service/domain/refusal'
import { checkCallback } from '@order-testing/service/domain/webhooks/callbacks'

const ORDER = createOrder.example.body

type Services = NonNullable<Parameters<typeof checkScheduling>[1]>

const serviceOf = (category: string, type: string, isDot: boolean): Services => [
  { id: type, name: type, category, type, isDot, requiresMro: false, lab: null },
]

/** Problems as the rules report them, one of each code that a request can cause by itself. */
export function exampleProblems(): Problem[] {
  return [
    ...refusedBy(CreateOrder, { ...ORDER, participant: { ...ORDER.participant, firstName: 17 } }),
    ...refusedBy(CreateOrder, { ...ORDER, participant: { ...ORDER.participant, birthDate: '1990-02-30' } }),
    ...refusedBy(CreateOrder, { ...ORDER, testReason: 'randomly' }),
    ...refusedBy(CreateOrder, { ...ORDER, participant: { ...ORDER.participant, lastName: undefined } }),
    ...refusedBy(searchClinics.body, { near: { address: 60_540 } }),
    ...refusedBy(listOrders.query, { limit: '50' }),
    ...refusedBy(listOrders.query, { page: '0' }),
    ...refusedBy(listOrders.query, { location: 'aurora' }),
    ...checkCallback({ headers: { 'X-Signature': 'mine' } }, { production: true, callbackAllow: [] }),
    ...checkScheduling(
      { settings: { schedulingOption: 'order', clinicSelectionMode: 'configured' } },
      serviceOf('background', 'criminal', false),
      {},
    ),
    refusalForClinic('allAboveCap'),
    refusalForClinic('configuredUnavailable'),
    ...unreadable(),
  ]
}

/** A rule of a regulation that is broken. */
export const regulatedProblem = (): Problem =>
  checkRegulation({ testReason: 'random' }, serviceOf('drug', 'urine', true))[0]!

/** The examples of refusals in the OpenAPI document, by code. */
export function documentedEntries(): Map<ErrorCode, ErrorBody['errors'][number]> {
  const { responses = {} } = (openapi() as { components: { responses?: Record<string, DocumentedResponse> } })
    .components
  const bodies = Object.values(responses).flatMap(({ content }) =>
    Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value),
  )
  return new Map(bodies.flatMap(({ errors }) => errors).map((entry) => [entry.code as ErrorCode, entry]))
}

interface DocumentedResponse {
  content?: Record<string, { examples?: Record<string, { value: ErrorBody }> }>
}

function refusedBy(schema: Parameters<typeof parse>[0], input: unknown): Problem[] {
  const parsed = parse(schema, input, schema === listOrders.query ? 'parameter' : 'member')
  return parsed.ok ? [] : parsed.problems
}

function unreadable(): Problem[] {
  try {
    readJson(new TextEncoder().encode('{"location": '))
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems
  }
}
