import type { oas31 } from 'zod-openapi'
import { LIMIT, PAGE } from '../collection.ts'

export const info = {
  title: 'Order Testing Service API for operators',
  version: '1.0.0',
  summary: 'Orders, results, deliveries, messages, tokens and the catalog of one tenant, with an audit log.',
  description: introduction(),
  contact: { name: 'The operator of this service' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
}

export const tags: oas31.TagObject[] = [
  { name: 'Orders', description: 'Every order of the tenant, with its history and the actions of operators.' },
  { name: 'Tasks', description: 'What needs an operator now, found by the service.' },
  {
    name: 'Results',
    description: 'Reports of laboratories, reviewers and collection sites, and those that wait for an operator.',
  },
  { name: 'Deliveries', description: 'Deliveries of events to callbacks, and their receivers.' },
  { name: 'Tokens', description: 'Tokens of integrators, operators and senders of results.' },
  { name: 'Catalog', description: 'Services, packages, clinics, companies and tokens, as a file.' },
  { name: 'Messages', description: 'Notifications to participants and requesters by e-mail and text message.' },
  { name: 'Figures', description: 'How many, how fast and where, without personal data.' },
  { name: 'Users', description: 'People who sign in to the console, and their roles.' },
  { name: 'Audit', description: 'Who did what, and who read which personal data.' },
]

function introduction(): string {
  return `
With this API, the operator of the service manages one tenant, and laboratories, medical reviewers, couriers and
collection sites submit results. It has the same collections, error bodies, rate limits and headers as the API for
integrators.

# Tokens

Every request needs a token: \`Authorization: Bearer <token>\`. A token belongs to one tenant and sees all of its companies,
and nothing of other tenants. Scopes that start with \`operator.\` or \`intake.\` cannot be combined with those of integrators
in one token, so neither kind of token works with the other API. Each operation names the scope it requires.

- A missing, unknown, revoked or expired token: **401** \`unauthenticated\`.
- A valid token without the scope: **401** \`insufficientScope\`.

\`operator.participants.read\` does not belong to a single operation: without it, \`participant\` is absent. The scopes
\`intake.lab\`, \`intake.mro\` and so on determine which kind of sender a token may send results as.

# Audit log

Every action, and every read of a participant, a message or a document, creates an entry: which token, when, what, why, and
the state before. The entry commits together with the action. The log is append-only.

# Collections

Lists return \`data\`, \`limit\`, \`page\` and \`total\`. \`limit\` ranges from ${LIMIT.min} to ${LIMIT.max} (default ${LIMIT.default}),
\`page\` from ${PAGE.min} to ${PAGE.max.toLocaleString('en')}. Unknown parameters are refused.

# Errors

Every error response has the same body: \`error\`, \`statusCode\`, and \`errors\` with one entry per problem: a \`code\` for
programs, a \`detail\` for people and, if a field is at fault, \`source.pointer\`. A resource that does not exist or belongs to
another tenant gives **404**; an action that the current state does not allow gives **422**.
`.trim()
}
