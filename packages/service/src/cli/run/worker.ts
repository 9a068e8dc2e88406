import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { DeliveryMetrics } from '../../webhooks/metrics.ts'
import { Sender } from '../../webhooks/sender.ts'
import { Worker } from '../../webhooks/worker.ts'
import { NotificationMetrics } from '../../notify/metrics.ts'
import { Chance } from '../../operations/chance.ts'
import { passTime } from '../../operations/orders/pass-time.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'
import { openNotifications } from './notifications.ts'
import { repeat } from './repeat.ts'

/** How often orders are looked for whose time has come. */
const TICK_MS = 1_000

/** Starts what is done without being asked for. */
export function startWork({ config, publicUrl, store, registry, logger }: Surroundings): { stop(): Promise<void> } {
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
  const chance = new Chance()
  const clock = repeat(
    () => passTime(store, chance),
    TICK_MS,
    (error) => logger.warn({ err: error }, 'orders whose time has come were not changed'),
  )
  const metrics = new NotificationMetrics(registry)
  metrics.watch(store)
  const { dispatchers, close } = openNotifications({ ...config, publicUrl }, store, chance, { metrics, log: logger })
  const post = dispatchers.map((dispatcher) =>
    repeat(
      () => dispatcher.round(),
      TICK_MS,
      (error) => logger.warn({ err: error }, 'messages were not sent'),
    ),
  )
  return {
    async stop() {
      await Promise.all([worker, clock, ...post].map((each) => each.stop()))
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.settle()))
      close()
      // Requests that outlast the stop end with the process; their deliveries come due again.
      void sender.close()
    },
  }
}

interface Surroundings {
  config: Config
  /** Where participants reach their pages. */
  publicUrl: string
  store: Store
  registry: Registry
  logger: Logger
}
