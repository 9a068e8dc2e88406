import type * as contract from '@order-testing/contract/operator'
import { notFound, orNotFound, refuse } from '../../domain/refusal.ts'
import type { TokenRequestRow } from '../../store/access/token-uses.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import { recordAsCaller } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { changeToken } from './token-changes.ts'
import { formatLiveCallbacks, issueToken, revokeWithCallbacks, tokenState } from './tokens.ts'

export const listTokens: Operation<typeof contract.listTokens> = async ({ query }, { caller, store, now }) =>
  ok(collectionOf(await store.tokens.page(caller.tenantId, query), query, (row) => presentToken(row, now())))

export const readToken: Operation<typeof contract.readToken> = async ({ params }, { caller, store, now }) => {
  const { tenantId } = caller
  const row = orNotFound(await store.tokens.find(tenantId, params.id))
  const { since, scopes } = await store.tokenUses.ofToken({ tenantId, tokenId: row.id })
  const uses = new Map(scopes.map(({ scope, requests, lastOn }) => [scope, { requests, lastOn }]))
  const use = row.scopes.map((scope) => ({ scope, ...(uses.get(scope) ?? { requests: 0, lastOn: null }) }))
  return ok({ ...presentToken(row, now()), use: { since, scopes: use } })
}

export const listTokenRequests: Operation<typeof contract.listTokenRequests> = async (
  { params, query },
  { caller, store },
) => {
  const { tenantId } = caller
  const { id: tokenId } = orNotFound(await store.tokens.find(tenantId, params.id))
  const found = await store.tokenUses.page({ tenantId, tokenId }, { onlyRefused: query.refused === true }, query)
  return ok(collectionOf(found, query, (row) => presentRequest(row)))
}

/** A caller that may issue tokens may grant any scope; the audit log keeps who granted which. */
export const createToken: Operation<typeof contract.createToken> = async ({ body }, context) => {
  const { caller, store, now, random } = context
  const request = {
    tenantId: caller.tenantId,
    id: body.id ?? `tok_${random.bytes(6).toString('hex')}`,
    name: body.name,
    scopes: body.scopes,
    companyIds: body.companies ?? null,
    expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
    rateLimit: body.rateLimit ?? null,
    senders: body.senders,
  }
  const issuing = { random: random.below, record: recordAsCaller(context) }
  const { secret, token } = await issueToken(request, store, issuing)
  context.catalogChanged()
  return { status: 201, body: { ...presentToken(token, now()), secret } }
}

export const editToken: Operation<typeof contract.editToken> = async ({ params, body }, context) => {
  const { caller, store } = context
  const { companies, expiresAt, ...rest } = body
  const change = {
    tenantId: caller.tenantId,
    id: params.id,
    editorId: caller.tokenId,
    companyIds: companies,
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
    ...rest,
  }
  const token = orNotFound(await changeToken(change, store, { record: recordAsCaller(context), now: context.now() }))
  context.catalogChanged()
  return ok(presentToken(token, context.now()))
}

export const revokeToken: Operation<typeof contract.revokeToken> = async ({ params, query }, context) => {
  const request = { tenantId: context.caller.tenantId, id: params.id, callbacks: query.callbacks }
  const revoked = await revokeWithCallbacks(request, context.store, recordAsCaller(context))
  if (revoked.outcome === 'missing') throw notFound()
  if (revoked.outcome === 'undecided') {
    const detail = `This token has ${formatLiveCallbacks(revoked.live)}. Send callbacks=keep to keep them, or callbacks=end to end them.`
    throw refuse('required', detail, '/callbacks')
  }
  context.catalogChanged()
  return ok(presentToken(revoked.token, context.now()))
}

const presentRequest = ({ id, at, content }: TokenRequestRow): contract.TokenRequestEntry => ({
  id,
  object: 'tokenRequest',
  at: at.toISOString(),
  ...content,
})

export function presentToken(row: TokenRow, now: Date): contract.Token {
  return {
    id: row.id,
    object: 'token',
    name: row.name,
    scopes: row.scopes,
    companies: row.companyIds,
    rateLimit: row.rateLimit,
    senders: row.senders,
    origin: row.origin,
    state: tokenState(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    url: `/api/operator/v1/tokens/${encodeURIComponent(row.id)}`,
  }
}
