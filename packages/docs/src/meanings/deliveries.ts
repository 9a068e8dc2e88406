import { DELIVERY_STATES, HELD_REASONS, MOST_CALLBACKS } from '@order-testing/contract'
import { SPECIAL_RANGES } from '@order-testing/service/domain/webhooks/address-ranges'
import { OUR_HEADERS } from '@order-testing/service/domain/webhooks/callbacks'
import {
  FAILURES_TO_OPEN,
  FIRST_BREAK_SECONDS,
  LONGEST_BREAK_SECONDS,
} from '@order-testing/service/domain/webhooks/receivers'
import {
  BUSY,
  BUSY_SECONDS,
  JITTER,
  LONGEST_RETRY_AFTER_SECONDS,
  V1_SECONDS,
  type FailureClass,
} from '@order-testing/service/domain/webhooks/retry'
import { RESEND_PAUSE } from '@order-testing/service/store/webhooks/outbox'
import { DELIVERY_RETENTION } from '@order-testing/service/store/webhooks/records'
import { MAX_BODY_BYTES } from '@order-testing/service/webhooks/exchange'
import { TIMEOUT_MS } from '@order-testing/service/webhooks/sender'
import { requestHeaders } from '@order-testing/service/webhooks/wire'
import type { Page } from '../page.ts'
import { bullets, code, codes, duration, either, json, referencePage, size, table } from './markdown.ts'
import { plannedAttempts } from './schedule.ts'
import { SAMPLE } from './signature-vectors.ts'

/** How events are delivered: schedule, success, headers, broken receivers, resending. */
export const deliveriesPage = (): Page =>
  referencePage('deliveries', 'Deliveries', [
    'When an order changes in a way that you can see, the service makes an **event** and sends it to each **callback** of the order: the address that you gave when you created it. One event on its way to one callback is a **delivery**; each try to send it is an **attempt**. Creating an order makes no event.',
    '## What counts as received {#success}',
    `Answer with any **2xx** status, within **${duration(TIMEOUT_MS / 1000)}** from the start of the attempt: name look-up, connection and your whole response included. Of your response body, ${size(MAX_BODY_BYTES)} are read at most, and ignored. Store the event, answer, and do the work afterwards.`,
    table(['Your answer', 'What the service does'], ANSWERS),
    '## Schedule {#schedule}',
    `An attempt that fails is repeated after a growing wait, until one succeeds or the schedule ends. v1 ends after ${count('v1')} attempts and ${duration(last('v1'))}, v2 after ${count('v2')} attempts and about ${Math.round(last('v2') / 3600)} hours. The operator can set another schedule.`,
    table(['Attempt', 'Wait', 'Since the event', 'v1', 'v2'], scheduleRows()),
    bullets([
      `Each wait is lengthened at random by up to ${100 * JITTER} %, so that retries do not come all at once.`,
      `After ${either([...BUSY].map((status) => code(status)))} the wait is at least ${duration(BUSY_SECONDS)}, and as long as your \`Retry-After\` asks for, up to ${duration(LONGEST_RETRY_AFTER_SECONDS)}.`,
      `v1 deliveries end ${duration(V1_SECONDS)} after their event whatever happens, so that you know when the last one has arrived after you moved to v2.`,
      'When the schedule ends, the delivery is `failed`. Nothing is lost: read the order, list its events, or have an event sent again.',
    ]),
    '## Headers {#headers}',
    'Every delivery is a `POST` with a JSON body. This is what a v2 delivery to a callback with a `secretKey` carries, besides `Host`, `Content-Length` and `Connection`:',
    json(sampleHeaders('v2')),
    table(['Header', 'Meaning'], HEADERS),
    `A v1 delivery has the same headers, with \`X-Signature: ${sampleHeaders('v1')['X-Signature']?.slice(0, 15)}…\`, which signs no time. [Signatures](./signatures.md) says how to check them.`,
    `\`callback.headers\` are added to every delivery, and replace ours of the same name, such as \`User-Agent\`. These cannot be set: ${codes([...OUR_HEADERS])} and all that begin with \`webhook-\`.`,
    '## Order and repeats {#order}',
    bullets([
      '**Events can arrive more than once**, for example if your answer is lost. `X-Event-Id` is the same each time: remember the ids you have handled.',
      '**Events can arrive out of order.** A v2 event has no status: read the order at `data.url` and act on what it says now, not on the number or sequence of events.',
      'Every attempt sends the same bytes. Only signature, time and attempt number differ, because each attempt is signed anew with the secret that the callback has then.',
      'An event keeps the version it was created with. After a callback moved from v1 to v2, v1 deliveries can still arrive for about an hour.',
    ]),
    '## When your receiver is down {#breaker}',
    `A **receiver** is the origin of your callback URL: scheme, host and port. After ${FAILURES_TO_OPEN} failed attempts in a row (any answer but 2xx and 410, or none), the service stops sending to it for ${duration(FIRST_BREAK_SECONDS)} and holds its deliveries. Then it sends a single one as a probe. If that fails, the next break is twice as long, up to ${duration(LONGEST_BREAK_SECONDS)}; if it succeeds, the others follow. Holding costs no attempt, so a long outage does not use up the schedule of v2 deliveries. Other receivers are not affected, and nobody else's failures affect yours.`,
    '`GET /api/v2/orders/{id}/events` shows what became of each delivery:',
    table(
      ['`state`', 'Meaning'],
      DELIVERY_STATES.map((state) => [code(state), STATES[state]]),
    ),
    table(
      ['`heldReason`', 'Meaning'],
      HELD_REASONS.map((reason) => [code(reason), HELD[reason]]),
    ),
    'If there was no response at all, `lastError` says why:',
    table(
      ['`lastError`', 'Meaning'],
      Object.entries(FAILURES).map(([failure, meaning]) => [code(failure), meaning]),
    ),
    '## Sending again, and finding what you missed {#resend}',
    bullets([
      `\`POST /api/v2/orders/{id}/events/{eventId}/resend\` sends the same bytes again, at most once in ${RESEND_PAUSE} per event, to the callbacks that are still active and still have the version of the event.`,
      '`GET /api/v2/events` lists the events of all orders, delivered or not, from a cursor on. With it you need no callback at all; see [Keep a copy in sync](../guides/sync.md).',
      `What was sent is kept for ${DELIVERY_RETENTION} after the delivery ended; after that, the event cannot be sent again. The log of an attempt is kept for ${DELIVERY_RETENTION}. Events stay listed until the retention policy of the operator removes them.`,
    ]),
    '## Which addresses are allowed {#addresses}',
    bullets([
      'An absolute `https` URL; in a sandbox also `http`. No user name or password in it: send those in `callback.auth`.',
      `No private, loopback, link-local or otherwise special address; the list is below. An address in the URL, and \`localhost\`, is checked when you register it (400 \`invalidValue\`); a name is looked up for each attempt, and only an allowed address is dialled. The operator can allow more; a sandbox allows this machine (loopback).`,
      `At most ${MOST_CALLBACKS} active callbacks per order. The same URL again replaces the registration.`,
      'TLS certificates must be valid for the host name.',
    ]),
    `::: details Special ranges\n\n${table(
      ['Range', 'What it is'],
      SPECIAL_RANGES.map(([range, what]) => [code(range), what]),
    )}\n\n:::`,
    'See also the guide [Webhooks](../guides/webhooks.md).',
  ])

const ANSWERS = [
  ['2xx in time', 'Delivered.'],
  ['410', 'The callback ends: no further attempts, and no further events of this order to this URL.'],
  [
    [...BUSY].join(', '),
    `Tried again later, at the earliest after ${duration(BUSY_SECONDS)} or what \`Retry-After\` asks for.`,
  ],
  ['3xx', 'A failure: redirects are not followed. Register the final address.'],
  ['Any other status', 'A failure: tried again by the schedule. That includes 400 and 401.'],
  ['Nothing in time, no connection, invalid TLS certificate', 'A failure: tried again by the schedule.'],
]

const count = (version: 'v1' | 'v2') => plannedAttempts(version).length
const last = (version: 'v1' | 'v2') => plannedAttempts(version).at(-1)!.after

function scheduleRows(): string[][] {
  const v1 = plannedAttempts('v1')
  return plannedAttempts('v2').map(({ wait, after }, i) => [
    String(i + 1),
    i === 0 ? 'at once' : duration(wait),
    duration(after),
    i < v1.length ? 'yes' : 'no',
    'yes',
  ])
}

const sampleHeaders = (version: 'v1' | 'v2'): Record<string, string> =>
  requestHeaders({
    id: 'dlv_01K9Z7Q2N8',
    eventId: SAMPLE.eventId,
    attempt: 1,
    callback: { auth: { type: 'bearer', token: 'your-token', secretKey: SAMPLE.secret } },
    version,
    body: Buffer.from(version === 'v2' ? SAMPLE.body : SAMPLE.order),
    now: new Date(1000 * SAMPLE.timestamp),
  })

const HEADERS = [
  ['`X-Event-Id`', 'The event: the same on every attempt and for every callback. Use it to recognise repeats.'],
  ['`X-Delivery-Id`', 'The delivery: this event to this callback.'],
  ['`X-Delivery-Attempt`', 'The number of this attempt, from 1.'],
  ['`X-Signature`', 'The signature, if the callback has a `secretKey`.'],
  [
    '`webhook-id`, `webhook-timestamp`, `webhook-signature`',
    'The same in the form of [Standard Webhooks](https://www.standardwebhooks.com), for libraries that know it. `webhook-id` is the event.',
  ],
  ['`Authorization`, `X-API-Key` or your own', 'What `callback.auth` says: `bearer`, `basic`, `apiKey` or `custom`.'],
]

const STATES: Record<(typeof DELIVERY_STATES)[number], string> = {
  waiting: 'Its next attempt is due at `nextAttemptAt`.',
  sending: 'An attempt is under way.',
  held: 'It waits for its receiver; `heldReason` says why, and `heldUntil` until when, if that is known.',
  delivered: 'You answered with 2xx.',
  failed: 'There will be no further attempt.',
}

const HELD: Record<(typeof HELD_REASONS)[number], string> = {
  paused: 'The operator has paused deliveries to this receiver.',
  breakerOpen: 'The receiver failed repeatedly. At `heldUntil` it gets a probe.',
  queued: 'Others for the same receiver are ahead.',
}

const FAILURES: Record<FailureClass | 'registrationEnded' | 'tooLate', string> = {
  timeout: `No complete response within ${duration(TIMEOUT_MS / 1000)}.`,
  connect: 'No connection: refused, unreachable, or nothing listens there.',
  dns: 'The name of the host could not be resolved.',
  tls: 'The TLS handshake failed, for example because of an expired certificate.',
  reset: 'The connection ended before the response was complete.',
  badAnswer: 'The response is not valid HTTP, or too large.',
  forbiddenAddress: 'The host resolves only to addresses that callbacks may not reach.',
  unsendable: 'The request cannot be written, for example because of an invalid header.',
  registrationEnded: 'The callback has ended: by you, the operator, or a 410.',
  tooLate: 'v1 only: the hour was over.',
}
