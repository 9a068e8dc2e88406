import { workerData } from 'node:worker_threads'
import type { Target } from '../store/db/address.ts'
import type { Prepare } from '../store/db/connection.ts'
import { connect } from '../store/db/pool.ts'
import { Keyring, type Key } from '../store/sealing/keyring.ts'
import { createStore } from '../store/store.ts'
import { doJobs, handOver } from './side-thread.ts'
import { doFilesJob, type FilesDone, type FilesJob } from './thread-files.ts'
import { doJob, type KeyedJob, type ThreadAnswer } from './thread-jobs.ts'

const { target, keys, prepare } = workerData as { target: Target; keys: Key[]; prepare: Prepare }
const keyring = new Keyring(keys)

/** The entry of a thread. Jobs are rare, so each opens its own connection. */
doJobs<KeyedJob | FilesJob, ThreadAnswer | FilesDone>(async (job, onProgress) => {
  if ('keys' in job) keyring.use(job.keys)
  const pool = connect(target, { max: 1, application: 'order-testing-thread', prepare })
  try {
    const store = createStore(pool, keyring)
    if ('files' in job) return { done: await doFilesJob(job, store, onProgress) }
    const answer = await doJob(job, store)
    const { bytes, transfer } = handOver(answer.bytes)
    return { done: { ...answer, bytes }, transfer }
  } finally {
    await pool.end()
  }
})
