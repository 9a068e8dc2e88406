import type { CatalogFile } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import type { Change } from '../../domain/catalog/files.ts'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Context } from '../operation.ts'
import * as catalog from './files.ts'

export async function exportCatalog({ caller, store }: Context): Promise<CatalogFile> {
  return orNotFound(await catalog.exportCatalog(caller.tenantId, store))
}

/** `basedOn` is the version that the file was compared with, if it must not have changed since. */
export async function applyCatalog(
  file: unknown,
  context: Context,
  basedOn?: string,
): Promise<contract.CatalogChanges> {
  const { caller, store } = context
  const inspect: catalog.ApplyOptions['inspect'] = async (plans, tx) => {
    for (const plan of plans) refuseTokenChanges(plan, context)
    const subject = { type: 'catalog', id: caller.tenantId }
    const after = catalog.countChanges(plans.flatMap(({ changes }) => changes))
    await tx.audit.append([auditEntry({ action: 'catalog.apply', subject, after }, context)])
  }
  const [applied] = await translateRefusal(() =>
    catalog.applyCatalogs([sourceOf(file)], store, {
      ...optionsOf(context),
      inspect,
      basedOn: basedOn === undefined ? undefined : [basedOn],
    }),
  )
  return presentChanges(applied!)
}

export async function diffCatalog(file: unknown, context: Context): Promise<contract.CatalogChanges> {
  const options = optionsOf(context)
  const [found] = await translateRefusal(() => catalog.diffCatalogs([sourceOf(file)], context.store, options))
  return presentChanges(found!)
}

const optionsOf = ({ caller, policy }: Context) => ({ production: policy.production, tenantId: caller.tenantId })

const sourceOf = (content: unknown) => ({ name: 'the file', content })

/** Reports problems of the file as problems of the request. */
async function translateRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof catalog.CatalogRefusal)) throw error
    throw new Refusal(error.problems.map(({ source: _, ...problem }) => problem))
  }
}

/** A file may change tokens only with the scope for it, and must not disable the token that applies it. */
function refuseTokenChanges({ changes, entries }: catalog.Plan, { caller, now }: Context): void {
  const tokens = changes.filter(({ kind }) => kind === 'tokens')
  const scope = 'operator.tokens.write'
  if (tokens.length > 0 && !caller.scopes.has(scope))
    throw refuse('insufficientScope', `The file changes tokens, which requires the scope ${scope}.`, '/tokens')
  const own = tokens.find(({ id }) => id === caller.tokenId)
  const { expiresAt } = entries.tokens.find(({ id }) => id === caller.tokenId) ?? {}
  const isExpired = expiresAt !== undefined && new Date(expiresAt) <= now()
  if (own && (own.action === 'deactivate' || own.members.includes('secretHash') || isExpired))
    throw refuse(
      'invalidState',
      `The file would disable "${caller.tokenId}", the token that applies it. Apply it with another token.`,
    )
}

/** The changes of a tenant as the API lists them. */
export function presentChanges({
  changes,
  openBookings,
  openOrders,
  basedOn,
}: catalog.TenantChanges): contract.CatalogChanges {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return {
    object: 'catalogChanges',
    added: count('add'),
    changed: count('change'),
    deactivated: count('deactivate'),
    openBookings,
    openOrders,
    basedOn,
    changes: changes.map(({ kind, id, name, action, members }) => ({
      kind,
      id,
      name,
      action,
      members: members.map((member) => (member === 'secretHash' ? 'secret' : member)),
    })),
  }
}
