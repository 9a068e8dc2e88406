import { Gauge, type Registry } from 'prom-client'
import type { Pool } from '../../store/db/pool.ts'
import type { Store } from '../../store/store.ts'
import { version } from '../version.ts'

/** Adds what is known about the process as a whole: its version and its use of the database. */
export function addProcessMetrics(registry: Registry, { pool, role }: { pool: Pool; role: string }): void {
  const build = new Gauge({
    name: 'ots_build_info',
    help: 'Always 1; the labels tell the version and the role of the process.',
    labelNames: ['version', 'node', 'role'],
    registers: [registry],
  })
  build.set({ version, node: process.versions.node, role }, 1)
  const connections = new Gauge({
    name: 'ots_database_connections',
    help: 'Connections to the database, busy or idle.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { busy, idle } = pool.figures()
      this.set({ state: 'busy' }, busy)
      this.set({ state: 'idle' }, idle)
    },
  })
  const waiting = new Gauge({
    name: 'ots_database_waiting',
    help: 'Statements and transactions that wait for a connection.',
    registers: [],
    collect() {
      this.set(pool.figures().waiting)
    },
  })
  registry.registerMetric(connections)
  registry.registerMetric(waiting)
}

/** Adds what waits for operators. Workers report it, since it is the same for every process. */
export function addInboxMetrics(registry: Registry, store: Store): void {
  const results = new Gauge({
    name: 'ots_results_waiting',
    help: 'Result reports that wait for an operator.',
    registers: [],
    async collect() {
      this.set(await store.results.countQueued().catch(() => Number.NaN))
    },
  })
  registry.registerMetric(results)
}
