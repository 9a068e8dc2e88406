import { isStaffScope, type Problem, type Scope, type Sender } from '@order-testing/contract'
import type { TokenState } from '@order-testing/contract/operator'
import { checkGrants, hashSecret, makeSecret } from '../../domain/access/tokens.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { LIVE_COUNTED } from '../../store/webhooks/callbacks.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import type { Random } from '../operation.ts'

export interface TokenRequest {
  tenantId: string
  id: string
  name: string
  scopes: readonly Scope[]
  /** Null links every active company of the tenant; tokens with operator or intake scopes have no links. */
  companyIds: readonly string[] | null
  expiresAt: Date | null
  rateLimit: number | null
  /** Absent or null: any sender within its intake scopes. */
  senders?: readonly Sender[] | null | undefined
}

/** What issuing a secret needs besides the database. */
interface Issuing {
  random: Random['below']
  record: AuditRecorder
}

/** Creates a token. Its secret is returned only here and cannot be read again. */
export function issueToken(
  request: TokenRequest,
  store: Pick<Store, 'transaction'>,
  { random, record }: Issuing,
): Promise<{ secret: string; token: TokenRow }> {
  const { tenantId, id } = request
  const secret = makeSecret(random)
  return store.transaction(async (tx) => {
    await tx.catalog.lock()
    const { companyIds, problems } = await resolveCompanies(request, tx.catalog)
    if (problems.length > 0) throw new Refusal(problems)
    const isCreated = await tx.tokens.create({ ...request, companyIds, secretHash: hashSecret(secret) })
    if (!isCreated)
      throw refuse('conflict', `Tenant "${tenantId}" already has a token "${id}". Choose another id.`, '/id')
    const token = (await tx.tokens.find(tenantId, id))!
    await record(tenantId, { action: 'token.create', subject: subjectOf(id), after: auditGrants(token) }, tx)
    await tx.catalog.bumpVersion()
    return { secret, token }
  })
}

/** Sets and returns the first secret of a token that a catalog file declares without one. */
export async function issueSecret(
  { tenantId, id }: Pick<TokenRequest, 'tenantId' | 'id'>,
  store: Pick<Store, 'transaction'>,
  { random, record }: Issuing,
): Promise<string> {
  const secret = makeSecret(random)
  await store.transaction(async (tx) => {
    await tx.catalog.lock()
    const isSet = await tx.tokens.setFirstSecret(tenantId, id, hashSecret(secret))
    if (!isSet) throw refuse('notFound', `Tenant "${tenantId}" has no active token "${id}" that lacks a secret.`)
    await record(tenantId, { action: 'token.issue', subject: subjectOf(id) }, tx)
    await tx.catalog.bumpVersion()
  })
  return secret
}

export interface RevocationRequest {
  tenantId: string
  id: string
  /** Whether live callbacks of the token continue, for a token that is replaced, or end, for one that leaked. */
  callbacks?: 'keep' | 'end' | undefined
}

export type Revocation =
  | { outcome: 'missing' }
  /** Nothing was changed: the token has live callbacks, and the request does not say whether to keep or end them. */
  | { outcome: 'undecided'; live: number }
  | { outcome: 'revoked' | 'already'; ended: number; token: TokenRow }

/** Revokes a token. `callbacks: 'end'` also ends the callbacks of a token that was revoked earlier. */
export function revokeWithCallbacks(
  { tenantId, id, callbacks }: RevocationRequest,
  store: Pick<Store, 'transaction'>,
  record: AuditRecorder,
): Promise<Revocation> {
  const endsCallbacks = callbacks === 'end'
  const work = async (tx: Transaction): Promise<Revocation> => {
    const locked = await tx.tokens.lock(tenantId, id)
    if (!locked) return { outcome: 'missing' }
    const isNew = !locked.isRevoked
    const live = isNew && callbacks === undefined ? await tx.callbacks.countLive(tenantId, id) : 0
    if (live > 0) return { outcome: 'undecided', live }
    if (isNew || endsCallbacks) await tx.tokens.revoke(tenantId, id, { endsCallbacks })
    const ended = endsCallbacks ? await endCallbacks(tenantId, id, tx) : 0
    const token = (await tx.tokens.find(tenantId, id))!
    if (isNew || ended > 0) {
      const action = isNew ? 'token.revoke' : 'token.endCallbacks'
      const after = { callbacks: callbacks ?? null, endedCallbacks: ended }
      await record(tenantId, { action, subject: subjectOf(id), before: auditGrants(token), after }, tx)
    }
    if (isNew) await tx.catalog.bumpVersion()
    return { outcome: isNew ? 'revoked' : 'already', ended, token }
  }
  // There may be very many callbacks to end.
  return store.transaction(work, { isUnlimited: endsCallbacks })
}

/** Callbacks ended by one statement. */
const ENDED_AT_ONCE = 5_000

async function endCallbacks(tenantId: string, tokenId: string, tx: Transaction): Promise<number> {
  let total = 0
  for (;;) {
    const ended = await tx.callbacks.end(tenantId, { tokenId }, { reason: 'tokenRevoked', most: ENDED_AT_ONCE })
    total += ended.length
    if (ended.length < ENDED_AT_ONCE) return total
  }
}

export const formatLiveCallbacks = (live: number) =>
  live < LIVE_COUNTED ? `${live} live ${live === 1 ? 'callback' : 'callbacks'}` : `${live} or more live callbacks`

export const subjectOf = (id: string) => ({ type: 'token', id })

/** The part of a token that the audit log keeps. */
export const auditGrants = ({ name, scopes, companyIds, expiresAt, rateLimit, senders }: TokenRow) => ({
  name,
  scopes,
  companies: companyIds,
  expiresAt: expiresAt?.toISOString() ?? null,
  rateLimit,
  ...(senders && { senders }),
})

/** Whether a token is usable, or why not. */
export function tokenState({ revokedAt, isActive, expiresAt, hasSecret }: TokenRow, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  if (!isActive) return 'inactive'
  if (expiresAt && expiresAt <= now) return 'expired'
  return hasSecret ? 'active' : 'withoutSecret'
}

/** The companies that a token is linked to, and what is wrong with its grants. */
export async function resolveCompanies(
  { tenantId, companyIds, ...grants }: Omit<TokenRequest, 'id' | 'name'>,
  catalog: Transaction['catalog'],
): Promise<{ companyIds: string[]; problems: Problem[] }> {
  const tenants = await catalog.tenants()
  if (!tenants.some(({ id }) => id === tenantId))
    throw refuse('notFound', `There is no tenant "${tenantId}".`, '/tenantId')
  const known = (await catalog.activeCompanyIds(tenantId)).map(({ id }) => id)
  const unknown = (companyIds ?? []).flatMap((id, i): Problem[] => {
    const detail = `Tenant "${tenantId}" has no active company "${id}".`
    return known.includes(id) ? [] : [{ code: 'invalidValue', detail, pointer: `/companies/${i}` }]
  })
  // Operators see every company, including future ones.
  const linked = companyIds ?? (grants.scopes.some((scope) => isStaffScope(scope)) ? [] : known)
  return { companyIds: [...linked], problems: [...checkGrants({ ...grants, companies: companyIds ?? [] }), ...unknown] }
}
