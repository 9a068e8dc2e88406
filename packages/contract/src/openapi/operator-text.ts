import type { oas31 } from 'zod-openapi'
import { LIMIT, PAGE } from '../collection.ts'

export const info = {
  title: 'Order Testing Service API for operators',
  version: '1.0.0',
  summary: 'Orders, results, deliveries, messages, tokens and the catalog of one tenant, with a trail of who did what.',
  description: introduction(),
  contact: { name: 'The operator of this service' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
}

export const tags: oas31.TagObject[] = [
  { name: 'Orders', description: 'Every order of the tenant, with all that happened to it, and ways to move it on.' },
  { name: 'Results', description: 'What laboratories, reviewers and collection sites report, and what waits for you.' },
  { name: 'Deliveries', description: 'Events on their way to callbacks, and the receivers they go to.' },
  { name: 'Tokens', description: 'Tokens of integrators, operators and those who bring results.' },
  { name: 'Catalog', description: 'Services, packages, clinics, companies and tokens, kept as a file.' },
  { name: 'Messages', description: 'What participants and requesters are told by e-mail and text message.' },
  { name: 'Audit', description: 'Who did what, and who read whose data.' },
]

function introduction(): string {
  return `
With this interface, the operator of the service looks after one tenant, and laboratories, medical reviewers, couriers and
collection sites bring in what they have to report. It keeps the manners of the interface for integrators: the same
collections, error bodies, rate limits and headers.

# Tokens

Every request carries a token: \`Authorization: Bearer <token>\`. A token is bound to one tenant and sees all of it,
whatever the company, and nothing of any other. Scopes that begin with \`operator.\` or \`intake.\` are never in one token
with those of integrators: neither kind of token opens the other interface. Each operation below names the scope it
needs.

- No token, or one that is unknown, revoked or expired: **401** \`unauthenticated\`.
- A valid token without the scope: **401** \`insufficientScope\`.

\`operator.participants.read\` belongs to no operation of its own: without it, \`participant\` is left out. A token that
brings results says as what it speaks with \`intake.lab\`, \`intake.mro\` and their like.

# The trail

Every action, and every read of a participant, of a message or of a document, leaves an entry: which token, when, what,
why, and what it was before. Entries are written with what they tell of, or neither is; nobody can change or remove them.

# Collections

Lists answer \`data\`, \`limit\`, \`page\` and \`total\`. \`limit\` goes from ${LIMIT.min} to ${LIMIT.max} (default ${LIMIT.default}),
\`page\` from ${PAGE.min} to ${PAGE.max.toLocaleString('en')}. An unknown parameter is refused.

# Refusals

Every answer that is not a success has the same body: \`error\`, \`statusCode\`, and \`errors\` with one entry for each
problem: a \`code\` for programs, a \`detail\` for people and, where a field is at fault, \`source.pointer\`. Something that
is missing or belongs to another tenant is **404**; what cannot be done in the state something is in, **422**.
`.trim()
}
