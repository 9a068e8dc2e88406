import { isStaffScope, type Problem, type Scope, type Sender } from '@order-testing/contract'
import type { TokenState } from '@order-testing/contract/operator'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { checkGrants, hashSecret, makeSecret } from '../../domain/access/tokens.ts'
import { LIVE_COUNTED } from '../../store/webhooks/callbacks.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import { recordNothing, type Deed, type Recorder } from '../audit/audit.ts'

export interface TokenRequest {
  tenantId: string
  id: string
  name: string
  scopes: readonly Scope[]
  /** Null links every active company of the tenant, where the scopes are an integrator's. */
  companyIds: readonly string[] | null
  expiresAt: Date | null
  rateLimit: number | null
  /** Absent or null: any sender of its intake scopes. */
  senders?: readonly Sender[] | null | undefined
}

type Random = (limit: number) => number

/** Issues a token and returns its secret, which is known to nobody else and cannot be read again. */
export const createToken = (
  request: TokenRequest,
  store: Store,
  random: Random,
  record: Recorder = recordNothing,
): Promise<string> =>
  store.transaction(async (tx) => {
    const secret = await issueToken(request, tx, random)
    const { tenantId, id } = request
    const after = grantsOf((await tx.tokens.find(tenantId, id))!)
    await record(tenantId, { action: 'token.create', subject: subjectOf(id), after }, tx)
    await tx.catalog.bumpVersion()
    return secret
  })

/** The same as a part of a transaction, whose last act has to be a new version of the catalog. */
export async function issueToken(request: TokenRequest, tx: Transaction, random: Random): Promise<string> {
  const secret = makeSecret(random)
  await tx.catalog.lock()
  const { companyIds, problems } = await resolveCompanies(request, tx.catalog)
  if (problems.length > 0) throw new Refusal(problems)
  const created = await tx.tokens.create({ ...request, companyIds, secretHash: hashSecret(secret) })
  if (!created)
    throw refuse(
      'conflict',
      `Tenant "${request.tenantId}" already has a token "${request.id}". Choose another id.`,
      '/id',
    )
  return secret
}

/** Gives a token that a catalog file names without a secret its first one. */
export async function issueSecret(
  tenantId: string,
  id: string,
  store: Store,
  random: Random,
  record: Recorder = recordNothing,
): Promise<string> {
  const secret = makeSecret(random)
  await store.transaction(async (tx) => {
    await tx.catalog.lock()
    const given = await tx.tokens.giveSecret(tenantId, id, hashSecret(secret))
    if (!given) throw refuse('notFound', `Tenant "${tenantId}" has no active token "${id}" without a secret.`)
    await record(tenantId, { action: 'token.issue', subject: subjectOf(id) }, tx)
    await tx.catalog.bumpVersion()
  })
  return secret
}

/** What becomes of the callbacks of a token that is revoked. */
export type CallbacksChoice = 'keep' | 'end'

export type Revocation =
  | { outcome: 'missing' }
  /** Nothing was changed: the token has live callbacks, and nobody said what becomes of them. */
  | { outcome: 'undecided'; live: number }
  | { outcome: 'revoked' | 'already'; ended: number }

/**
 * Revokes a token. With live callbacks it takes a choice: they go on as registered (`keep`, for a token that is replaced),
 * or they end (`end`, for one that got into wrong hands). `end` also ends those of a token that was revoked before.
 */
async function revoke(
  { tenantId, id, callbacks }: { tenantId: string; id: string; callbacks?: CallbacksChoice | undefined },
  tx: Transaction,
): Promise<Revocation> {
  const token = await tx.tokens.lock(tenantId, id)
  if (!token) return { outcome: 'missing' }
  if (token.isRevoked && callbacks !== 'end') return { outcome: 'already', ended: 0 }
  if (callbacks === undefined) {
    const live = await tx.callbacks.countLive(tenantId, id)
    if (live > 0) return { outcome: 'undecided', live }
  }
  await tx.tokens.revoke(tenantId, id, { endsCallbacks: callbacks === 'end' })
  const ended = callbacks === 'end' ? await endCallbacksOf(tenantId, id, tx) : 0
  return { outcome: token.isRevoked ? 'already' : 'revoked', ended }
}

/**
 * The same, recorded: also where only callbacks of a token end that was revoked before. The last act of the transaction is a new
 * version of the catalog.
 */
export async function revokeAndRecord(
  request: Parameters<typeof revoke>[0],
  tx: Transaction,
  record: (deed: Deed) => Promise<unknown>,
): Promise<Revocation> {
  const { tenantId, id, callbacks = null } = request
  const revoked = await revoke(request, tx)
  if (revoked.outcome === 'missing' || revoked.outcome === 'undecided') return revoked
  const isNew = revoked.outcome === 'revoked'
  if (isNew || revoked.ended > 0) {
    const before = grantsOf((await tx.tokens.find(tenantId, id))!)
    const after = { callbacks, endedCallbacks: revoked.ended }
    await record({ action: isNew ? 'token.revoke' : 'token.endCallbacks', subject: subjectOf(id), before, after })
  }
  if (isNew) await tx.catalog.bumpVersion()
  return revoked
}

/** The same as a transaction of its own. */
export function revokeToken(
  request: Parameters<typeof revoke>[0],
  store: Store,
  record: Recorder = recordNothing,
): Promise<Exclude<Revocation, { outcome: 'missing' }>> {
  const { tenantId, id, callbacks } = request
  return store.transaction(
    async (tx) => {
      const revoked = await revokeAndRecord(request, tx, (deed) => record(tenantId, deed, tx))
      if (revoked.outcome === 'missing') throw refuse('notFound', `Tenant "${tenantId}" has no token "${id}".`)
      return revoked
    },
    // There may be very many callbacks to end.
    { isUnlimited: callbacks === 'end' },
  )
}

/** Callbacks ended by one statement. */
const ENDED_AT_ONCE = 5_000

async function endCallbacksOf(tenantId: string, tokenId: string, tx: Transaction): Promise<number> {
  let total = 0
  for (;;) {
    const ended = await tx.callbacks.end(tenantId, { tokenId }, { reason: 'tokenRevoked', most: ENDED_AT_ONCE })
    total += ended.length
    if (ended.length < ENDED_AT_ONCE) return total
  }
}

/** `live` as it was counted, in words. */
export const liveText = (live: number) =>
  live < LIVE_COUNTED ? `${live} live ${live === 1 ? 'callback' : 'callbacks'}` : `${live} or more live callbacks`

/** A token as the subject of an audit entry. */
export const subjectOf = (id: string) => ({ type: 'token', id })

/** What a token could be used for, for the audit log. */
export const grantsOf = ({ name, scopes, companyIds, expiresAt, senders }: TokenRow) => ({
  name,
  scopes,
  companies: companyIds,
  expiresAt: expiresAt?.toISOString() ?? null,
  ...(senders && { senders }),
})

/** Whether a token can be used, and else why not. */
export function stateOf({ revokedAt, isActive, expiresAt, hasSecret }: TokenRow, now: Date): TokenState {
  if (revokedAt) return 'revoked'
  if (!isActive) return 'inactive'
  if (expiresAt && expiresAt <= now) return 'expired'
  return hasSecret ? 'active' : 'withoutSecret'
}

async function resolveCompanies(
  { tenantId, companyIds, ...grants }: TokenRequest,
  catalog: Transaction['catalog'],
): Promise<{ companyIds: string[]; problems: Problem[] }> {
  const tenants = await catalog.tenants()
  if (!tenants.some(({ id }) => id === tenantId))
    throw refuse('notFound', `There is no tenant "${tenantId}".`, '/tenantId')
  const known = (await catalog.activeCompanyIds(tenantId)).map(({ id }) => id)
  const unknown = (companyIds ?? []).flatMap((id, i): Problem[] =>
    known.includes(id)
      ? []
      : [
          {
            code: 'invalidValue',
            detail: `Tenant "${tenantId}" has no active company "${id}".`,
            pointer: `/companies/${i}`,
          },
        ],
  )
  // Operators see every company, those to come too.
  const linked = companyIds ?? (grants.scopes.some((scope) => isStaffScope(scope)) ? [] : known)
  return { companyIds: [...linked], problems: [...checkGrants({ ...grants, companies: companyIds ?? [] }), ...unknown] }
}
