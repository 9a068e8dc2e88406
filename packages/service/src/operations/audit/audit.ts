import type * as contract from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import type { AuditRow } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { collectionOf, ok, type Context, type Operation, type Random } from '../operation.ts'

export const listAudit: Operation<typeof contract.listAudit> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.audit.page(caller.tenantId, query), query, (row) => presentEntry(row)))

export const readAuditHead: Operation<typeof contract.readAuditHead> = async (_input, { caller, store }) => {
  const { linkedAt, ...head } = await store.auditChain.head(caller.tenantId)
  return ok({ object: 'auditHead', ...head, linkedAt: linkedAt?.toISOString() ?? null })
}

/**
 * What was done or read. The subject is named by ids alone; reason, before and after are kept sealed.
 */
export interface AuditedAction {
  action: string
  subject: { type: string; id: string }
  reason?: string | null | undefined
  before?: unknown
  after?: unknown
}

/** An entry of the audit log, to be recorded in the transaction of what it tells of. */
export const entryOf = (
  deed: AuditedAction,
  { caller, now, random }: Pick<Context, 'caller' | 'now' | 'random'>,
): AuditRow =>
  rowOf(deed, { tenantId: caller.tenantId, tokenId: caller.tokenId, osUser: null, host: null }, now(), random)

/** Who runs a command that works on the database directly. */
export interface LocalActor {
  osUser: string
  host: string
}

/** Records what a command does, in the transaction that does it, and gives the id of the entry. */
export type AuditRecorder = (tenantId: string, deed: AuditedAction, tx: Pick<Transaction, 'audit'>) => Promise<string>

/** What stands in place of a token's id where a command was run. */
export const LOCAL_TOKEN_ID = 'local'

export const recordAsLocal =
  (actor: LocalActor, { now, random }: { now: () => Date; random: Random }): AuditRecorder =>
  async (tenantId, deed, tx) => {
    const row = rowOf(deed, { tenantId, tokenId: LOCAL_TOKEN_ID, ...actor }, now(), random)
    await tx.audit.note([row])
    return row.id
  }

/** For callers that record the same in their own way. */
export const recordNothing: AuditRecorder = () => Promise.resolve('')

type Actor = Pick<AuditRow, 'tenantId' | 'tokenId' | 'osUser' | 'host'>

function rowOf(deed: AuditedAction, actor: Actor, at: Date, random: Random): AuditRow {
  return {
    ...actor,
    id: makeId('aud', at, random.bytes),
    at,
    action: deed.action,
    subjectType: deed.subject.type,
    subjectId: deed.subject.id,
    reason: deed.reason ?? null,
    before: deed.before ?? null,
    after: deed.after ?? null,
  }
}

function presentEntry(row: AuditRow): contract.AuditEntry {
  const { id, at, tokenId, action, subjectType, subjectId, reason, before, after } = row
  return {
    id,
    object: 'auditEntry',
    at: at.toISOString(),
    tokenId,
    actor: { type: actorType(row), user: row.osUser ?? null, host: row.host ?? null },
    action,
    subject: { type: subjectType, id: subjectId },
    reason,
    before,
    after,
  }
}

/** A token may have any id, also one that stands for somebody without a token. */
function actorType({ tokenId, action, host }: AuditRow): contract.AuditEntry['actor']['type'] {
  if (host != null) return 'local'
  for (const visitor of ['participant', 'requester'] as const)
    if (tokenId === visitor && action.startsWith(`${visitor}.`)) return visitor
  return 'token'
}
