import {
  ORDER_STATUS_MEANINGS,
  ORDER_STATUSES,
  SERVICE_STATUS_MEANINGS,
  SERVICE_STATUSES,
  type OrderStatus,
  type ServiceStatus,
  type StatusMeaning,
} from '@order-testing/contract'
import { FIRST_STATUS } from '@order-testing/service/domain/orders/create'
import {
  hasOutcome,
  hasResult,
  isClosedWithoutResult,
  isOpen,
  SERVICE_STATUSES as GROUPS,
} from '@order-testing/service/domain/orders/statuses'
import type { Page } from '../page.ts'
import { anchored, code, codes, either, referencePage, table } from './markdown.ts'
import { statusRules } from './status-rules.ts'
import { followingOf, KIND_NAMES, nameKinds, orderFollowing, resultsOfKind, type KindName } from './transitions.ts'

/** Every status of orders and services: its meaning, who acts next, and what may follow. */
export const statusesPage = (): Page =>
  referencePage('statuses', 'Statuses', [
    'An **order** asks for one or more **services**: a urine test, a breath alcohol test, an examination. Every service has a status of its own, and the status of the order follows from them. Some tests are regulated by agencies of the US Department of Transportation (DOT); a *medical reviewer* reports their results.\n\nNew statuses may be added: treat one that you do not know as "still open", and read the order again after its next event.',
    '## How an order ends {#ends}',
    table(['', '`isFinal`', 'Order statuses', 'Can it still change?'], ENDS()),
    'So do not wait for `isFinal` alone: an order that was cancelled, expired, or missed by the participant (`noShow`) never gets an outcome.',
    '## Order statuses {#order}',
    '### Open {#order-open}',
    openOrders(),
    'Any open order may also become `cancelled`, by you or the operator. Operators can cancel single services, too; the order then has the status of the remaining ones.',
    '### With an outcome {#order-outcomes}',
    'The order is finished, and nobody has to act.',
    ended(
      ORDER_STATUSES.filter((status) => hasOutcome(status)),
      ORDER_STATUS_MEANINGS,
      'order',
    ),
    '### Closed without an outcome {#order-closed}',
    'The order is over, and nobody acts on it any more.',
    ended(
      ORDER_STATUSES.filter((status) => isClosedWithoutResult(status)),
      ORDER_STATUS_MEANINGS,
      'order',
    ),
    '## Service statuses {#service}',
    `A new service is ${either(Object.entries(FIRST_STATUS).map(([option, status]) => `${code(status)} with the scheduling option ${code(option)}`))}.`,
    '### Open {#service-open}',
    openServices(),
    `Any open service may also become ${code('cancelled')} or ${code('integrationError')}, and before check-in ${code('expired')}. When a booking is cancelled, a scheduled service returns to the status it had before.`,
    '### With a result {#service-results}',
    ended(
      SERVICE_STATUSES.filter((status) => hasResult(status)),
      SERVICE_STATUS_MEANINGS,
      'service',
    ),
    'A result can be corrected, by the medical reviewer or the operator only, to another result of the same kind of service. You get an event, and the order shows the new result.',
    '### Closed without a result {#service-closed}',
    ended(
      SERVICE_STATUSES.filter((status) => isClosedWithoutResult(status)),
      SERVICE_STATUS_MEANINGS,
      'service',
    ),
    '### Which results are possible {#results}',
    table(
      ['Kind of service', 'Results'],
      groupByResults().map(([names, results]) => [capital(nameKinds(names, KIND_NAMES)), codes(results)]),
    ),
    ...statusRules(),
  ])

const ENDS = () => [
  [
    'With an outcome',
    '`true`',
    codes(ORDER_STATUSES.filter((status) => hasOutcome(status))),
    'Only by a correction of a result.',
  ],
  [
    'Closed without an outcome',
    '`false`',
    codes(ORDER_STATUSES.filter((status) => isClosedWithoutResult(status))),
    'No. A result that arrives late is kept for the operator.',
  ],
  ['Open', '`false`', 'All others', 'Yes.'],
]

function openOrders(): string {
  const following = orderFollowing()
  return table(
    ['Status', 'Meaning', 'Who acts next', 'What may follow'],
    (Object.keys(ORDER_STATUS_MEANINGS) as OrderStatus[])
      .filter((status) => isOpen(status))
      .map((status) => [
        ...describe('order', status, ORDER_STATUS_MEANINGS[status]),
        inOrder(following.get(status) ?? new Set()),
      ]),
  )
}

/** Results are summed up: which of them is possible depends on the services. */
function inOrder(following: ReadonlySet<OrderStatus>): string {
  const others = ORDER_STATUSES.filter(
    (status) => following.has(status) && !hasOutcome(status) && status !== 'cancelled',
  )
  const hasAny = [...following].some((status) => hasOutcome(status))
  return [...(hasAny ? ['an outcome'] : []), ...others.map((status) => code(status))].join(', ')
}

const openServices = () =>
  table(
    ['Status', 'Group', 'Meaning', 'Who acts next', 'What may follow'],
    SERVICE_STATUSES.filter((status) => isOpen(status)).map((status) => {
      const [name = '', ...rest] = describe('service', status, SERVICE_STATUS_MEANINGS[status])
      return [name, code(GROUPS[status]), ...rest, followingText(status)]
    }),
  )

function followingText(status: ServiceStatus): string {
  if (status === 'integrationError') return 'the status before'
  const { statuses, anyResult, kinds } = followingOf(status)
  const only = (name: string) => (name === '' ? '' : ` (${name})`)
  const steps = [...statuses].map(([next, names]) => `${code(next)}${only(nameKinds(names, kinds))}`)
  return [...steps, ...(anyResult.length > 0 ? [`any result${only(nameKinds(anyResult, kinds))}`] : [])].join(', ')
}

const describe = (of: string, status: string, { meaning, next, advice }: StatusMeaning): string[] => [
  anchored(`${of}-${status}`, status),
  advice === undefined ? meaning : `${meaning} *${advice}*`,
  next.join(', ') || 'nobody',
]

/** Nobody acts next on any of these. */
function ended<S extends string>(statuses: readonly S[], meanings: Record<S, StatusMeaning>, of: string): string {
  return table(
    ['Status', 'Meaning'],
    statuses.map((status) => describe(of, status, meanings[status]).slice(0, 2)),
  )
}

/** Kinds of services that have the same results. */
function groupByResults(): [KindName[], ServiceStatus[]][] {
  const groups = new Map<string, [KindName[], ServiceStatus[]]>()
  for (const name of KIND_NAMES) {
    const results = resultsOfKind(name)
    const [names = []] = groups.get(results.join(' ')) ?? []
    groups.set(results.join(' '), [[...names, name], results])
  }
  return [...groups.values()]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
