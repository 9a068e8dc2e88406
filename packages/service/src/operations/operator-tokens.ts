import type * as contract from '@order-testing/contract/operator'
import { notFound } from '../domain/refusal.ts'
import type { TokenRow } from '../store/tokens.ts'
import { entryOf } from './audit.ts'
import { collectionOf, ok, type Operation } from './operation.ts'
import { grantsOf, issueToken, stateOf, subjectOf } from './tokens.ts'

export const listTokens: Operation<typeof contract.listTokens> = async ({ query }, { caller, store, now }) =>
  ok(collectionOf(await store.tokens.page(caller.tenantId, query), query, (row) => presentToken(row, now())))

export const readToken: Operation<typeof contract.readToken> = async ({ params }, { caller, store, now }) => {
  const row = await store.tokens.find(caller.tenantId, params.id)
  if (!row) throw notFound()
  return ok(presentToken(row, now()))
}

/** Whoever may issue tokens may issue any: the trail tells who did, and with which scopes. */
export const createToken: Operation<typeof contract.createToken> = async ({ body }, context) => {
  const { caller, now, random } = context
  const id = body.id ?? `tok_${random.bytes(6).toString('hex')}`
  const request = {
    tenantId: caller.tenantId,
    id,
    name: body.name,
    scopes: body.scopes,
    companyIds: body.companies ?? null,
    expiresAt: body.expiresAt === undefined ? null : new Date(body.expiresAt),
    rateLimit: body.rateLimit ?? null,
  }
  const issued = await context.store.transaction(async (tx) => {
    const secret = await issueToken(request, tx, random.below)
    const row = (await tx.tokens.find(caller.tenantId, id))!
    await tx.audit.note([entryOf({ action: 'token.create', subject: subjectOf(id), after: grantsOf(row) }, context)])
    await tx.catalog.bumpVersion()
    return { ...presentToken(row, now()), secret }
  })
  context.catalogChanged()
  return { status: 201, body: issued }
}

export const revokeToken: Operation<typeof contract.revokeToken> = async ({ params: { id } }, context) => {
  const { tenantId } = context.caller
  const row = await context.store.transaction(async (tx) => {
    const outcome = await tx.tokens.revoke(tenantId, id)
    if (outcome === 'missing') throw notFound()
    const found = (await tx.tokens.find(tenantId, id))!
    if (outcome === 'already') return found
    await tx.audit.note([entryOf({ action: 'token.revoke', subject: subjectOf(id), before: grantsOf(found) }, context)])
    await tx.catalog.bumpVersion()
    return found
  })
  context.catalogChanged()
  return ok(presentToken(row, context.now()))
}

function presentToken(row: TokenRow, now: Date): contract.Token {
  return {
    id: row.id,
    object: 'token',
    name: row.name,
    scopes: row.scopes,
    companies: row.companyIds,
    rateLimit: row.rateLimit,
    origin: row.origin,
    state: stateOf(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    url: `/api/operator/v1/tokens/${encodeURIComponent(row.id)}`,
  }
}
