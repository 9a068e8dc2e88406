import type { oas31 } from 'zod-openapi'
import { LIMIT, PAGE } from '../collection.ts'

export const info = {
  title: 'Order Testing Service API',
  version: '2.0.0',
  summary: 'Drug and alcohol test orders, from the catalog to a signed result event.',
  description: introduction(),
  contact: { name: 'The operator of this service' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
}

export const tags: oas31.TagObject[] = [
  { name: 'Orders', description: 'Place test orders for participants, follow them to a result, and cancel them.' },
  { name: 'Events', description: 'Requests that the service sends to the callback of an order when it changes.' },
  { name: 'Token', description: 'What the token of a request may do.' },
  {
    name: 'Agencies',
    description: 'Transport agencies that regulated orders are placed under, and their job categories.',
  },
  { name: 'Clinics', description: 'Collection sites. List them, or search by place or name.' },
  { name: 'Companies', description: 'The companies linked to the token.' },
  { name: 'Locations', description: 'Sites of the companies, where orders are placed.' },
  { name: 'Packages', description: 'What can be ordered at a location: named sets of services.' },
  { name: 'Services', description: 'The individual tests that packages consist of.' },
  { name: 'Sandbox', description: 'Tools for testing an integration. Only sandboxes have them.' },
]

function introduction(): string {
  return `
This API places drug and alcohol test orders, including those regulated by transport agencies, and follows them to a
result. It uses JSON over HTTP.

# Authentication

Every request needs an API token: \`Authorization: Bearer <token>\`. The operator issues tokens. A token is linked to
companies, which determine what it can see, and has scopes, which determine what it may do. Each operation names the scope
it requires.

- A missing, unknown, revoked or expired token: **401** \`unauthenticated\`.
- A valid token without the scope: **403** \`insufficientScope\` on the operations that create or validate an order, **401**
  \`insufficientScope\` on all others. Treat both as a lack of permission.

\`order.participant.read\` does not belong to a single operation: without it, \`participant\` is absent when orders are read
or listed, and its \`identifiers\` are absent from create responses.

# Resources

- Every resource has an \`id\`, an \`object\` that names its type, and a \`url\`, its path relative to this service. Ids are
  opaque strings.
- Timestamps are UTC with milliseconds, such as \`2026-03-02T15:04:05.678Z\`. Times in requests may have any offset.
- Text in requests may contain any character except U+0000 and unpaired surrogates.
- **Absent is not null.** Data that the token may not read is absent; a value that is not known yet is \`null\`. Empty
  lists are \`[]\`.
- New values of \`status\`, \`testReason\` and error \`code\`, and new members, may be added. Accept values you do not know.

# Collections

Lists return \`data\`, \`limit\`, \`page\` and an exact \`total\`. \`limit\` ranges from ${LIMIT.min} to ${LIMIT.max} (default ${LIMIT.default}),
\`page\` from ${PAGE.min} to ${PAGE.max.toLocaleString('en')}. A filter for something the token cannot see gives an empty page. Unknown
parameters are refused, so that a mistyped filter cannot return everything.

# Errors

Every error response has the same body: \`error\`, \`statusCode\`, and \`errors\` with one entry per problem of the request.
An entry has a \`code\` for programs and a \`detail\` for people, which says what is wrong and what to do next. If a field is
at fault, \`source.pointer\` is a JSON pointer to it: \`/participant/lastName\` in a body, \`/page\` in a query string. Rely on
\`statusCode\` for codes you do not know.

Reading a resource that does not exist, is inactive or is not visible to the token gives **404**.

Every response has an \`X-Request-Id\`. Quote it when you ask the operator for help.

# Limits

A token may make 1,200 requests per minute, unless the operator sets another limit. \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` report its current use; over the limit, **429** comes with \`Retry-After\`.
Bodies are limited to 256 KiB. An error body lists up to 100 problems; if there are more, its last entry has the code
\`badRequest\` and the number of problems not listed. Do not send bodies in tiny chunks, and pipeline at most 32 requests
per connection.

# Input

Names are trimmed. In two places this service is stricter than the interface document: a \`birthDate\` must be between
1900-01-01 and today (UTC), and an address in the United States or Canada must have a valid state or province and postal code. States and provinces may be sent as codes or names and are stored as codes.

# Retries

\`GET\` and the cancellation are safe to repeat. To make \`POST /api/v2/orders\` safe to repeat, send an \`Idempotency-Key\`
of up to 255 characters. For 24 hours, the same key and body return the first answer again and create no second order; the
same key with another body is refused with **409**. After a 5xx, retry with exponential backoff.

# Read your own writes

If the service reads lists from a replica of its database, responses to writes have an \`X-Write-Position\`. Send the last
one with a list request to get a list that has that write: the service waits for the replica, or asks the primary. Without
the header, a list may be a moment old. Reads of a single resource never are.

# Signatures

If the \`auth\` of a callback has a \`secretKey\`, deliveries are signed in \`X-Signature\`. Verify the signature against the
body as received, before parsing it:

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto'

function isGenuine(rawBody, signature, secretKey) {
  const [, t, hex] = /^t=(\\d+),sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  if (!hex || Math.abs(Date.now() / 1000 - t) > 300) return false
  const expected = createHmac('sha256', secretKey).update(t + '.').update(rawBody).digest('hex')
  return timingSafeEqual(Buffer.from(hex), Buffer.from(expected))
}
\`\`\`

The signature covers the time, a period and the body, so that a recorded delivery cannot be replayed later: refuse
deliveries more than five minutes old. v1 deliveries are signed without a time, as \`sha256=<hex>\` over the body alone.

Failed deliveries are retried for about 76 hours (v1: about one hour) at increasing intervals. They can arrive more than
once and out of order.

# Versions

The path contains the version. A callback receives deliveries of the version through which it was registered: the order
itself with \`POST /api/v1/orders\`, events with \`POST /api/v2/orders\`. It moves to v2 when a v2 create returns its order
as \`matched\` and has the same \`callback.url\`; send the complete \`callback\` then, because omitted members are removed.
`.trim()
}
