import type { oas31 } from 'zod-openapi'
import { LIMIT, PAGE } from '../collection.ts'
import { SIGNATURE_MAX_AGE_SECONDS } from '../signature.ts'

export const info = {
  title: 'Order Testing Service API',
  version: '2.0.0',
  summary: 'Drug and alcohol test orders, from the catalog to a signed result event.',
  description: introduction(),
  contact: { name: 'The operator of this service' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
}

export const tags: oas31.TagObject[] = [
  { name: 'Orders', description: 'Place test orders for participants, follow them to a result, cancel them.' },
  { name: 'Events', description: 'What the service sends to the callback of an order when it changes.' },
  { name: 'Agencies', description: 'Transport agencies a regulated order is placed under, and their job categories.' },
  { name: 'Clinics', description: 'Collection sites: list them, or find them by place or misspelt name.' },
  { name: 'Companies', description: 'The companies linked to the token.' },
  { name: 'Locations', description: 'Sites of those companies, where orders are placed.' },
  { name: 'Packages', description: 'What can be ordered at a location: sets of services under a name.' },
  { name: 'Services', description: 'The single tests that packages are made of.' },
]

function introduction(): string {
  return `
With this interface, software places drug and alcohol test orders, those under transport agencies included, and follows
them to a result. It speaks JSON over HTTP.

# Authentication

Every request carries an API token: \`Authorization: Bearer <token>\`. The operator issues tokens. A token is linked to
companies, which decide what it sees, and carries scopes, which decide what it may do. Each operation below names the
one scope it needs.

- No token, or one that is unknown, revoked or expired: **401** \`unauthenticated\`.
- A valid token without the scope: **403** \`insufficientScope\` on the two create operations, **401**
  \`insufficientScope\` on all others. Treat both as a lack of permission.

\`order.participant.read\` belongs to no operation of its own: without it, reads and lists of orders leave out
\`participant\`, and create answers leave out its \`identifiers\`.

# Resources

- Every resource has an \`id\`, an \`object\` that names its type, and a \`url\`: its path, relative to this service. Ids are
  opaque text.
- Timestamps are UTC with milliseconds, such as \`2026-03-02T15:04:05.678Z\`. Times in requests may have any offset.
- Text in requests may hold any character except U+0000 and unpaired surrogates.
- **Absent is not null.** A block that the token may not read is absent; a value that nobody knows yet is \`null\`. Empty
  lists are \`[]\`.
- Values of \`status\`, \`testReason\` and error \`code\` may grow, and answers may gain members: accept what you do not know.

# Collections

Lists answer \`data\`, \`limit\`, \`page\` and an exact \`total\`. \`limit\` goes from ${LIMIT.min} to ${LIMIT.max} (default ${LIMIT.default}),
\`page\` from ${PAGE.min} to ${PAGE.max.toLocaleString('en')}. A filter that names something the token may not see gives an empty page. An unknown
parameter is refused, so that a mistyped filter cannot return everything.

# Errors

Every answer that is not a success has the same body: \`error\`, \`statusCode\`, and \`errors\` with one entry for each
problem of the request. An entry has a \`code\` for programs and a \`detail\` for people. Where a field is at fault,
\`source.pointer\` is a JSON pointer to it: \`/participant/lastName\` in a body, \`/page\` in a query string. Rely on
\`statusCode\` for codes you do not know.

A single resource that cannot be read answers **404**, whether it is missing, inactive or somebody else’s.

Every answer has an \`X-Request-Id\`. Quote it when asking the operator for help.

# Limits

A token may make a number of requests a minute: 1,200 unless the operator set another. \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where it stands; over the limit, **429** comes with \`Retry-After\`.
Bodies may have up to 256 KiB. An error body lists up to 100 problems; if there are more, its last entry has the code
\`badRequest\` and says how many were left out. Send bodies whole or in chunks of a usual size, and at most 32 requests of
one connection before their answers arrive.

# Input

Names are trimmed. In two places this service is stricter than the interface document: a \`birthDate\` lies between
1900-01-01 and today (UTC), and an address in the United States or Canada has a state or province and a postal code of that
country. States and provinces may be sent as codes or names and are stored as codes.

# Retries

\`GET\` and the cancellation are safe to repeat. To make \`POST /api/v2/orders\` so, send an \`Idempotency-Key\`, up to 255
characters of your choice. For 24 hours, the same key and body get the first answer again and make no second order; the
same key with another body is refused with **409**. After a 5xx, retry with exponential backoff.

# Signatures

A callback whose \`auth\` has a \`secretKey\` gets deliveries signed in \`X-Signature\`. Verify them against the body as it
arrived, before parsing it:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(rawBody, signature, secretKey) {
  const [, t, hex] = /^t=(\\d+),sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  if (!hex || Math.abs(Date.now() / 1000 - t) > ${SIGNATURE_MAX_AGE_SECONDS}) return false
  const expected = createHmac('sha256', secretKey).update(t + '.').update(rawBody).digest('hex')
  return timingSafeEqual(Buffer.from(hex), Buffer.from(expected))
}
\`\`\`

The signed text is the time, a full stop and the body, so that a delivery recorded by someone cannot be sent again later:
refuse those more than five minutes old. Deliveries of v1 are signed without a time, as \`sha256=<hex>\` over the body alone.

Deliveries that fail are tried again for about 76 hours (v1: about one hour) at growing intervals. They can arrive more
than once and out of order.

# Versions

The path names the version. A callback receives the deliveries of the version through which it was registered: the order
itself from \`POST /api/v1/orders\`, events from \`POST /api/v2/orders\`. It moves to v2 when a v2 create returns its order
as \`matched\` and names the same \`callback.url\`; send the whole \`callback\` then, since what is left out is removed.
`.trim()
}
