import type * as contract from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import type { SavedViewRow } from '../../store/orders/saved-views.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation } from '../operation.ts'

/** Views of one owner: as many as a page has. */
const MOST_VIEWS = 20

export const listSavedViews: Operation<typeof contract.listSavedViews> = ({ query }, context) =>
  context.store.snapshot(async (tx) => {
    const { rows, total } = await tx.savedViews.pageVisible(ownerOf(context), query)
    const names = await namesOf(rows, tx, context)
    return ok({ data: rows.map((row) => present(row, names, context)), limit: query.limit, page: query.page, total })
  })

export const createSavedView: Operation<typeof contract.createSavedView> = ({ body }, context) =>
  context.store.transaction(async (tx) => {
    const owner = ownerOf(context)
    const owned = await tx.savedViews.lockOwned(owner)
    if (owned.length >= MOST_VIEWS)
      throw refuse('invalidState', `There are ${MOST_VIEWS} saved views already. Delete one first.`)
    const createdAt = context.now()
    const view: SavedViewRow = {
      ...owner,
      id: makeId('vew', createdAt, context.random.bytes),
      name: body.name,
      filters: body.filters,
      isShared: body.isShared ?? false,
      position: (owned.at(-1)?.position ?? 0) + 1,
      createdAt,
    }
    await tx.savedViews.add(view)
    await record('savedView.create', view, { after: auditedPart(view) }, tx, context)
    return { status: 201, body: present(view, await namesOf([view], tx, context), context) }
  })

export const updateSavedView: Operation<typeof contract.updateSavedView> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const owned = await tx.savedViews.lockOwned(ownerOf(context))
    const before = orNotFound(owned.find(({ id }) => id === params.id))
    const { position, ...members } = body
    const after = { ...before, ...definedIn(members) }
    const others = owned.filter(({ id }) => id !== before.id)
    const place = position === undefined ? owned.indexOf(before) : position - 1
    const ordered = [...others.slice(0, place), after, ...others.slice(place)].map((view, index) => ({
      ...view,
      position: index + 1,
    }))
    for (const view of ordered) await tx.savedViews.change(view)
    const changed = ordered.find(({ id }) => id === before.id)!
    const states = { before: auditedPart(before), after: auditedPart(changed) }
    await record('savedView.update', before, states, tx, context)
    return ok(present(changed, await namesOf([changed], tx, context), context))
  })

export const deleteSavedView: Operation<typeof contract.deleteSavedView> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const owned = await tx.savedViews.lockOwned(ownerOf(context))
    const view = orNotFound(owned.find(({ id }) => id === params.id))
    await tx.savedViews.remove(view)
    await record('savedView.delete', view, { before: auditedPart(view) }, tx, context)
    return ok(present(view, await namesOf([view], tx, context), context))
  })

const ownerOf = ({ caller }: Context) => ({ tenantId: caller.tenantId, ownerId: caller.tokenId })

const definedIn = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }

const auditedPart = ({ name, filters, isShared, position }: SavedViewRow) => ({ name, filters, isShared, position })

const record = (
  action: string,
  { id }: SavedViewRow,
  states: { before?: object; after?: object },
  tx: Transaction,
  context: Context,
) => tx.audit.append([auditEntry({ action, subject: { type: 'savedView', id }, ...states }, context)])

const namesOf = (rows: readonly SavedViewRow[], tx: Transaction, { caller }: Context) =>
  tx.users.namesOf(
    caller.tenantId,
    rows.map(({ ownerId }) => ownerId),
  )

const present = (view: SavedViewRow, names: Map<string, string>, { caller }: Context): contract.SavedView => ({
  id: view.id,
  object: 'savedView',
  name: view.name,
  filters: view.filters,
  isShared: view.isShared,
  isMine: view.ownerId === caller.tokenId,
  owner: { id: view.ownerId, name: names.get(view.ownerId) ?? null },
  createdAt: view.createdAt.toISOString(),
})
