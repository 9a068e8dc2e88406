import { LRUCache } from 'lru-cache'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { withoutParticipant, type FullView, type OrderView } from '../../domain/orders/view.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openView, viewColumns, type ViewRow } from './rows.ts'

/**
 * Views of orders, as they are read again and again: clients poll, and pages of lists overlap. Opened views are kept in memory.
 * Every read still asks the database, but only for the seal of the view, and fetches the view itself if it has another one by
 * now. With it, reads went from 0.6 to 0.9 of the rate of a bare handler, and lists from 0.12 to 0.24 of pgbench's
 * (`npm run bench -- read list`). Nothing else depends on it.
 */

/** An order in a result, with the seal of its view: the beginning of the sealed value, which no other value has. */
export interface SealedRow {
  id: string
  /** Null for plain text of an earlier build. */
  seal: string | null
}

/** Version, length and id of the key, random bytes and tag. */
const SEAL = sql`substr(sealed_answer, 1, 30 + get_byte(sealed_answer, 1))::text as seal`

/** The same, of a value that is about to be written. */
const sealOf = (sealed: Buffer) => `\\x${sealed.toString('hex', 0, 30 + sealed[1]!)}`

export const sealColumns = (): Statement => sql`id, ${SEAL}`

interface Opened extends Pick<SealedRow, 'seal'> {
  full: FullView
  /** Without the participant. */
  reduced: OrderView
}

const KEPT_BYTES = 6 * 1024 * 1024

const openedViews = new WeakMap<Keyring, LRUCache<string, Opened>>()

function openedWith(keyring: Keyring): LRUCache<string, Opened> {
  const known = openedViews.get(keyring)
  if (known) return known
  const opened = new LRUCache<string, Opened>({
    maxSize: KEPT_BYTES,
    // As two texts, and rendered.
    sizeCalculation: ({ full: { order, participant } }) => 2 * (order.length + participant.length),
  })
  openedViews.set(keyring, opened)
  return opened
}

/**
 * Keeps the view of an order that is being written: lists show the newest orders, and clients read what they have placed. Lists
 * beside a flood of creates need one statement instead of two: 31 instead of 41 ms in the median, in two runs each way; their 99th
 * percentile is no better (`npm run bench -- writing`). If the order is not written after all, its seal is never found.
 */
export function rememberWritten(keyring: Keyring, tenantId: string, id: string, sealed: Buffer, view: FullView): void {
  keep(keyring, tenantId, { id, seal: sealOf(sealed) }, view)
}

/** The columns of a view and its seal, without the views that are in memory under one of these ids. */
export const unknownViewColumns = (keyring: Keyring, tenantId: string, ids: string[]): Statement => {
  const known = ids.filter((id) => openedWith(keyring).has(keyOf(tenantId, id)))
  return sql`${sealColumns()}, case when id = any(${known}) then null else sealed_answer end as sealed_answer, head, participant, identifiers`
}

export const sealedViewColumns = (): Statement => sql`${viewColumns()}, ${SEAL}`

type Row = SealedRow & Partial<ViewRow>

/** Opens the views of rows that the caller may see, in their order; undefined where it has been removed meanwhile. */
export async function openNewest(
  db: Db,
  keyring: Keyring,
  caller: Caller,
  rows: readonly Row[],
): Promise<(OrderView | undefined)[]> {
  const { opened, fetched } = await openAll(db, keyring, caller, rows)
  return rows.map(({ id }, i) => show(caller, opened[i] ?? fetched.get(id)))
}

/** The same, but undefined if any of them has changed since its row was read: it may not belong to the result any more. */
export async function openUnchanged(
  db: Db,
  keyring: Keyring,
  caller: Caller,
  rows: readonly Row[],
): Promise<OrderView[] | undefined> {
  const { opened, fetched } = await openAll(db, keyring, caller, rows)
  const found = rows.map(({ id, seal }, i) => opened[i] ?? withSeal(fetched.get(id), seal))
  return found.every((each) => each !== undefined) ? found.map((each) => show(caller, each)!) : undefined
}

async function openAll(db: Db, keyring: Keyring, { tenantId }: Caller, rows: readonly Row[]) {
  const opened = rows.map((row) => (hasView(row) ? remember(keyring, tenantId, row) : recall(keyring, tenantId, row)))
  const missing = rows.filter((_, i) => !opened[i]).map(({ id }) => id)
  const fetched = missing.length > 0 ? await fetch(db, keyring, tenantId, missing) : new Map<string, Opened>()
  return { opened, fetched }
}

const show = (caller: Caller, opened: Opened | undefined) =>
  canReadParticipant(caller) ? opened?.full : opened?.reduced

const hasView = (row: Row): row is SealedRow & ViewRow => Boolean(row.sealedAnswer) || Boolean(row.head)

const recall = (keyring: Keyring, tenantId: string, { id, seal }: SealedRow) =>
  withSeal(openedWith(keyring).get(keyOf(tenantId, id)), seal)

const withSeal = (opened: Opened | undefined, seal: string | null) => (opened?.seal === seal ? opened : undefined)

async function fetch(db: Db, keyring: Keyring, tenantId: string, ids: string[]): Promise<Map<string, Opened>> {
  const rows = await db<(ViewRow & SealedRow)[]>`
    select ${sealedViewColumns()} from orders where tenant_id = ${tenantId} and id = any(${ids})`
  return new Map(rows.map((row) => [row.id, remember(keyring, tenantId, row)]))
}

const remember = (keyring: Keyring, tenantId: string, row: ViewRow & SealedRow): Opened =>
  keep(keyring, tenantId, row, openView(keyring, tenantId, row))

function keep(keyring: Keyring, tenantId: string, { id, seal }: SealedRow, full: FullView): Opened {
  const opened = { seal, full, reduced: withoutParticipant(full) }
  if (seal !== null) openedWith(keyring).set(keyOf(tenantId, id), opened)
  return opened
}

const keyOf = (tenantId: string, id: string) => `${tenantId} ${id}`
