import type * as contract from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import type { AuditRow } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

export const listAudit: Operation<typeof contract.listAudit> = async ({ query }, { caller, store }) => {
  const page = await store.audit.page(caller.tenantId, query)
  const names = await namesIn(page.rows, caller.tenantId, store)
  return ok({ ...collectionOf(page, query, (row) => presentEntry(row, names)), isMore: page.isMore })
}

/** The names of people and the codes of orders in entries, by id. */
export async function namesIn(
  rows: readonly AuditRow[],
  tenantId: string,
  { users, orders }: Pick<Transaction, 'users' | 'orders'>,
): Promise<ReadonlyMap<string, string>> {
  const subjects = (type: string) => rows.filter((row) => row.subjectType === type).map(({ subjectId }) => subjectId)
  const people = [...rows.flatMap(({ userId }) => userId ?? []), ...subjects('user')]
  const [names, codes] = await Promise.all([
    users.namesOf(tenantId, people),
    orders.codesOf(tenantId, subjects('order')),
  ])
  return new Map([...names, ...codes])
}

export const readAuditHead: Operation<typeof contract.readAuditHead> = async (_input, { caller, store }) => {
  const { linkedAt, ...head } = await store.auditChain.head(caller.tenantId)
  return ok({ object: 'auditHead', ...head, linkedAt: linkedAt?.toISOString() ?? null })
}

/** A change or a read to be recorded. The subject is identified by ids only; reason, before and after are stored sealed. */
export interface AuditedAction {
  action: string
  subject: { type: string; id: string }
  reason?: string | null | undefined
  before?: unknown
  after?: unknown
}

/** Who acts, and when. */
export type AuditContext = Clock & { caller: Pick<Context['caller'], 'tenantId' | 'tokenId' | 'user'> } & Pick<
    Context,
    'trace'
  >

/** An entry of the audit log, to be appended by the transaction that performs the action. */
export function auditEntry(action: AuditedAction, context: AuditContext): AuditRow {
  const { tenantId, tokenId, user } = context.caller
  return toRow(action, { tenantId, tokenId, userId: user?.id ?? null, osUser: null, host: null }, context)
}

/** Records an action in the transaction that performs it; returns the id of the entry. */
export type AuditRecorder = (tenantId: string, action: AuditedAction, tx: Pick<Transaction, 'audit'>) => Promise<string>

/** Records actions of a request as its caller's. */
export const recordAsCaller =
  (context: AuditContext): AuditRecorder =>
  (_tenantId, action, tx) =>
    append(auditEntry(action, context), tx)

/** The user who runs a command that works on the database directly. */
export interface LocalActor {
  osUser: string
  host: string
}

/** The token id in entries of local commands. */
export const LOCAL_TOKEN_ID = 'local'

/** Records actions of a local command as its user's. */
export const recordAsLocal =
  (actor: LocalActor, clock: Clock): AuditRecorder =>
  (tenantId, action, tx) =>
    append(toRow(action, { tenantId, tokenId: LOCAL_TOKEN_ID, userId: null, ...actor }, clock), tx)

type Clock = Pick<Context, 'now' | 'random'>
type Actor = Pick<AuditRow, 'tenantId' | 'tokenId' | 'userId' | 'osUser' | 'host'>

async function append(row: AuditRow, tx: Pick<Transaction, 'audit'>): Promise<string> {
  await tx.audit.append([row])
  return row.id
}

function toRow({ action, subject, reason, before, after }: AuditedAction, actor: Actor, clock: Clock): AuditRow {
  const at = clock.now()
  return {
    ...actor,
    id: makeId('aud', at, clock.random.bytes),
    at,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    reason: reason ?? null,
    before: before ?? null,
    after: after ?? null,
  }
}

export function presentEntry(row: AuditRow, names: ReadonlyMap<string, string>): contract.AuditEntry {
  const { id, at, tokenId, userId, action, subjectType, subjectId, reason, before, after } = row
  return {
    id,
    object: 'auditEntry',
    at: at.toISOString(),
    tokenId,
    user: userId == null ? null : { id: userId, name: names.get(userId) ?? userId },
    actor: { type: actorType(row), user: row.osUser ?? null, host: row.host ?? null },
    action,
    subject: { type: subjectType, id: subjectId, name: names.get(subjectId) ?? null },
    reason,
    before,
    after,
  }
}

/** The action tells apart a participant from a token that an operator happened to name `participant`. */
function actorType({ tokenId, userId, action, host }: AuditRow): contract.AuditEntry['actor']['type'] {
  if (userId != null) return 'user'
  if (host != null) return 'local'
  for (const visitor of ['participant', 'requester'] as const)
    if (tokenId === visitor && action.startsWith(`${visitor}.`)) return visitor
  return 'token'
}
