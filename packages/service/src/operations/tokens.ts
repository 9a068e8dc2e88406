import type { Problem, Scope } from '@order-testing/contract'
import { Refusal, refuse } from '../domain/refusal.ts'
import { hashSecret, makeSecret } from '../domain/tokens.ts'
import type { Store } from '../store/store.ts'

export interface TokenRequest {
  tenantId: string
  id: string
  name: string
  scopes: readonly Scope[]
  /** Null links every active company of the tenant. */
  companyIds: readonly string[] | null
  expiresAt: Date | null
  rateLimit: number | null
}

/** Issues a token and returns its secret, which is known to nobody else and cannot be read again. */
export async function createToken(
  request: TokenRequest,
  store: Store,
  random: (limit: number) => number,
): Promise<string> {
  const secret = makeSecret(random)
  await store.transaction(async (tx) => {
    await tx.catalog.lock()
    const { companyIds, problems } = await resolveCompanies(request, tx.catalog)
    if (problems.length > 0) throw new Refusal(problems)
    const created = await tx.tokens.create({ ...request, companyIds, secretHash: hashSecret(secret) })
    if (!created) throw refuse('conflict', `Tenant "${request.tenantId}" has a token "${request.id}" already.`, '/id')
    await tx.catalog.bumpVersion()
  })
  return secret
}

/** Gives a token that a catalog file names without a secret its first one. */
export async function issueSecret(
  tenantId: string,
  id: string,
  store: Store,
  random: (limit: number) => number,
): Promise<string> {
  const secret = makeSecret(random)
  await store.transaction(async (tx) => {
    await tx.catalog.lock()
    const given = await tx.tokens.giveSecret(tenantId, id, hashSecret(secret))
    if (!given) throw refuse('notFound', `Tenant "${tenantId}" has no usable token "${id}" without a secret.`)
    await tx.catalog.bumpVersion()
  })
  return secret
}

export function revokeToken(tenantId: string, id: string, store: Store): Promise<'revoked' | 'already'> {
  return store.transaction(async (tx) => {
    const outcome = await tx.tokens.revoke(tenantId, id)
    if (outcome === 'missing') throw refuse('notFound', `Tenant "${tenantId}" has no token "${id}".`)
    if (outcome === 'revoked') await tx.catalog.bumpVersion()
    return outcome
  })
}

async function resolveCompanies(
  { tenantId, companyIds }: TokenRequest,
  catalog: Store['catalog'],
): Promise<{ companyIds: string[]; problems: Problem[] }> {
  const tenants = await catalog.tenants()
  if (!tenants.some(({ id }) => id === tenantId))
    throw refuse('notFound', `There is no tenant "${tenantId}".`, '/tenantId')
  const known = (await catalog.activeCompanyIds(tenantId)).map(({ id }) => id)
  const unknown = (companyIds ?? []).filter((id) => !known.includes(id))
  const problems = unknown.map((id): Problem => ({
    code: 'invalidValue',
    detail: `Tenant "${tenantId}" has no active company "${id}".`,
    pointer: '/companyIds',
  }))
  return { companyIds: [...(companyIds ?? known)], problems }
}
