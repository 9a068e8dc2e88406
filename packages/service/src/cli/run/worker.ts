import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { DeliveryMetrics } from '../../webhooks/metrics.ts'
import { Sender } from '../../webhooks/sender.ts'
import { Worker } from '../../webhooks/worker.ts'
import { NotificationMetrics } from '../../notify/metrics.ts'
import { PooledRandom } from '../../operations/pooled-random.ts'
import { applyDueChanges } from '../../operations/orders/due-changes.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'
import { openNotifications } from './notifications.ts'
import { repeat } from './repeat.ts'

/** How often due orders and notifications are processed. */
const TICK_MS = 1_000

/** Starts the background work: deliveries, expiry of orders, notifications. */
export function startWork(
  config: Config & { publicUrl: string },
  { store, registry, logger }: { store: Store; registry: Registry; logger: Logger },
): { stop(): Promise<void> } {
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
  const chance = new PooledRandom()
  const clock = repeat(
    () => applyDueChanges(store, chance),
    TICK_MS,
    (error) => logger.warn({ err: error }, 'Failed to expire orders or miss bookings'),
  )
  const metrics = new NotificationMetrics(registry)
  metrics.watch(store)
  const { dispatchers, close } = openNotifications(config, store, chance, { metrics, log: logger })
  const post = dispatchers.map((dispatcher) =>
    repeat(
      () => dispatcher.round(),
      TICK_MS,
      (error) => logger.warn({ err: error }, 'Failed to send notifications'),
    ),
  )
  return {
    async stop() {
      await Promise.all([worker, clock, ...post].map((each) => each.stop()))
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.settle()))
      close()
      // Requests still running end with the process; their deliveries become due again.
      void sender.close()
    },
  }
}
