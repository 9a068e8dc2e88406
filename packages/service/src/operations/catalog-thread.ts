import { workerData } from 'node:worker_threads'
import { connect, type Target } from '../store/database.ts'
import { Keyring, type Key } from '../store/keyring.ts'
import { createStore } from '../store/store.ts'
import { doCatalogJob, type CatalogAnswer, type CatalogJob } from './catalog-jobs.ts'
import { doJobs, handOver } from './side-thread.ts'

/** The thread that works on catalogs. One connection is enough: jobs come one after the other. */
const { target, keys } = workerData as { target: Target; keys: Key[] }
const store = createStore(connect(target, { max: 1, application: 'order-testing-catalog' }), new Keyring(keys))

doJobs<CatalogJob, CatalogAnswer>(async (job) => {
  const { bytes, transfer } = handOver(await doCatalogJob(job, store))
  return { done: bytes, transfer }
})
