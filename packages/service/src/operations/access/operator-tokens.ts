import type * as contract from '@order-testing/contract/operator'
import { notFound, refuse } from '../../domain/refusal.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import { entryOf } from '../audit/audit.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'
import { grantsOf, issueToken, liveText, revokeAndRecord, stateOf, subjectOf } from './tokens.ts'

export const listTokens: Operation<typeof contract.listTokens> = async ({ query }, { caller, store, now }) =>
  ok(collectionOf(await store.tokens.page(caller.tenantId, query), query, (row) => presentToken(row, now())))

export const readToken: Operation<typeof contract.readToken> = async ({ params }, { caller, store, now }) => {
  const row = await store.tokens.find(caller.tenantId, params.id)
  if (!row) throw notFound()
  return ok(presentToken(row, now()))
}

/** Who may issue tokens may issue any: the audit log tells who did, and with which scopes. */
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
    senders: body.senders,
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

export const revokeToken: Operation<typeof contract.revokeToken> = async ({ params: { id }, query }, context) => {
  const { tenantId } = context.caller
  const { callbacks } = query
  const row = await context.store.transaction(
    async (tx) => {
      const revoked = await revokeAndRecord({ tenantId, id, callbacks }, tx, (deed) =>
        tx.audit.note([entryOf(deed, context)]),
      )
      if (revoked.outcome === 'missing') throw notFound()
      if (revoked.outcome === 'undecided') throw undecided(revoked.live)
      return (await tx.tokens.find(tenantId, id))!
    },
    // There may be very many callbacks to end.
    { isUnlimited: callbacks === 'end' },
  )
  context.catalogChanged()
  return ok(presentToken(row, context.now()))
}

const undecided = (live: number) =>
  refuse(
    'required',
    `This token has ${liveText(live)}. Send callbacks=keep to keep them or callbacks=end to end them.`,
    '/callbacks',
  )

function presentToken(row: TokenRow, now: Date): contract.Token {
  return {
    id: row.id,
    object: 'token',
    name: row.name,
    scopes: row.scopes,
    companies: row.companyIds,
    rateLimit: row.rateLimit,
    senders: row.senders,
    origin: row.origin,
    state: stateOf(row, now),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    url: `/api/operator/v1/tokens/${encodeURIComponent(row.id)}`,
  }
}
