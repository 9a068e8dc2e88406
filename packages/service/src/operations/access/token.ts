import type * as contract from '@order-testing/contract'
import { companyReference } from '../../domain/catalog/references.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { ok, type Operation } from '../operation.ts'

/** The caller's own token. */
export const readToken: Operation<typeof contract.readToken> = async (_input, context) => {
  const { caller, store, policy, defaultRateLimit } = context
  const [row, companies] = await Promise.all([
    store.tokens.find(caller.tenantId, caller.tokenId),
    store.companies.listVisible(caller),
  ])
  const { id, name, expiresAt } = orNotFound(row)
  const limit = caller.rateLimit ?? defaultRateLimit
  return ok({
    id,
    object: 'token',
    url: '/api/v2/token',
    name,
    mode: policy.production ? 'production' : 'sandbox',
    scopes: [...caller.scopes],
    companies: companies.map((company) => companyReference(company)),
    rateLimit: limit === 0 ? null : limit,
    expiresAt: expiresAt?.toISOString() ?? null,
  })
}
