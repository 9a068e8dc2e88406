import type { SavedFilters } from '@order-testing/contract/operator'
import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export interface SavedViewRow {
  tenantId: string
  id: string
  ownerId: string
  /** Among the views of the owner, from 1. */
  position: number
  isShared: boolean
  name: string
  filters: SavedFilters
  createdAt: Date
}

type SealedRow = Omit<SavedViewRow, 'name' | 'filters'> & { content: Buffer }

/** Whose views are meant. */
export interface ViewOwner {
  tenantId: string
  ownerId: string
}

const COLUMNS = sql`tenant_id, id, owner_id, position, is_shared, content, created_at`

/** Named filters of the list of orders. What an owner sees and may change is decided in the queries. */
export const savedViews = (db: Db, keyring: Keyring) => {
  const open = ({ content, ...row }: SealedRow): SavedViewRow => ({
    ...row,
    ...(JSON.parse(keyring.open(content, savedViewContext(row))) as Pick<SavedViewRow, 'name' | 'filters'>),
  })
  const seal = ({ name, filters, ...row }: SavedViewRow) =>
    keyring.seal(JSON.stringify({ name, filters }), savedViewContext(row))

  return {
    /** Those of the owner in their order, then those that others share. */
    async pageVisible({ tenantId, ownerId }: ViewOwner, page: PageRequest): Promise<Page<SavedViewRow>> {
      const { rows, total } = await pageOf<SealedRow>(db, page, {
        from: sql`from saved_views where tenant_id = ${tenantId} and (owner_id = ${ownerId} or is_shared)`,
        order: sql`owner_id <> ${ownerId}, case when owner_id = ${ownerId} then position end, id`,
        pick: COLUMNS,
      })
      return { rows: rows.map((row) => open(row)), total }
    },

    /** The views of an owner in their order. No other change of them begins before this transaction ends. */
    async lockOwned({ tenantId, ownerId }: ViewOwner): Promise<SavedViewRow[]> {
      await db`select pg_advisory_xact_lock(hashtextextended(${`saved views ${tenantId} ${ownerId}`}, 0))`
      const rows = await db<SealedRow[]>`
        select ${COLUMNS} from saved_views where tenant_id = ${tenantId} and owner_id = ${ownerId} order by position, id`
      return rows.map((row) => open(row))
    },

    async add(view: SavedViewRow): Promise<void> {
      const { tenantId, id, ownerId, position, isShared, createdAt } = view
      await db`
        insert into saved_views (tenant_id, id, owner_id, position, is_shared, content, created_at)
        values (${tenantId}, ${id}, ${ownerId}, ${position}, ${isShared}, ${seal(view)}, ${createdAt})`
    },

    async change(view: SavedViewRow): Promise<void> {
      await db`
        update saved_views set position = ${view.position}, is_shared = ${view.isShared}, content = ${seal(view)}
        where tenant_id = ${view.tenantId} and id = ${view.id}`
    },

    async remove({ tenantId, id }: Pick<SavedViewRow, 'tenantId' | 'id'>): Promise<void> {
      await db`delete from saved_views where tenant_id = ${tenantId} and id = ${id}`
    },
  }
}

export const savedViewContext = ({ tenantId, id }: Pick<SavedViewRow, 'tenantId' | 'id'>) =>
  `saved view ${tenantId} ${id}`
