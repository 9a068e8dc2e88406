import type { CatalogFile } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import type { Change } from '../../domain/catalog/files.ts'
import { notFound, Refusal, refuse } from '../../domain/refusal.ts'
import { entryOf } from '../audit/audit.ts'
import * as catalog from './files.ts'
import type { Context } from '../operation.ts'

export async function exportCatalog({ caller, store }: Context): Promise<CatalogFile> {
  const file = await catalog.exportCatalog(caller.tenantId, store)
  if (!file) throw notFound()
  return file
}

export async function applyCatalog(file: unknown, context: Context): Promise<contract.CatalogChanges> {
  const { caller, store, policy } = context
  const inspect: catalog.Terms['inspect'] = async (plans, tx) => {
    for (const plan of plans) refuseOverreach(plan, context)
    const subject = { type: 'catalog', id: caller.tenantId }
    const after = catalog.countsOf(plans.flatMap(({ changes }) => changes))
    await tx.audit.note([entryOf({ action: 'catalog.apply', subject, after }, context)])
  }
  const [applied] = await refusing(() =>
    catalog.applyCatalogs([sourceOf(file)], store, {
      production: policy.production,
      tenantId: caller.tenantId,
      inspect,
    }),
  )
  return presentChanges(applied!)
}

export async function diffCatalog(file: unknown, { caller, store, policy }: Context): Promise<contract.CatalogChanges> {
  const terms = { production: policy.production, tenantId: caller.tenantId }
  const [found] = await refusing(() => catalog.diffCatalogs([sourceOf(file)], store, terms))
  return presentChanges(found!)
}

const sourceOf = (content: unknown) => ({ name: 'the file', content })

/** Problems of a file are problems of the request that brings it. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
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
    throw refuse('insufficientScope', `The file changes tokens, which requires the scope ${scope}.`, '/tokens')
  const own = tokens.find(({ id }) => id === caller.tokenId)
  const { expiresAt } = wanted.tokens.find(({ id }) => id === caller.tokenId) ?? {}
  const isExpired = expiresAt !== undefined && new Date(expiresAt) <= now()
  if (own && (own.action === 'deactivate' || own.members.includes('secretHash') || isExpired))
    throw refuse(
      'invalidState',
      `The file would deactivate "${caller.tokenId}", the token of this request. Apply it with another token.`,
    )
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
