import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Verdict } from '../domain/retry.ts'

/** What a worker tells of itself. */
export class DeliveryMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter<'outcome'>
  readonly #durations: Histogram

  constructor(registry: Registry) {
    this.#registry = registry
    this.#attempts = new Counter({
      name: 'ots_delivery_attempts_total',
      help: 'Attempts to deliver events, by what became of them.',
      labelNames: ['outcome'],
      registers: [registry],
    })
    for (const outcome of ['delivered', 'retry', 'failed', 'gone']) this.#attempts.inc({ outcome }, 0)
    this.#durations = new Histogram({
      name: 'ots_delivery_duration_seconds',
      help: 'Time that attempts took.',
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 15],
      registers: [registry],
    })
  }

  attempted(outcome: Verdict['state'], ms: number): void {
    this.#attempts.inc({ outcome })
    this.#durations.observe(ms / 1000)
  }

  /** Gauges ask when they are read. */
  watch(inFlight: () => number, queueAge: () => Promise<number>): void {
    const gauges = [
      new Gauge({
        name: 'ots_deliveries_in_flight',
        help: 'Requests under way.',
        registers: [],
        collect() {
          this.set(inFlight())
        },
      }),
      new Gauge({
        name: 'ots_delivery_queue_age_seconds',
        help: 'How long the oldest delivery has been due.',
        registers: [],
        async collect() {
          // What cannot be asked now is not known; the other figures are.
          this.set(await queueAge().catch(() => Number.NaN))
        },
      }),
    ]
    for (const gauge of gauges) this.#registry.registerMetric(gauge)
  }
}
