import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Channel } from '../../domain/notifications/plan.ts'
import { NotificationDispatcher } from '../../notify/dispatcher.ts'
import { mailboxTransport } from '../../notify/mailbox.ts'
import { NotificationMetrics } from '../../notify/metrics.ts'
import { smtpTransport, smsTransport, type Transport } from '../../notify/transports.ts'
import { keepFigures } from '../../operations/figures/keep-figures.ts'
import { applyDueChanges } from '../../operations/orders/due-changes.ts'
import { PooledRandom } from '../../operations/pooled-random.ts'
import { continueSimulations } from '../../operations/sandbox/simulate.ts'
import { TaskFinder } from '../../operations/tasks/find-tasks.ts'
import type { Store } from '../../store/store.ts'
import { DeliveryMetrics } from '../../webhooks/metrics.ts'
import { Sender } from '../../webhooks/sender.ts'
import { Worker } from '../../webhooks/worker.ts'
import { addInboxMetrics } from './metrics.ts'
import { logChanges, repeat } from './repeat.ts'
import type { Config } from './settings.ts'

/** How often due orders and notifications are processed. */
const TICK_MS = 1_000

/** How often the tasks of operators are looked for, and figures brought up to date. */
const TASKS_MS = 5_000

const SIMULATION_FAILED = 'Failed to continue a simulation'

type WorkConfig = Config & { publicUrl: string }

/** Starts the background work: deliveries, expiry of orders, notifications. */
export function startWork(
  config: WorkConfig,
  { store, registry, logger }: { store: Store; registry: Registry; logger: Logger },
): { stop(): Promise<void> } {
  const { publicUrl, mailQuota: quota } = config
  const warn = (message: string) => logChanges(logger, message)
  const sender = new Sender({ allow: config.callbackAllow })
  const worker = new Worker({
    store,
    sender,
    policy: { schedule: config.retrySchedule },
    metrics: new DeliveryMetrics(registry),
    log: logger,
  })
  if (config.outbound) {
    store.onQueued(() => worker.wake())
    worker.start()
  }
  const random = new PooledRandom()
  const applyDue = () => applyDueChanges(store, random)
  const clock = repeat(applyDue, TICK_MS, warn('Failed to expire orders or to mark missed bookings'))
  const simulate = () => continueSimulations({ store, now: () => new Date(), random }, warn(SIMULATION_FAILED))
  const simulator = config.mode === 'sandbox' ? [repeat(simulate, TICK_MS, warn(SIMULATION_FAILED))] : []
  const finder = new TaskFinder(store, random)
  const findTasks = () => finder.round(new Date())
  // At once: a person who starts a sandbox looks at its tasks next.
  const tasks = repeat(findTasks, TASKS_MS, warn('Failed to look for the tasks of operators'), { firstMs: 0 })
  const figures = repeat(() => keepFigures(store), TASKS_MS, warn('Failed to bring figures up to date'))
  addInboxMetrics(registry, store)
  const metrics = new NotificationMetrics(registry)
  metrics.watch(store)
  const transports = openTransports(config, store, random.bytes)
  const dispatchers = (Object.keys(transports) as Channel[]).map((channel) => {
    const transport = transports[channel] && metrics.countAttempts(channel, transports[channel])
    return new NotificationDispatcher({
      store,
      channel,
      transport,
      publicUrl,
      random: random.bytes,
      quota,
      log: logger,
    })
  })
  const sending = config.outbound ? dispatchers : []
  const rounds = sending.map((each) => repeat(() => each.round(), TICK_MS, warn('Failed to send notifications')))
  const end = async () => {
    await Promise.all([worker, clock, tasks, figures, ...simulator, ...rounds].map((each) => each.stop()))
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.settle()))
    for (const transport of Object.values(transports)) transport?.close()
    // Requests still running end with the process; their deliveries become due again.
    void sender.close()
  }
  let ending: Promise<void> | undefined
  return { stop: () => (ending ??= end()) }
}

/** For each channel the configured server, or in a sandbox without one its mailbox. */
function openTransports(
  { smtpUrl, smsUrl, mode, publicUrl }: WorkConfig,
  store: Store,
  random: PooledRandom['bytes'],
): Record<Channel, Transport | undefined> {
  const fallback = (channel: Channel) => (mode === 'sandbox' ? mailboxTransport(store, channel, random) : undefined)
  return {
    email: smtpUrl === undefined ? fallback('email') : smtpTransport(smtpUrl, new URL(publicUrl).hostname),
    mobile: smsUrl === undefined ? fallback('mobile') : smsTransport(smsUrl),
  }
}
