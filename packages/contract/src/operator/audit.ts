import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { instant, numeric, Timestamp } from '../primitives.ts'
import { listOf } from '../resource-endpoints.ts'

const AuditEntry = z
  .object({
    id: z.string(),
    object: z.literal('auditEntry'),
    at: Timestamp,
    tokenId: z
      .string()
      .describe(
        'Id of the token; the id of the user for a person, `local` for a command on the database, `participant` or `requester` for a page.',
      ),
    user: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The person who acted, signed in to the console; null for all others.'),
    actor: z
      .object({
        type: z.enum(['token', 'user', 'participant', 'requester', 'local']),
        user: z.string().nullable(),
        host: z.string().nullable(),
      })
      .describe('Who acted. `user` and `host` are set for commands on the database.'),
    action: z
      .string()
      .meta({ examples: ['order.read', 'order.cancel', 'service.move', 'result.assign', 'token.create'] }),
    subject: z.object({ type: z.string(), id: z.string() }),
    reason: z.string().nullable(),
    before: z.unknown().describe('The state before the change; null for reads.'),
    after: z.unknown(),
  })
  .meta({ id: 'AuditEntry' })

export type AuditEntry = z.infer<typeof AuditEntry>

const time = (description: string) => instant().optional().describe(description)

const audit = { path: '/api/operator/v1/audit', tag: 'Audit', one: 'entry', many: 'entries' }

const filters = {
  action: filter('Entries with this action.'),
  subjectId: filter('Entries about this order, result, token, and so on.'),
  tokenId: filter('Entries of this token.'),
  userId: filter('Entries of this person.'),
  from: time('At this time or later.'),
  to: time('Before this time.'),
}

export const listAudit = listOf(audit, {
  scope: 'operator.audit.read',
  summary: 'List audit entries, newest first.',
  description:
    'Every action of an operator, every read of a participant, and every command that changed the database. The log is ' +
    'append-only, and entries join a hash chain within about a second. `reason`, `before` and `after` are encrypted at rest.',
  filters,
  item: AuditEntry,
  collectionId: 'AuditCollection',
  example: examples.auditEntry,
  exampleQuery: { action: 'order.cancel' },
})

const AuditHead = z
  .object({
    object: z.literal('auditHead'),
    seq: z.int().describe('Number of entries linked so far; 0 before the first.'),
    hash: z.string().describe('Hash of the last link, in hexadecimal.'),
    entryId: z.string().nullable().describe('The last linked entry.'),
    linkedAt: Timestamp.nullable(),
  })
  .meta({ id: 'AuditHead' })

export const readAuditHead = endpoint({
  method: 'GET',
  path: `${audit.path}/head`,
  scope: 'operator.audit.read',
  tag: audit.tag,
  summary: 'Read the head of the audit chain.',
  description:
    'Store it outside this service. `ots audit verify --head SEQ:HASH` then proves that nothing up to it was removed or rewritten.',
  replies: { 200: 'The head of the chain.' },
  reply: AuditHead,
  example: { reply: examples.auditHead },
})

/** Entries of one answer, few enough to open between other requests. */
const MOST_EXPORTED = 1_000

export const exportAudit = endpoint({
  method: 'GET',
  path: `${audit.path}/export`,
  scope: 'operator.audit.read',
  tag: audit.tag,
  summary: 'Export audit entries as CSV, newest first.',
  description:
    'With a header line; `before` and `after` are JSON. Cells that a spreadsheet would run as a formula begin with an apostrophe. To read on, send the id of the ' +
    'last line as `before`; an answer with fewer lines than `limit` is the last. Each export is recorded in the audit log.',
  query: z.strictObject({
    ...filters,
    before: filter('Entries older than the one with this id.'),
    limit: numeric(z.int().min(1).max(MOST_EXPORTED))
      .default(MOST_EXPORTED)
      .meta({ override: { default: MOST_EXPORTED }, description: 'Entries per answer.' }),
  }),
  replies: { 200: 'The entries.' },
  reply: z.string(),
  replyType: 'text/csv',
  example: { query: { action: 'order.cancel' }, reply: examples.auditCsv },
})
