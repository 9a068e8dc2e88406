import type { Scope, Sender } from '@order-testing/contract'
import { checkEdit } from '../../domain/access/tokens.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { auditGrants, resolveCompanies, subjectOf, tokenState } from './tokens.ts'

/** A change of a token; members that are absent stay as they are. */
export interface TokenChange {
  tenantId: string
  id: string
  /** The token that makes the change, if one does. */
  editorId?: string
  name?: string | undefined
  scopes?: readonly Scope[] | undefined
  companyIds?: readonly string[] | undefined
  expiresAt?: Date | null | undefined
  rateLimit?: number | null | undefined
  /** The new list, or what becomes of the list there is. */
  senders?: readonly Sender[] | null | undefined | ((before: readonly Sender[] | null) => readonly Sender[])
  reason?: string | undefined
}

/** Changes what a token may do, never its secret. Returns undefined if there is no such token. */
export function changeToken(
  change: TokenChange,
  store: Pick<Store, 'transaction'>,
  { record, now }: { record: AuditRecorder; now: Date },
): Promise<TokenRow | undefined> {
  const { tenantId, id, reason } = change
  return store.transaction(async (tx) => {
    await tx.catalog.lock()
    if (!(await tx.tokens.lock(tenantId, id))) return undefined
    const before = (await tx.tokens.find(tenantId, id))!
    refuseUneditable(before, now)
    const edited = merge(before, change)
    refuseOwnLoss(edited, change.editorId, now)
    const given = { ...edited, companyIds: change.companyIds ?? before.companyIds }
    const { problems } = await resolveCompanies(given, tx.catalog)
    // Companies that were linked before may be inactive by now.
    const found = change.companyIds ? problems : problems.filter(({ pointer }) => !pointer?.startsWith('/companies/'))
    const faults = [...checkEdit(before.scopes, edited.scopes), ...found]
    if (faults.length > 0) throw new Refusal(faults)
    await tx.tokens.edit(edited)
    if (isBlinded(before, edited)) await tx.callbacks.withdrawParticipant(tenantId, [id])
    const after = (await tx.tokens.find(tenantId, id))!
    const states = { before: auditGrants(before), after: auditGrants(after) }
    await record(tenantId, { action: 'token.edit', subject: subjectOf(id), reason, ...states }, tx)
    await tx.catalog.bumpVersion()
    return after
  })
}

const merge = (before: TokenRow, { tenantId, id, ...change }: TokenChange) => ({
  tenantId,
  id,
  name: change.name ?? before.name,
  scopes: change.scopes ?? before.scopes,
  companyIds: change.companyIds ?? before.companyIds,
  expiresAt: change.expiresAt === undefined ? before.expiresAt : change.expiresAt,
  rateLimit: change.rateLimit === undefined ? before.rateLimit : change.rateLimit,
  senders: mergeSenders(before.senders, change.senders),
})

function mergeSenders(before: TokenRow['senders'], change: TokenChange['senders']): readonly Sender[] | null {
  if (typeof change === 'function') return change(before)
  return change === undefined ? before : change
}

type Edited = ReturnType<typeof merge>

function refuseUneditable(token: TokenRow, now: Date): void {
  const state = tokenState(token, now)
  if (state === 'revoked') throw refuse('invalidState', 'This token is revoked.')
  if (token.origin === 'catalog')
    throw refuse('invalidState', 'This token comes from a catalog file: change it there, and apply the file.')
}

/** Nobody intends to lock themselves out. Another token can do it. */
function refuseOwnLoss({ id, scopes, expiresAt }: Edited, editorId: string | undefined, now: Date): void {
  if (id !== editorId) return
  if (!scopes.includes('operator.tokens.write') || (expiresAt && expiresAt <= now))
    throw refuse('invalidState', 'A token cannot take the right to edit tokens from itself. Use another token.')
}

const READS_PARTICIPANT = 'order.participant.read'

/** Whether callbacks of the token must not show the participant any more (ruling 42). */
const isBlinded = (before: TokenRow, after: Edited) =>
  before.scopes.includes(READS_PARTICIPANT) && !after.scopes.includes(READS_PARTICIPANT)
