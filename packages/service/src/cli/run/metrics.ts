import { Counter, Gauge, type Registry } from 'prom-client'
import type { Pool } from '../../store/db/pool.ts'
import type { Replica, ReplicaCounts } from '../../store/db/replica.ts'
import type { Store } from '../../store/store.ts'
import { version } from '../version.ts'

/** Adds what is known about the process as a whole: its version and its use of the database. */
export function addProcessMetrics(registry: Registry, { pool, role }: { pool: Pool; role: string }): void {
  const build = new Gauge({
    name: 'ots_build_info',
    help: 'Always 1; the labels tell the version and the role of the process.',
    labelNames: ['version', 'node', 'role'],
    aggregator: 'first',
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

/** Adds whether and how the read replica is used. */
export function addReplicaMetrics(registry: Registry, replica: Replica): void {
  const usable = new Gauge({
    name: 'ots_replica_usable',
    help: 'Whether lists are read from the replica (1) or all from the primary (0).',
    aggregator: 'min',
    registers: [],
    collect() {
      this.set(replica.isUsable ? 1 : 0)
    },
  })
  const lag = new Gauge({
    name: 'ots_replica_lag_seconds',
    help: 'How far the replica is behind the primary, at most, to half a second; NaN if unknown.',
    aggregator: 'max',
    registers: [],
    collect() {
      this.set(replica.lagSeconds)
    },
  })
  const lists = new Counter({
    name: 'ots_replica_lists_total',
    help: 'Lists by what answered them: the replica, or the primary because the replica was unusable, behind what the caller had written, or failed.',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset()
      for (const outcome of Object.keys(replica.counts) as (keyof ReplicaCounts)[])
        this.inc({ outcome }, replica.counts[outcome])
    },
  })
  for (const metric of [usable, lag, lists]) registry.registerMetric(metric)
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
