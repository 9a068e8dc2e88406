import type * as contract from '@order-testing/contract/operator'
import { csvLine } from '../../domain/csv.ts'
import type { Operation } from '../operation.ts'
import { auditEntry, namesIn, presentEntry } from './audit.ts'

const COLUMNS = [
  'id',
  'at',
  'tokenId',
  'actor',
  'user',
  'host',
  'action',
  'subjectType',
  'subjectId',
  'reason',
  'before',
  'after',
]

/** An export leaves the service with what was changed, so it is recorded itself. */
export const exportAudit: Operation<typeof contract.exportAudit> = ({ query }, context) =>
  context.store.transaction(async (tx) => {
    const { limit, before, ...filter } = query
    const rows = await tx.audit.listBefore(context.caller.tenantId, filter, { before, most: limit })
    const after = { ...filter, before, entries: rows.length }
    const subject = { type: 'audit', id: 'export' }
    await tx.audit.append([auditEntry({ action: 'audit.export', subject, after }, context)])
    const names = await namesIn(rows, context.caller.tenantId, tx)
    const text = [csvLine(COLUMNS), ...rows.map((row) => csvLine(cellsOf(presentEntry(row, names))))].join('')
    return { status: 200, bytes: Buffer.from(text), type: 'text/csv' }
  })

const cellsOf = ({ actor, subject, before, after, ...entry }: contract.AuditEntry) => [
  entry.id,
  entry.at,
  entry.tokenId,
  actor.type,
  entry.user?.name ?? actor.user,
  actor.host,
  entry.action,
  subject.type,
  subject.id,
  entry.reason,
  jsonOf(before),
  jsonOf(after),
]

const jsonOf = (value: unknown) => (value === null ? null : JSON.stringify(value))
