import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { DeliveryMetrics } from '../delivery/metrics.ts'
import { Sender } from '../delivery/sender.ts'
import { Worker } from '../delivery/worker.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/** Starts what is done without being asked for. */
export function startWork({ config, store, registry, logger }: Surroundings): { stop(): Promise<void> } {
  const sender = new Sender({ allow: config.callbackAllow })
  const worker = new Worker({
    store,
    sender,
    policy: { schedule: config.retrySchedule },
    metrics: new DeliveryMetrics(registry),
    log: logger,
  })
  store.onQueued(() => worker.wake())
  worker.start()
  return {
    async stop() {
      await worker.stop()
      // Requests that outlast the stop end with the process; their deliveries come due again.
      void sender.close()
    },
  }
}

interface Surroundings {
  config: Config
  store: Store
  registry: Registry
  logger: Logger
}
