import { MESSAGE_CHANNELS, UNSENT_STATES } from '@order-testing/contract'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Channel } from '../domain/notifications/plan.ts'
import type { NotificationQueue } from '../store/notifications/notifications.ts'
import type { Store } from '../store/store.ts'
import type { Handover, Transport } from './transports.ts'

const OUTCOMES: Handover['outcome'][] = ['accepted', 'tryAgain', 'refused', 'unknown']

/** Metrics of all notifications, and of this worker's own attempts to send them. */
export class NotificationMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter<'channel' | 'outcome'>

  constructor(registry: Registry) {
    this.#registry = registry
    this.#attempts = new Counter({
      name: 'ots_message_attempts_total',
      help: 'Attempts to send notifications, by channel and outcome.',
      labelNames: ['channel', 'outcome'],
      registers: [registry],
    })
    for (const channel of MESSAGE_CHANNELS) for (const outcome of OUTCOMES) this.#attempts.inc({ channel, outcome }, 0)
  }

  /** Wraps a transport so that its attempts are counted. */
  countAttempts(channel: Channel, transport: Transport): Transport {
    return {
      send: async (...args) => {
        const handover = await transport.send(...args)
        this.#attempts.inc({ channel, outcome: handover.outcome })
        return handover
      },
      close: () => transport.close(),
    }
  }

  /** Registers gauges, which query the store when they are scraped. */
  watch({ notifications }: Pick<Store, 'notifications'>): void {
    const queues = shareRunning(() => notifications.queues(MESSAGE_CHANNELS))
    const byChannel = (name: string, help: string, figure: (queue: NotificationQueue) => number) =>
      this.#gauge({ name, help, label: 'channel', values: MESSAGE_CHANNELS }, async () =>
        (await queues()).map((queue) => [queue.channel, figure(queue)]),
      )
    byChannel('ots_messages_waiting', 'Notifications waiting to be sent, retried or due.', (q) => q.waiting)
    byChannel('ots_messages_due', 'Notifications that are due now.', (q) => q.due)
    byChannel(
      'ots_messages_over_quota',
      'Notifications postponed until tomorrow because their token has used up its mail quota (OTS_MAIL_QUOTA).',
      (q) => q.overQuota,
    )
    byChannel('ots_message_queue_age_seconds', 'How long the oldest due notification has been waiting.', (q) => q.age)
    const help = 'Notifications of the last 90 days that failed, or may not have arrived (uncertain).'
    this.#gauge({ name: 'ots_messages_unsent', help, label: 'state', values: UNSENT_STATES }, async () =>
      (await notifications.countEnded(UNSENT_STATES)).map(({ state, total }) => [state, total]),
    )
  }

  #gauge(
    { name, help, label, values }: { name: string; help: string; label: string; values: readonly string[] },
    read: () => Promise<[string, number][]>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        // A failed query must not hide the other metrics.
        const figures = await read().catch(() => values.map((value): [string, number] => [value, Number.NaN]))
        for (const [value, figure] of figures) this.set({ [label]: value }, figure)
      },
    })
    this.#registry.registerMetric(gauge)
  }
}

/** Callers that arrive while a query is running share its result. */
function shareRunning<T>(query: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= query().finally(() => {
      running = undefined
    }))
}
