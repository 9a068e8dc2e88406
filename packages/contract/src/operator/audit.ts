import { z } from 'zod'
import { collection, filter, paging } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { instant, Timestamp } from '../primitives.ts'
import { page } from '../shapes.ts'
import * as examples from './examples.ts'

const AuditEntry = z
  .object({
    id: z.string(),
    object: z.literal('auditEntry'),
    at: Timestamp,
    tokenId: z.string().meta({ description: 'Whose token.' }),
    action: z
      .string()
      .meta({ examples: ['order.read', 'order.cancel', 'service.move', 'result.assign', 'token.create'] }),
    subject: z.object({ type: z.string(), id: z.string() }),
    reason: z.string().nullable(),
    before: z.unknown().meta({ description: 'What was changed, as it was; null for reads.' }),
    after: z.unknown(),
  })
  .meta({ id: 'AuditEntry' })

export type AuditEntry = z.infer<typeof AuditEntry>

const time = (description: string) => instant().optional().meta({ description })

export const listAudit = endpoint({
  name: 'listAudit',
  method: 'GET',
  path: '/api/operator/v1/audit',
  scope: 'operator.audit.read',
  tag: 'Audit',
  summary: 'List who did what, newest first.',
  description: 'Every action of an operator, and every read of a participant. Entries are never changed or removed.',
  query: z.strictObject({
    ...paging,
    action: filter('Entries of this action.'),
    subjectId: filter('Entries about this order, result, token…'),
    tokenId: filter('Entries of this token.'),
    from: time('At this time or later.'),
    to: time('Before this time.'),
  }),
  replies: { 200: 'A page of entries.' },
  reply: collection(AuditEntry, 'AuditCollection'),
  refusals: [400],
  example: { query: { action: 'order.cancel' }, reply: page(examples.auditEntry) },
})
