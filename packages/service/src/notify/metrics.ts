import { MESSAGE_CHANNELS, UNSENT_STATES } from '@order-testing/contract'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Channel } from '../domain/notifications/plan.ts'
import type { MessageQueue } from '../store/notifications/notifications.ts'
import type { Store } from '../store/store.ts'
import type { Handover, Transport } from './transports.ts'

const OUTCOMES: Handover['outcome'][] = ['accepted', 'tryAgain', 'refused', 'unknown']

/** What a worker tells of the messages of all, and of its own attempts to send them. */
export class MessageMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter<'channel' | 'outcome'>

  constructor(registry: Registry) {
    this.#registry = registry
    this.#attempts = new Counter({
      name: 'ots_message_attempts_total',
      help: 'Attempts to hand messages over, by channel and by what became of them.',
      labelNames: ['channel', 'outcome'],
      registers: [registry],
    })
    for (const channel of MESSAGE_CHANNELS) for (const outcome of OUTCOMES) this.#attempts.inc({ channel, outcome }, 0)
  }

  /** The same transport, with its attempts counted. */
  counting(channel: Channel, transport: Transport): Transport {
    return {
      send: async (...given) => {
        const handover = await transport.send(...given)
        this.#attempts.inc({ channel, outcome: handover.outcome })
        return handover
      },
      close: () => transport.close(),
    }
  }

  /** Gauges ask when they are read. */
  watch({ messages }: Pick<Store, 'messages'>): void {
    const queues = shared(() => messages.queues(MESSAGE_CHANNELS))
    const byChannel = (name: string, help: string, figure: (queue: MessageQueue) => number) =>
      this.#gauge({ name, help, label: 'channel', values: MESSAGE_CHANNELS }, async () =>
        (await queues()).map((queue) => [queue.channel, figure(queue)]),
      )
    byChannel(
      'ots_messages_waiting',
      'Messages that wait: to be sent, tried again or for their time.',
      (q) => q.waiting,
    )
    byChannel('ots_messages_due', 'Messages that should have been sent by now.', (q) => q.due)
    byChannel(
      'ots_messages_over_quota',
      'Messages that wait for tomorrow: their token has used up its mail quota (OTS_MAIL_QUOTA).',
      (q) => q.overQuota,
    )
    byChannel('ots_message_queue_age_seconds', 'How long the oldest message has been due.', (q) => q.age)
    const help = 'Messages of the last 90 days that did not arrive (failed) or may not have (uncertain).'
    this.#gauge({ name: 'ots_messages_unsent', help, label: 'state', values: UNSENT_STATES }, async () =>
      (await messages.ended(UNSENT_STATES)).map(({ state, total }) => [state, total]),
    )
  }

  #gauge({ name, help, label, values }: Series, ask: () => Promise<[string, number][]>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        // What cannot be asked now is not known; the other figures are.
        const figures = await ask().catch(() => values.map((value): [string, number] => [value, Number.NaN]))
        for (const [value, figure] of figures) this.set({ [label]: value }, figure)
      },
    })
    this.#registry.registerMetric(gauge)
  }
}

interface Series {
  name: string
  help: string
  label: string
  values: readonly string[]
}

/** Those who ask while an answer is on its way get the same. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () =>
    (asked ??= ask().finally(() => {
      asked = undefined
    }))
}
