import { Counter, Gauge, type Registry } from 'prom-client'
import type { Admission } from './admission.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Lookups } from './lookups.ts'

/** Adds metrics of load: requests by kind, token lookups, large bodies. */
export function addOverloadFigures(
  registry: Registry,
  { admission, bodies, lookups }: { admission: Admission; bodies: BodyBudget; lookups: Lookups<unknown> },
): void {
  const figures = () => [...admission.figures(), { kind: 'token', ...lookups.figures }]
  const requests = (state: 'running' | 'waiting', help: string) =>
    new Gauge({
      name: `ots_requests_${state}`,
      help,
      labelNames: ['kind'],
      registers: [],
      collect() {
        for (const each of figures()) this.set({ kind: each.kind }, each[state])
      },
    })
  const refused = new Counter({
    name: 'ots_requests_refused_total',
    help: 'Requests answered 503 because too many were waiting, by kind.',
    labelNames: ['kind'],
    registers: [],
    collect() {
      this.reset()
      for (const each of figures()) this.inc({ kind: each.kind }, each.refused)
      this.inc({ kind: 'body' }, bodies.figures.refused)
    },
  })
  const bytes = new Gauge({
    name: 'ots_large_bodies_bytes',
    help: 'Bytes of memory reserved for large bodies.',
    registers: [],
    collect() {
      this.set(bodies.figures.bytes)
    },
  })
  registry.registerMetric(requests('running', 'Running requests, by kind.'))
  registry.registerMetric(requests('waiting', 'Waiting requests, by kind.'))
  registry.registerMetric(refused)
  registry.registerMetric(bytes)
}
