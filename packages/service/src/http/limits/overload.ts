import { Counter, Gauge, type Registry } from 'prom-client'
import type { Admission } from './admission.ts'
import type { BodyBudget } from './body-budget.ts'
import type { Lookups } from './lookups.ts'

interface Watched {
  admission: Admission
  bodies: BodyBudget
  lookups: Lookups<unknown>
}

/** Adds metrics of load: requests by kind, token lookups, large bodies. */
export function addOverloadFigures(registry: Registry, { admission, bodies, lookups }: Watched): void {
  const figures = () => [...admission.figures(), { kind: 'token', ...lookups.figures }]
  const running = new Gauge({
    name: 'ots_requests_running',
    help: 'Running requests, by kind.',
    labelNames: ['kind'],
    registers: [],
    collect() {
      for (const each of figures()) this.set({ kind: each.kind }, each.running)
    },
  })
  const waiting = new Gauge({
    name: 'ots_requests_waiting',
    help: 'Waiting requests, by kind.',
    labelNames: ['kind'],
    registers: [],
    collect() {
      for (const each of figures()) this.set({ kind: each.kind }, each.waiting)
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
  for (const metric of [running, waiting, refused, bytes]) registry.registerMetric(metric)
}
