import { maxHeaderSize } from 'node:http'
import { LIMIT, MOST_CALLBACKS, MOST_PROBLEMS, PAGE, RADIUS_MILES } from '@order-testing/contract'
import { readConfig } from '@order-testing/service/cli/run/settings'
import { DEEPEST } from '@order-testing/service/domain/json'
import { EARLIEST_BIRTH } from '@order-testing/service/domain/orders/people'
import { BODY_LIMIT } from '@order-testing/service/http/bodies'
import { LIMITS, SHARE } from '@order-testing/service/http/limits/admission'
import { ARRIVAL_MS, IDLE_MS } from '@order-testing/service/http/limits/deadlines'
import { SMALL_CHUNK, SMALL_CHUNKS } from '@order-testing/service/http/limits/floods'
import { WINDOW_MS } from '@order-testing/service/http/limits/rate-limit'
import { MOST_PIPELINED } from '@order-testing/service/http/limits/turns'
import { PLAIN_BYTES } from '@order-testing/service/http/sending'
import { IDEMPOTENCY_LIFETIME } from '@order-testing/service/store/orders/idempotency'
import { RESEND_PAUSE } from '@order-testing/service/store/webhooks/outbox'
import { DELIVERY_RETENTION } from '@order-testing/service/store/webhooks/records'
import { TIMEOUT_MS } from '@order-testing/service/webhooks/sender'
import type { Page } from '../page.ts'
import { bullets, codes, duration, number, referencePage, size, table } from './markdown.ts'
import { limitOf, membersByLimit, parameterOf } from './schemas.ts'

/** Sizes, lengths, rates and times that a request must keep to. */
export const limitsPage = (): Page =>
  referencePage('limits', 'Limits', [
    'What is outside a limit is refused, never cut off. Values answer 400 with [`tooSmall`](./errors.md#tooSmall) or [`tooBig`](./errors.md#tooBig) and a pointer to the member or parameter. Figures marked with ⚙ are defaults that the operator can change.',
    '## Requests {#requests}',
    table(['Limit', 'Value', 'Beyond it'], requestRows()),
    '## Rate limit {#rate}',
    `A token may make **${number(SETTINGS.rateLimit)} requests** ⚙ in ${duration(WINDOW_MS / 1000)}. Every process of the service counts for itself, from the first request of a window on. \`GET /api/v2/token\` tells the limit of your token in \`rateLimit\`; \`null\` means none.`,
    table(['Header', 'Meaning'], RATE_HEADERS),
    'Over the limit, requests answer 429 [`tooManyRequests`](./errors.md#tooManyRequests) with `Retry-After`. Refused requests count, too, so wait.',
    '## Concurrent requests {#concurrency}',
    `Requests beyond these numbers wait. Tokens are served in turn, and one token gets at most ${fraction(SHARE)} of the places, so that nobody crowds out the others. If too many wait, further requests answer 503 at once, with \`Retry-After\` and without any effect: nothing was changed. The numbers hold for each process of the service.`,
    table(
      ['Requests', 'At once', 'May wait'],
      CONCURRENCY.map(([kind, what]) => [what, number(LIMITS[kind].atOnce), number(LIMITS[kind].waiting)]),
    ),
    '## Lists {#lists}',
    table(
      ['Parameter', 'Value', 'Default'],
      [
        ['`limit`', `${LIMIT.min} to ${LIMIT.max}`, String(LIMIT.default)],
        ['`page`', `${PAGE.min} to ${number(PAGE.max)}`, String(PAGE.default)],
        ['`cursor`', limitOf(parameterOf('get', '/api/v2/events', 'cursor')), 'empty: from the beginning'],
        ['`name`, `city`, `code` and other text filters', limitOf(parameterOf('get', '/api/v2/orders', 'code')), ''],
      ],
    ),
    `\`total\` is exact, and counts all pages. To read more than ${number(LIMIT.max * PAGE.max)} orders, use a cursor: see [Keep a copy in sync](../guides/sync.md).`,
    '## Idempotency-Key {#idempotency}',
    bullets([
      `Optional on \`POST /api/v2/orders\` and \`POST /api/v1/orders\`: ${limitOf(parameterOf('post', '/api/v2/orders', 'Idempotency-Key'))}, such as a UUID. Keys belong to your token.`,
      `For ${IDEMPOTENCY_LIFETIME}, the same key and the same body answer what the first request answered, with \`Idempotent-Replayed: true\`. The order of members and blanks in the body make no difference.`,
      'The same key with another body, or on the other version, is refused: 409 [`conflict`](./errors.md#conflict).',
      'Only successful creates (200 and 201) are kept. After an error, correct the request and use the same key or another.',
    ]),
    '## Members of bodies {#members}',
    ...memberTables(),
    `Besides: \`birthDate\` is from ${EARLIEST_BIRTH} to today (UTC). Each \`type\` of identifier may occur once. Lengths are counted in UTF-16 code units, as JavaScript does: most characters count as one, an emoji as two.`,
    '## Orders and callbacks {#orders}',
    table(
      ['Limit', 'Value'],
      [
        ['Active callbacks of an order', `${MOST_CALLBACKS}; more answer 422 \`invalidState\``],
        ['Clinics in reach of a participant, with `schedule`', `${RADIUS_MILES.default} miles ⚙`],
        ['Resending an event', `once in ${RESEND_PAUSE}`],
        ['Time for your receiver to answer', duration(TIMEOUT_MS / 1000)],
        ['Attempts of a delivery', 'see [Deliveries](./deliveries.md#schedule)'],
        ['Matching', 'see [Order matching](./matching.md#settings)'],
      ],
    ),
    '## How long things are kept {#retention}',
    table(
      ['What', 'How long'],
      [
        ['Answers stored for an `Idempotency-Key`', IDEMPOTENCY_LIFETIME],
        ['What was sent to callbacks', `${DELIVERY_RETENTION} after the delivery ended`],
        ['The log of attempts', DELIVERY_RETENTION],
        ['Orders and events', 'until the retention policy of the operator removes them'],
      ],
    ),
  ])

const SETTINGS = readConfig({})

const requestRows = (): string[][] => [
  ['Body', size(BODY_LIMIT), '413 `tooBig`'],
  ['Headers', size(maxHeaderSize), '431 `tooBig`'],
  ['Nesting of JSON', `${DEEPEST} levels`, '400 `badRequest`'],
  ['Problems listed in an error body', String(MOST_PROBLEMS), 'the last entry says how many are left out'],
  ['Time to send a request', duration(ARRIVAL_MS / 1000), '408 `badRequest`'],
  ['Time to answer', `${duration(SETTINGS.requestTimeout)} ⚙`, '503 `internalError`; the work may have been done'],
  ['Requests that wait on one connection (pipelining)', String(MOST_PIPELINED), '429, and the connection is closed'],
  [
    'Chunks of a body sent with `Transfer-Encoding: chunked`',
    `at least ${SMALL_CHUNK} bytes on average, if there are more than ${number(SMALL_CHUNKS)}`,
    '400 `badRequest`; send larger chunks, or a `Content-Length`',
  ],
  ['Idle connection', duration(IDLE_MS / 1000), 'closed'],
  ['Answers that are compressed', `over ${size(PLAIN_BYTES)}, if you send \`Accept-Encoding: gzip\``, ''],
]

const RATE_HEADERS = [
  ['`RateLimit-Limit`', 'Requests that the token may make in a window.'],
  ['`RateLimit-Remaining`', 'Requests left in this window.'],
  ['`RateLimit-Reset`', 'Seconds until this window ends.'],
  ['`Retry-After`', 'Only with 429 and 503: seconds to wait.'],
]

const CONCURRENCY: [keyof typeof LIMITS, string][] = [
  ['read', 'Reads, and lists of the catalog'],
  ['list', 'Lists of orders and events, clinic search'],
  ['create', 'Creating and validating orders'],
  ['change', 'Cancelling, changing callbacks, resending'],
]

const BODIES = [
  ['CreateOrder', '`POST /api/v2/orders` and `POST /api/v2/orders/validation`'],
  ['Cancellation', '`PUT /api/v2/orders/{id}/cancellation`'],
  ['Callback', '`PUT /api/v2/orders/{id}/callback`'],
  ['ClinicSearch', '`POST /api/v2/clinics/search`'],
  ['Simulation', '`POST /api/sandbox/v1/orders/{id}/simulation`'],
  ['ClockAdvance', '`POST /api/sandbox/v1/orders/{id}/clock`'],
] as const

/** `[]` stands for each item of a list. */
const memberTables = (): string[] =>
  BODIES.flatMap(([schema, operations]) => [
    `### ${operations.replaceAll('`', '')} {#${schema}}`,
    table(
      ['Members', 'Limit'],
      [...membersByLimit(schema)].map(([limit, members]) => [codes(members), limit]),
    ),
  ])

/** `two thirds`. */
function fraction(value: number): string {
  if (value === 2 / 3) return 'two thirds'
  return `${Math.round(100 * value)} %`
}
