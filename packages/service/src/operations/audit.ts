import type * as contract from '@order-testing/contract/operator'
import { makeId } from '../domain/ids.ts'
import type { AuditRow } from '../store/audit.ts'
import { collectionOf, ok, type Context, type Operation } from './operation.ts'

export const listAudit: Operation<typeof contract.listAudit> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.audit.page(caller.tenantId, query), query, (row) => presentEntry(row)))

/** What an operator did or read. */
export interface Deed {
  action: string
  subject: { type: string; id: string }
  reason?: string | null | undefined
  before?: unknown
  after?: unknown
}

/** An entry of the trail, to be noted in the transaction of what it tells of. */
export function entryOf(deed: Deed, { caller, now, random }: Pick<Context, 'caller' | 'now' | 'random'>): AuditRow {
  const at = now()
  return {
    tenantId: caller.tenantId,
    id: makeId('aud', at, random.bytes),
    at,
    tokenId: caller.tokenId,
    action: deed.action,
    subjectType: deed.subject.type,
    subjectId: deed.subject.id,
    reason: deed.reason ?? null,
    before: deed.before ?? null,
    after: deed.after ?? null,
  }
}

function presentEntry({
  id,
  at,
  tokenId,
  action,
  subjectType,
  subjectId,
  reason,
  before,
  after,
}: AuditRow): contract.AuditEntry {
  return {
    id,
    object: 'auditEntry',
    at: at.toISOString(),
    tokenId,
    action,
    subject: { type: subjectType, id: subjectId },
    reason,
    before,
    after,
  }
}
