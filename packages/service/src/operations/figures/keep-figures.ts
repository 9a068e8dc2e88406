import type { CompanyKey } from '../../store/figures/figures.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** Small enough that its transaction is short, and that requests in the same process hardly wait. */
const BATCH = 200

/** Companies that share a batch. Finding those that have changes takes as long as a batch, so it is done for several batches. */
const COMPANIES = 50
const MOST_BATCHES = 10

/** Brings the figures of changed orders up to date, in the order of their changes. Returns whether there may be more. */
export async function keepFigures(store: Store): Promise<boolean> {
  const companies = await store.figures.behind(COMPANIES)
  if (companies.length === 0) return false
  // The same for each, so that none keeps the others waiting.
  const mostOfEach = Math.floor(BATCH / companies.length)
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    const { kept, hasMore } = await store.transaction((tx) => keepBatch(tx, companies, mostOfEach))
    if (!hasMore) return companies.length === COMPANIES && kept > 0
    // Most of them are up to date: the others can have more of the next batch.
    if (kept < BATCH / 2) return true
  }
  return true
}

async function keepBatch({ figures }: Transaction, companies: CompanyKey[], mostOfEach: number) {
  // Another worker is at work.
  if (!(await figures.isTurn())) return { kept: 0, hasMore: false }
  const changed = await figures.changed(companies, mostOfEach)
  if (changed.length === 0) return { kept: 0, hasMore: false }
  await figures.put(changed)
  await figures.advance(changed)
  const counts = new Map<string, number>()
  for (const { tenantId, companyId } of changed) {
    const key = `${tenantId} ${companyId}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { kept: changed.length, hasMore: [...counts.values()].includes(mostOfEach) }
}
