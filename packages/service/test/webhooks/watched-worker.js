// A worker in its own process that reports its memory use. It runs the build.
import { Registry } from 'prom-client'
import { DeliveryMetrics } from '../../dist/webhooks/metrics.js'
import { Sender } from '../../dist/webhooks/sender.js'
import { Worker } from '../../dist/webhooks/worker.js'
import { connect } from '../../dist/store/db/pool.js'
import { Keyring } from '../../dist/store/sealing/keyring.js'
import { createStore } from '../../dist/store/store.js'

const { target, key, timeoutMs } = JSON.parse(process.env.WATCHED)
const pool = connect(target, { max: 4 })
const log = { warn: () => {}, error: () => {} }
const worker = new Worker({
  store: createStore(pool, new Keyring([key])),
  sender: new Sender({ allow: ['127.0.0.0/8'], timeoutMs }),
  policy: { schedule: [0] },
  metrics: new DeliveryMetrics(new Registry()),
  log,
})
worker.start()

let most = 0
setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)

/** `settle` resets the maximum, `most` reports it. */
process.on('message', (/** @type {'settle' | 'most'} */ asked) => {
  if (asked === 'settle') {
    globalThis.gc()
    most = process.memoryUsage.rss()
  }
  process.send(most)
})
process.on('disconnect', () => process.exit())
process.send(0)
