import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { instant, numeric, openEnum, Timestamp } from '../primitives.ts'
import { boundedListOf } from '../resource-endpoints.ts'
import { AfterWrite } from '../write-position.ts'

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
    subject: z.object({
      type: z.string(),
      id: z.string(),
      name: z
        .string()
        .nullable()
        .describe('The code of an order or the name of a person; null for all others, and once deleted.'),
    }),
    reason: z.string().nullable(),
    before: z.unknown().describe('The state before the change; null for reads.'),
    after: z.unknown(),
  })
  .meta({ id: 'AuditEntry' })

export type AuditEntry = z.infer<typeof AuditEntry>

const time = (description: string) => instant().optional().describe(description)

const audit = { path: '/api/operator/v1/audit', tag: 'Audit', one: 'entry', many: 'entries' }

const filters = {
  id: filter('The entry with this id.'),
  action: filter('Entries with this action.'),
  subjectId: filter('Entries about this order, result, token, and so on.'),
  tokenId: filter('Entries of this token.'),
  userId: filter('Entries of this person.'),
  from: time('At this time or later.'),
  to: time('Before this time.'),
}

export const listAudit = boundedListOf(audit, {
  headers: AfterWrite,
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

const AuditFault = z
  .object({
    kind: openEnum(['altered', 'missing', 'reordered', 'unlinked', 'details', 'head', 'checkpoint']).describe(
      '`unlinked`: an entry that is not part of the chain. `details`: reason, before or after do not match the entry. ' +
        '`head`: the chain does not contain the expected head. `checkpoint`: the start of a pruned chain is not genuine.',
    ),
    seq: z.int().nullable().describe('Number of the link.'),
    entryId: z.string().nullable(),
    detail: z.string(),
  })
  .meta({ id: 'AuditFault' })

export type AuditFault = z.infer<typeof AuditFault>

const AuditVerification = z
  .object({
    object: z.literal('auditVerification'),
    links: z.int().min(0).describe('Number of links checked in this part.'),
    entries: z.int().min(0).describe('Number of entries in this part that were checked for a link.'),
    head: z
      .object({ seq: z.int().min(0), hash: z.string() })
      .nullable()
      .describe('The last link checked in this part; null after all links were checked.'),
    faults: z.array(AuditFault).describe('What was found in this part; empty if nothing was altered.'),
    next: z.string().nullable().describe('Send it as `after` to check the next part; null after the last part.'),
  })
  .meta({ id: 'AuditVerification' })

export type AuditVerification = z.infer<typeof AuditVerification>

/** Links or entries of one answer: at most a few tens of milliseconds of hashing at once. */
const MOST_VERIFIED = 5_000
const VERIFIED_BY_DEFAULT = 2_000

export const verifyAudit = endpoint({
  method: 'GET',
  path: `${audit.path}/verification`,
  scope: 'operator.audit.read',
  tag: audit.tag,
  summary: 'Verify a part of the audit chain.',
  description:
    'Recomputes the hashes of links and entries, first from the start of the chain to its head, then looks for entries without a link. Each request checks one part; ' +
    'request the next part with `after` until `next` is null. The log is intact if no part has faults. A part ends early if it has many faults. ' +
    'To notice that the newest entries were removed, compare with a head saved earlier: send it as `head` in each request.',
  query: z.strictObject({
    after: z
      .string()
      .regex(/^(link:\d{1,15}|entry:\w{0,64})$/, { error: 'Expected `next` of the previous part.' })
      .optional()
      .describe('`next` of the previous part; leave it out to begin.'),
    head: z
      .string()
      .regex(/^\d{1,15}:[0-9a-f]{64}$/, { error: 'Expected SEQ:HASH, as printed by `ots audit head`.' })
      .optional()
      .describe('A head saved earlier, as SEQ:HASH, which the chain must still contain. Compared in the last part.'),
    limit: numeric(z.int().min(1).max(MOST_VERIFIED))
      .default(VERIFIED_BY_DEFAULT)
      .meta({ override: { default: VERIFIED_BY_DEFAULT }, description: 'Links or entries per part.' }),
  }),
  replies: { 200: 'What was checked, and the faults found.' },
  reply: AuditVerification,
  example: { query: { limit: 2000 }, reply: examples.auditVerification },
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
