import type * as contract from '@order-testing/contract/operator'
import type { Change } from '../domain/catalog.ts'
import { notFound, Refusal, refuse } from '../domain/refusal.ts'
import { entryOf } from './audit.ts'
import * as catalog from './catalog.ts'
import { ok, type Context, type Operation, type RawOperation } from './operation.ts'

export const exportCatalog: Operation<typeof contract.exportCatalog> = async (_input, { caller, store }) => {
  const file = await catalog.exportCatalog(caller.tenantId, store)
  if (!file) throw notFound()
  return ok(file)
}

export const applyCatalog: RawOperation<typeof contract.applyCatalog> = async ({ body, faults }, context) => {
  const { caller, store } = context
  const inspect: catalog.Terms['inspect'] = async (plans, tx) => {
    for (const plan of plans) refuseOverreach(plan, context)
    const subject = { type: 'catalog', id: caller.tenantId }
    const after = catalog.countsOf(plans.flatMap(({ changes }) => changes))
    await tx.audit.note([entryOf({ action: 'catalog.apply', subject, after }, context)])
  }
  const [applied] = await refusing(faults, () =>
    catalog.applyCatalogs([sourceOf(body)], store, { tenantId: caller.tenantId, inspect }),
  )
  context.catalogChanged()
  return ok(presentChanges(applied!))
}

export const diffCatalog: RawOperation<typeof contract.diffCatalog> = async ({ body, faults }, { caller, store }) => {
  const [found] = await refusing(faults, () =>
    catalog.diffCatalogs([sourceOf(body)], store, { tenantId: caller.tenantId }),
  )
  return ok(presentChanges(found!))
}

const sourceOf = (content: unknown) => ({ name: 'the file', content })

/** Problems of a file are problems of the request that brings it. */
async function refusing<T>(faults: Refusal['problems'], work: () => Promise<T>): Promise<T> {
  if (faults.length > 0) throw new Refusal(faults)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof catalog.CatalogRefusal)) throw error
    throw new Refusal(error.problems.map(({ source: _, ...problem }) => problem))
  }
}

/** Tokens are for those who may issue them, and nobody saws off the branch he sits on unawares. */
function refuseOverreach({ changes, wanted }: catalog.Plan, { caller, now }: Context): void {
  const tokens = changes.filter(({ kind }) => kind === 'tokens')
  const scope = 'operator.tokens.write'
  if (tokens.length > 0 && !caller.scopes.has(scope))
    throw refuse('insufficientScope', `This token lacks the scope ${scope}, and the file changes tokens.`, '/tokens')
  const own = tokens.find(({ id }) => id === caller.tokenId)
  const { expiresAt } = wanted.tokens.find(({ id }) => id === caller.tokenId) ?? {}
  const isExpired = expiresAt !== undefined && new Date(expiresAt) <= now()
  if (own && (own.action === 'deactivate' || own.members.includes('secretHash') || isExpired))
    throw refuse('invalidState', `This would switch off "${caller.tokenId}", the token that applies it.`)
}

function presentChanges({ changes, openBookings }: catalog.TenantChanges): contract.CatalogChanges {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return {
    object: 'catalogChanges',
    added: count('add'),
    changed: count('change'),
    deactivated: count('deactivate'),
    openBookings,
    changes: changes.map(({ kind, id, name, action, members }) => ({
      kind,
      id,
      name,
      action,
      members: members.map((member) => (member === 'secretHash' ? 'secret' : member)),
    })),
  }
}
