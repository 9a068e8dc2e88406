import { ACTORS, SERVICE_STATUSES, STATUS_GROUP_MEANINGS, type ServiceStatus } from '@order-testing/contract'
import { MISSED_AFTER_MS } from '@order-testing/service/domain/orders/life'
import {
  EXCEPTIONS,
  orderStatus,
  SERVICE_STATUSES as GROUPS,
  WORST_FIRST,
} from '@order-testing/service/domain/orders/statuses'
import { bullets, code, codes, duration, either, numbered, table } from './markdown.ts'
import { wayOf } from './transitions.ts'

/** Usual ways of services, and how the status of an order follows from theirs. */
export const statusRules = (): string[] => [
  '## Usual ways {#ways}',
  'Steps may be missing, because many laboratories report a result and nothing else. Do not rely on seeing every status.',
  table(
    ['Kind of service', 'Statuses'],
    [
      [
        'DOT drug test',
        wayOf('DOT drug tests', [
          'linkSent',
          'scheduled',
          'checkedIn',
          'collected',
          'inTransit',
          'receivedAtLab',
          'testing',
          'mroReview',
          'negative',
        ]),
      ],
      [
        'Drug test without a medical review',
        wayOf('laboratory drug tests without a medical review', [
          'scheduled',
          'checkedIn',
          'collected',
          'inTransit',
          'receivedAtLab',
          'testing',
          'positive',
        ]),
      ],
      ['Breath alcohol test', wayOf('breath alcohol tests', ['scheduled', 'checkedIn', 'negative'])],
      ['Health examination', wayOf('health examinations', ['scheduled', 'checkedIn', 'inProgress', 'fitForDuty'])],
      ['Background check', wayOf('background checks', ['linkSent', 'inProgress', 'pass'])],
      [
        'Lost specimen',
        wayOf('DOT drug tests', ['scheduled', 'checkedIn', 'collected', 'inTransit', 'lostInTransit', 'scheduled']),
      ],
    ],
  ),
  `A booking with a time counts as missed (${code('noShow')}) ${duration(MISSED_AFTER_MS / 1000)} after that time. A booking without a time is never missed; it ends when the order expires. Orders expire at ${code('expiresAt')}, and only services before check-in do.`,
  '## How the order status follows {#derivation}',
  'The first rule that applies wins:',
  numbered([
    'The order as a whole was cancelled or expired: `cancelled`, `expired`.',
    'Services that were cancelled on their own are left out. If none is left: `cancelled`.',
    `All services have a result: the worst wins, in this order: ${codes(WORST_FIRST)}. If there is none of these, \`complete\` and \`released\` are left out beside graded results; one distinct result is the outcome, several good ones are \`pass\`, only \`complete\` and \`released\` are \`complete\`. \`negativeDilute\` counts as \`negative\`.`,
    'All services are closed without a result: `noShow` if one was missed, else `expired`.',
    `A service has an exception: ${either(EXCEPTIONS.map((status) => code(status)))}, the first of these.`,
    'One service has a result, and another has not begun, expired or was missed: `incomplete`.',
    'A service is under way, from check-in on: `pending`.',
    'A service is booked: `scheduled`. Otherwise: `ordered`.',
  ]),
  table(
    ['Services', 'Order'],
    EXAMPLES.map((services) => [codes(services), code(orderStatus(services, null))]),
  ),
  'While a test needs a medical review, readers see nothing that hints at the findings of the laboratory: no `nonNegative`, and an empty `screenHistory`.',
  '## Who is who {#actors}',
  table(
    ['Actor', ''],
    Object.entries(ACTORS).map(([actor, what]) => [actor, what]),
  ),
  '## Groups {#groups}',
  'Each entry of `statusHistory` has a `groupType`, which sums statuses up for a progress bar:',
  table(
    ['Group', 'Meaning', 'Statuses'],
    Object.entries(STATUS_GROUP_MEANINGS).map(([group, meaning]) => [
      code(group),
      meaning,
      codes(SERVICE_STATUSES.filter((status) => GROUPS[status] === group)),
    ]),
  ),
  bullets([
    'Try every outcome without a laboratory: [the sandbox](../guides/sandbox.md).',
    'Be told of changes: [webhooks](../guides/webhooks.md).',
  ]),
]

const EXAMPLES: ServiceStatus[][] = [
  ['linkSent'],
  ['scheduled', 'ordered'],
  ['collected', 'ordered'],
  ['negative', 'scheduled'],
  ['negative', 'mroReview'],
  ['negative', 'positive'],
  ['negativeDilute', 'negative'],
  ['negative', 'fitForDuty'],
  ['negative', 'complete'],
  ['negative', 'cancelled'],
  ['noShow', 'expired'],
  ['lostInTransit', 'negative'],
]
