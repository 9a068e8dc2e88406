import { readJson } from '../domain/json.ts'
import type { Caller } from '../domain/caller.ts'
import { refuse } from '../domain/refusal.ts'
import type { Target } from '../store/database.ts'
import type { Key } from '../store/keyring.ts'
import type { Store } from '../store/store.ts'
import { Chance } from './chance.ts'
import type { Context } from './operation.ts'
import { applyCatalog, diffCatalog, exportCatalog } from './operator-catalog.ts'
import { handOver, isOutOfMemory, SideThread, threadFile } from './side-thread.ts'

/** What an operator asks of the catalog. Files come as they were sent: parsing one can take seconds. */
export interface CatalogJob {
  operation: 'exportCatalog' | 'applyCatalog' | 'diffCatalog'
  caller: Caller
  policy: Context['policy']
  at: Date
  file?: Uint8Array | undefined
}

/** The answer, ready to be sent. */
export type CatalogAnswer = Uint8Array

export type RunCatalogJob = (job: CatalogJob) => Promise<CatalogAnswer>

/** What a thread needs to reach the database by itself. */
export interface ThreadDatabase {
  target: Target
  keys: () => Key[]
}

/** Does a job where it is called. */
export async function doCatalogJob({ operation, ...job }: CatalogJob, store: Store): Promise<CatalogAnswer> {
  const { caller, policy, at, file = new Uint8Array() } = job
  const context: Context = { caller, store, policy, now: () => at, random: new Chance(), catalogChanged: () => {} }
  const work = {
    exportCatalog: () => exportCatalog(context),
    applyCatalog: () => applyCatalog(readJson(file), context),
    diffCatalog: () => diffCatalog(readJson(file), context),
  }
  return Buffer.from(JSON.stringify(await work[operation]()))
}

/** Does jobs in a thread with a database connection of its own, so that no request waits for a large catalog. */
export function catalogThread({ target, keys }: ThreadDatabase): { run: RunCatalogJob; stop: () => Promise<void> } {
  const file = threadFile('catalog-thread', import.meta.url)
  const thread = new SideThread<CatalogJob, CatalogAnswer>(file, () => ({ target, keys: keys() }))
  const run: RunCatalogJob = async (job) => {
    const sent = job.file && handOver(job.file)
    try {
      return await thread.run({ ...job, file: sent?.bytes }, sent?.transfer)
    } catch (error) {
      if (isOutOfMemory(error)) throw refuse('tooBig', 'The file needs more memory than there is for one.')
      throw error
    }
  }
  return { run, stop: () => thread.stop() }
}
