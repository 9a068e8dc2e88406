import { Counter, Gauge, Histogram, type GaugeConfiguration, type Registry } from 'prom-client'
import type { Verdict } from '../domain/webhooks/retry.ts'
import type { QueueAges, ReceiverCounts } from '../store/webhooks/queue.ts'

interface Watched {
  inFlight: () => number
  queue: { ages(): Promise<QueueAges>; receiverCounts(): Promise<ReceiverCounts> }
}

/** What a worker reports about itself and the queue. */
export class DeliveryMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter<'outcome'>
  readonly #durations: Histogram
  readonly #waits: Histogram

  constructor(registry: Registry) {
    this.#registry = registry
    this.#attempts = new Counter({
      name: 'ots_delivery_attempts_total',
      help: 'Attempts to deliver events, by outcome. `lapsed`: the worker was stopped past its lease, the outcome is unknown.',
      labelNames: ['outcome'],
      registers: [registry],
    })
    for (const outcome of ['delivered', 'retry', 'failed', 'gone', 'lapsed']) this.#attempts.inc({ outcome }, 0)
    this.#durations = new Histogram({
      name: 'ots_delivery_duration_seconds',
      help: 'Duration of attempts.',
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 15],
      registers: [registry],
    })
    this.#waits = new Histogram({
      name: 'ots_delivery_queue_seconds',
      help: 'Time from when an attempt is due to when it begins.',
      buckets: [0.025, 0.1, 0.5, 1, 5, 30, 120, 600, 3600],
      registers: [registry],
    })
  }

  begun(queuedMs: number): void {
    this.#waits.observe(Math.max(0, queuedMs / 1000))
  }

  attempted(outcome: Verdict['state'], ms: number): void {
    this.#attempts.inc({ outcome })
    this.#durations.observe(ms / 1000)
  }

  /** An attempt ended after the worker's lease had. */
  lapsed(): void {
    this.#attempts.inc({ outcome: 'lapsed' })
  }

  /** Registers gauges that query the worker and the queue when they are scraped. */
  watch({ inFlight, queue }: Watched): void {
    let query: Promise<QueueAges> | undefined
    // Two gauges are scraped together and share one query. Ages are NaN while the database is unreachable.
    const ages = () =>
      (query ??= queue
        .ages()
        .catch(() => UNKNOWN_AGES)
        .finally(() => (query = undefined)))
    const gauges: Omit<GaugeConfiguration<string>, 'registers'>[] = [
      {
        name: 'ots_deliveries_in_flight',
        help: 'Requests in flight.',
        collect() {
          this.set(inFlight())
        },
      },
      {
        name: 'ots_delivery_queue_age_seconds',
        help: 'How long the oldest delivery has been due, except those of paused receivers and open breakers.',
        async collect() {
          const { waiting, queued } = await ages()
          this.set(Math.max(waiting, queued))
        },
      },
      {
        name: 'ots_delivery_oldest_seconds',
        help: 'How long the oldest delivery has been due, by state and, for held ones, by reason.',
        labelNames: ['state', 'reason'],
        async collect() {
          const { waiting, ...held } = await ages()
          this.set({ state: 'waiting', reason: 'due' }, waiting)
          for (const [reason, age] of Object.entries(held)) this.set({ state: 'held', reason }, age)
        },
      },
      {
        name: 'ots_receivers',
        help: 'Receivers that are failing (breaker closed), have an open or half-open breaker, or are paused by an operator.',
        labelNames: ['state'],
        async collect() {
          const known = await queue.receiverCounts().catch(() => UNKNOWN_RECEIVERS)
          for (const [state, count] of Object.entries(known)) this.set({ state }, count)
        },
      },
    ]
    for (const gauge of gauges) this.#registry.registerMetric(new Gauge({ ...gauge, registers: [] }))
  }
}

const UNKNOWN_AGES: QueueAges = { waiting: NaN, queued: NaN, breakerOpen: NaN, paused: NaN }
const UNKNOWN_RECEIVERS: ReceiverCounts = { failing: NaN, open: NaN, halfOpen: NaN, paused: NaN }
