import { figuresOf } from '../../domain/figures/service-figures.ts'
import { CHANGED_OF_COMPANY, type CompanyKey, type FigureRow } from '../../store/figures/figures.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** Small enough that its transaction is short. */
const BATCH = 500

/** Companies that share a batch: finding those that changed takes as long as a batch, and is done once for all of them. */
const COMPANIES = 50

/** Batches of the same companies, before it is the turn of others. */
const MOST_BATCHES = 10

/** Brings the figures of changed orders up to date, in the order of their changes. Returns whether there is more. */
export async function keepFigures(store: Store): Promise<boolean> {
  const behind = await store.figures.behind()
  let hasMore = false
  for (let first = 0; first < behind.length; first += COMPANIES) {
    const companies = behind.slice(first, first + COMPANIES)
    if (await keepFiguresOf(store, companies)) hasMore = true
  }
  return hasMore
}

async function keepFiguresOf(store: Store, companies: CompanyKey[]): Promise<boolean> {
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    const kept = await store.transaction((tx) => keepBatch(tx, companies))
    if (kept < CHANGED_OF_COMPANY) return false
  }
  return true
}

/** Returns how many orders the batch had: none if another worker is at work. */
async function keepBatch({ figures }: Transaction, companies: CompanyKey[]): Promise<number> {
  if (!(await figures.isTurn())) return 0
  const changed = await figures.changed(companies, BATCH)
  if (changed.length === 0) return 0
  await figures.put(changed.flatMap(toRows))
  await figures.advance(changed)
  return changed.length
}

type Changed = Awaited<ReturnType<Store['figures']['changed']>>[number]

/** Names every column: spreading the figures takes as long as reading the order. */
const toRows = ({ tenantId, order }: Changed): FigureRow[] =>
  figuresOf(order).map((figures) => ({
    tenantId,
    orderId: order.id,
    placeInOrder: figures.place,
    companyId: order.company.id,
    placedAt: order.createdAt,
    orderStatus: order.status,
    testReason: order.testReason,
    clinicId: order.clinic?.id ?? null,
    status: figures.status,
    category: figures.category,
    isDot: figures.isDot,
    labId: figures.lab?.id ?? null,
    labName: figures.lab?.name ?? null,
    wasBooked: figures.wasBooked,
    toScheduled: figures.toScheduled,
    toCheckedIn: figures.toCheckedIn,
    toLaboratory: figures.toLaboratory,
    toReport: figures.toReport,
    inReview: figures.inReview,
    toResult: figures.toResult,
  }))
