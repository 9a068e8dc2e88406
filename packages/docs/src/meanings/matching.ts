import { createOrder, MATCHING_PROFILES, type CreateOrder } from '@order-testing/contract'
import {
  conflictsWith,
  hasConflict,
  scorePair,
  WEIGHTS,
  type Person,
  type Profile,
} from '@order-testing/service/domain/matching/score'
import { matchingOf } from '@order-testing/service/domain/orders/settings'
import { CLOSED_WITHOUT_RESULT } from '@order-testing/service/domain/orders/statuses'
import { MOST_CANDIDATES } from '@order-testing/service/store/matching/searches'
import type { Page } from '../page.ts'
import { bullets, code, codes, duration, either, json, number, numbered, referencePage, table } from './markdown.ts'
import { schemaOf } from './schemas.ts'

/**
 * What order matching compares and answers. Weights and exact scores of near matches are left out: tokens without
 * `order.participant.read` must not learn from a score what is on file (decision 23).
 */
export const matchingPage = (): Page =>
  referencePage('matching', 'Order matching', [
    'Two systems sometimes order the same test for the same person. With order matching, `POST /api/v2/orders` first looks for an **equivalent** order on file. If there is one, it answers **200** with that order and a `matched` block, and creates nothing. Otherwise it answers **201** with the new order, as always.',
    "A wrong match would show one person's order to another; a missed match only costs a duplicate. Matching therefore leans to misses. It is independent of the `Idempotency-Key`, which protects against repeating the *same request*.",
    '## Switching it on {#settings}',
    `Matching is ${matchingOf(undefined, {}).enabled ? 'on' : 'off'} unless it is switched on. Each member comes from the first that sets it: the request, the location, the company, the default.`,
    json({ orderMatching: REQUEST }),
    table(
      ['Member', 'Values', `Default with ${code('standard')}`, `Default with ${code('appCollection')}`],
      SETTING_ROWS(),
    ),
    bullets([
      '`lookBackPeriod` counts from the creation of the order on file.',
      '`matchScore` chooses among equivalent orders. With 100, only an exact match is accepted.',
      'A token without `order.participant.read` cannot go below the score of the location or company setting (or the default): a lower `matchScore` is raised to it. So thresholds cannot be used to guess who is on file.',
    ]),
    '## What is compared {#compared}',
    'First, the orders must be for the same purpose; then their people are compared.',
    table(['', ...PROFILES.map((profile) => code(profile))], PURPOSE_ROWS),
    'People are compared by what both orders have, the most important first:',
    table(
      ['Profile', 'Order of importance'],
      PROFILES.map((profile) => [code(profile), importance(profile).join(', ')]),
    ),
    table(['What', 'How it is compared'], FIELD_ROWS),
    'The score runs from 0 to 100. **100 means exact**: everything that both orders have is equal, and the order on file confirms whatever the request contains. Little in common gives a low score, even if it is equal: two names alone never reach the default.',
    '## What never matches {#never}',
    'Whatever `matchScore` you send, two orders are not equivalent if one of these is in **conflict**:',
    bullets([
      'first names that differ by more than a nickname, an initial or a misspelling;',
      'last names that differ by more than a part or a misspelling, unless birth date and an identifier are equal (a changed name);',
      'birth dates that differ by more than one digit, or by day and month swapped;',
      'identifiers of the same type, such as two social security numbers, that differ by more than one character.',
    ]),
    `An order does not match either if it was created before the look-back period, has another status than the table above allows, or is not visible to your token. The search reads the newest orders first and compares at most ${MOST_CANDIDATES.narrow} of them (${MOST_CANDIDATES.wide} if the minimum score is low), so among very many similar orders an old one can be missed.`,
    '## Examples {#examples}',
    `With the profile \`standard\` and the default score of ${matchingOf(undefined, {}).minScore}:`,
    table(
      ['Request', 'On file', 'Answer'],
      PAIRS.map(({ request, onFile, same, a, b }) => [request, `${onFile}; ${same}`, verdict(a, b)]),
    ),
    '## What a match answers {#answer}',
    'The whole order on file, with the `matched` block:',
    json({
      object: 'order',
      id: MATCHED.id,
      code: MATCHED.code,
      status: MATCHED.status,
      matched: MATCHED.matched,
      '…': '…',
    }),
    bullets([
      `\`matched.originalSource\` says where the order on file came from: ${codes(sources())}. Further values may be added.`,
      '`matched.score` is 100 for an exact match. For other matches it is the score, or, if your token lacks `order.participant.read`, the minimum score in force.',
      'With `order.participant.read` you see the participant on file. Without it, you see the participant of your own request, with `null` for what you did not send, and no `identifiers`.',
      'The order keeps its `externalId`; that of your request is ignored.',
      'A `callback` in your request is registered with the order on file. If the URL is already registered there, the registration is replaced and moves to v2: send the complete `callback`, because what you leave out is removed.',
      'No event is sent, because the order did not change.',
    ]),
    'To see in advance what a create would answer, send the same body to `POST /api/v2/orders/validation`: it has a `match` member and writes nothing.',
    '## Two requests at once {#parallel}',
    numbered([
      'Equivalent requests that arrive at the same moment make one order: the first answers 201, the others 200.',
      'Of several equivalent orders, the one with the highest score is answered; of equal scores, the newest.',
    ]),
    'See also the guide [Order matching](../guides/matching.md).',
  ])

const PROFILES = MATCHING_PROFILES.toSorted().toReversed() as Profile[]

const REQUEST: CreateOrder['orderMatching'] = {
  enabled: true,
  lookBackPeriod: { unit: 'days', value: 14 },
  matchScore: 90,
  profile: 'standard',
}

const SETTING_ROWS = (): string[][] => {
  const { properties = {} } = schemaOf('OrderMatching')
  const { minimum, maximum } = properties['matchScore']!.anyOf![0]!
  const days = properties['lookBackPeriod']!.properties!['value']!.anyOf![0]!
  const defaultsOf = (profile: Profile) => matchingOf({ enabled: true, profile }, {})
  return [
    ['`enabled`', '`true` or `false`; required in the request', 'off', 'off'],
    [
      '`profile`',
      `${either(PROFILES.map((profile) => code(profile)))}; default ${code(matchingOf(undefined, {}).profile)}`,
      '',
      '',
    ],
    [
      '`lookBackPeriod`',
      `\`unit\` \`days\` or \`hours\`, \`value\` from ${days.minimum} to ${number(days.maximum!)}`,
      ...PROFILES.map((profile) => duration(defaultsOf(profile).lookBackMs / 1000)),
    ],
    ['`matchScore`', `${minimum} to ${maximum}`, ...PROFILES.map((profile) => String(defaultsOf(profile).minScore))],
  ]
}

const PURPOSE_ROWS = [
  ['Use it for', 'Orders that are placed twice.', "Tests that a collector's app recorded before the order arrived."],
  [
    'Same',
    'location, package, test reason (and other test reason), agency, observed collection',
    'company, and the same kinds of tests (category, type, DOT or not)',
  ],
  ['Test reason', 'equal', 'equal, or unknown on one side'],
  [
    'Status of the order on file',
    '`ordered` or `scheduled`, not past its expiry',
    `any but ${codes([...CLOSED_WITHOUT_RESULT, 'testCancelled'])}`,
  ],
  ['Source of the order on file', 'any', '`app`'],
]

const FIELD_NAMES: Record<string, string> = {
  last: 'last name',
  first: 'first name',
  middle: 'middle name',
  birthDate: 'birth date',
  identifiers: 'identifiers',
  email: 'e-mail address',
  phone: 'phone number',
}

function importance(profile: Profile): string[] {
  const { enough: _, ...weights } = WEIGHTS[profile]
  return Object.entries(weights)
    .toSorted(([, a], [, b]) => b - a)
    .map(([field]) => FIELD_NAMES[field]!)
}

const FIELD_ROWS = [
  [
    'Names',
    'Letter case, accents, punctuation and suffixes such as Jr or III make no difference. Nicknames (Bob, Robert), initials, a middle name used as the first name, one of two last names, and small misspellings count as similar.',
  ],
  ['Birth date', 'Equal, or similar if one digit differs or day and month are swapped.'],
  [
    'Identifiers',
    'By type, without spaces, punctuation and letter case. Licenses of different states are not compared. Four digits of an `ssn` are compared with the last four; they never count as an equal identifier. Placeholders such as `123-45-6789`, `N/A` or `XXX-XX-1234` are not compared.',
  ],
  [
    'E-mail address, phone number',
    'Equal or not. Letter case makes no difference, nor does the spelling of a phone number: its last ten digits count.',
  ],
]

interface Pair {
  request: string
  onFile: string
  same: string
  a: Person
  b: Person
}

const born = { birthDate: '1990-03-07' }
const contacts = { email: 'maria@example.com', phone: '+16305550100' }
const ssn = { identifiers: [{ type: 'ssn', value: '509-41-7722' }] }
const maria = { firstName: 'Maria', lastName: 'Lopez' }

/** Pairs with their scores in the rulings; a test compares them. */
export const PAIRS: Pair[] = [
  {
    request: 'José Núñez-Ortiz',
    onFile: 'JOSE NUNEZ ORTIZ',
    same: 'same birth date',
    a: { firstName: 'José', lastName: 'Núñez-Ortiz', ...born },
    b: { firstName: 'JOSE', lastName: 'NUNEZ ORTIZ', ...born },
  },
  {
    request: 'Bob Lopez',
    onFile: 'Robert Lopez',
    same: 'same birth date and phone',
    a: { firstName: 'Bob', lastName: 'Lopez', ...born, phone: contacts.phone },
    b: { firstName: 'Robert', lastName: 'Lopez', ...born, phone: contacts.phone },
  },
  {
    request: 'Maria Lopez',
    onFile: 'Maria Lopez-Garcia',
    same: 'same birth date and e-mail',
    a: { ...maria, ...born, email: contacts.email },
    b: { ...maria, lastName: 'Lopez-Garcia', ...born, email: contacts.email },
  },
  {
    request: 'Maria Lopez, born 1990-03-07',
    onFile: 'Maria Lopez, born 1990-07-03',
    same: 'same e-mail and phone',
    a: { ...maria, ...born, ...contacts },
    b: { ...maria, birthDate: '1990-07-03', ...contacts },
  },
  {
    request: 'Maria Lopez',
    onFile: 'Maria Campbell',
    same: 'same birth date, `ssn`, e-mail and phone',
    a: { ...maria, ...born, ...contacts, ...ssn },
    b: { ...maria, lastName: 'Campbell', ...born, ...contacts, ...ssn },
  },
  {
    request: 'Maria Lopez',
    onFile: 'Maria Campbell',
    same: 'same birth date, e-mail and phone',
    a: { ...maria, ...born, ...contacts },
    b: { ...maria, lastName: 'Campbell', ...born, ...contacts },
  },
  {
    request: 'Maria Lopez',
    onFile: 'Mario Lopez',
    same: 'same birth date and phone (twins)',
    a: { ...maria, ...born, phone: contacts.phone },
    b: { ...maria, firstName: 'Mario', ...born, phone: contacts.phone },
  },
  {
    request: 'Maria Lopez, `ssn` 509-41-7722',
    onFile: 'Maria Lopez, `ssn` 612-30-4418',
    same: 'the rest equal',
    a: { ...maria, ...born, ...contacts, ...ssn },
    b: { ...maria, ...born, ...contacts, identifiers: [{ type: 'ssn', value: '612-30-4418' }] },
  },
]

function verdict(a: Person, b: Person): string {
  const scored = scorePair(a, b, 'standard')
  if (scored.score === 100) return '200, exact match'
  if (hasConflict(scored) || conflictsWith(a)(b)) return '201, new order (conflict)'
  return scored.score >= matchingOf(undefined, {}).minScore ? '200, match' : '201, new order (score too low)'
}

const MATCHED = createOrder.example.replies[200]

const sources = () => schemaOf('Order').properties!['matched']!.properties!['originalSource']!.anyOf![0]!.enum!
