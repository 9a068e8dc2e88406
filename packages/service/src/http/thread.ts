import { workerData } from 'node:worker_threads'
import { connect, type Target } from '../store/database.ts'
import { Keyring, type Key } from '../store/keyring.ts'
import { createStore } from '../store/store.ts'
import { doJobs } from './side-thread.ts'
import { doJob, handedOver, type ThreadAnswer, type ThreadJob } from './thread-jobs.ts'

const { target, keys } = workerData as { target: Target; keys: Key[] }
const keyring = new Keyring(keys)

/** What runs in a thread. Jobs are rare, so each connects to the database for itself. */
doJobs<ThreadJob, ThreadAnswer>(async (job) => {
  const pool = connect(target, { max: 1, application: 'order-testing-thread' })
  try {
    return handedOver(await doJob(job, createStore(pool, keyring)))
  } finally {
    await pool.end({ timeout: 5 })
  }
})
