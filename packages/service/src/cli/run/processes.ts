import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { Unavailable } from '../../store/db/errors.ts'
import { mode } from '../output/mode.ts'
import { ConfigRefusal } from './settings.ts'

/** A process that ends is replaced after this time, so that one that always fails does not keep the machine busy. */
const REPLACE_AFTER_MS = 1_000

/** The metrics of a process that answers later are left out. */
const METRICS_WITHIN_MS = 1_000

/** The first process asks the others before it answers. */
const ALL_METRICS_WITHIN_MS = 5_000

const OTS = fileURLToPath(new URL('../../../bin/ots.js', import.meta.url))

export type Exposed = Pick<Registry, 'contentType' | 'metrics'>

type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** What the processes send each other. */
interface Message {
  /** The port that a process answers on. */
  serving?: number
  /** A question for metrics, and its answer, which has the same number. */
  question?: number
  answer?: number
  value?: unknown
}

interface Channel {
  send?(message: Message, sent: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: Message) => void): unknown
}

export interface Processes {
  /** The port that all of them answer on. */
  port: number
  /** The metrics of all processes. */
  metrics: Exposed
  /** Lets them answer that they are stopping, and go on serving as long as OTS_DRAIN says. */
  drain(): void
  /** Ends them as soon as running requests are answered. */
  stop(): Promise<void>
}

/** Starts processes that share the ports of the API. One that ends is replaced. */
export async function startProcesses(
  count: number,
  { logger, registry }: { logger: Logger; registry: Registry },
): Promise<Processes> {
  const args = ['serve', '--one-of-several', ...(mode.json ? ['--json'] : [])]
  cluster.setupPrimary({ exec: OTS, args, serialization: 'advanced' })
  const running = new Set<Worker>()
  const metrics = addUp(registry, running)
  let isStopping = false
  const start = async (): Promise<number> => {
    // Its threads share memory: each takes about 8 MB less under load (docs/performance.md).
    const worker = cluster.fork({ MALLOC_ARENA_MAX: '2', ...process.env, OTS_ROLE: 'api', OTS_CATALOG: '' })
    running.add(worker)
    worker.on('error', (error) =>
      logger.warn({ process: worker.process.pid, err: error }, 'Failed to reach a process of the API'),
    )
    converse(worker, { logger, find: () => metrics.metrics() })
    worker.once('exit', (code: number, signal: string | null) => {
      running.delete(worker)
      if (!isStopping) logger.error({ ended: worker.process.pid, code, signal }, 'A process of the API has ended')
    })
    const port = await untilServing(worker)
    worker.once('exit', () => void replace())
    return port
  }
  const replace = async (): Promise<void> => {
    await sleep(REPLACE_AFTER_MS)
    if (!isStopping) await start().catch(replace)
  }
  const signal = (name: NodeJS.Signals) => {
    isStopping = true
    for (const worker of running) worker.process.kill(name)
  }
  const stop = async () => {
    const ended = [...running].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    signal('SIGINT')
    await Promise.all(ended)
  }
  try {
    // The first alone: what keeps it from starting is reported once.
    const port = await start()
    await Promise.all(Array.from({ length: count - 1 }, () => start()))
    return { port, metrics, drain: () => signal('SIGTERM'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilServing(worker: Worker): Promise<number> {
  const serving = new Promise<number>((resolve) => {
    worker.on('message', ({ serving: port }: Message) => {
      if (port !== undefined) resolve(port)
    })
  })
  const ended = once(worker, 'exit').then(() => {
    throw new ConfigRefusal('A process of the API could not start.')
  })
  return Promise.race([serving, ended])
}

/** Adds up the metrics of this process and those that run. */
function addUp(registry: Registry, running: ReadonlySet<Worker>): Exposed {
  return {
    contentType: registry.contentType,
    async metrics() {
      const asked = [...running].map((worker) => ask<Metrics>(worker, METRICS_WITHIN_MS).catch(() => []))
      const all = await Promise.all([registry.getMetricsAsJSON(), ...asked])
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

/** Tells the first process that this one serves, and answers its questions for metrics; returns the metrics of all. */
export function joinProcesses({ logger, registry }: { logger: Logger; registry: Registry }): {
  metrics: Exposed
  serving(port: number): void
} {
  converse(process, { logger, find: () => registry.getMetricsAsJSON() })
  return {
    metrics: {
      contentType: registry.contentType,
      metrics: () => ask<string>(process, ALL_METRICS_WITHIN_MS),
    },
    serving: (port) => process.send?.({ serving: port }),
  }
}

let questions = 0

/** The questions that wait for an answer. */
const open = new Map<number, (value: unknown) => void>()

function ask<T>(channel: Channel, withinMs: number): Promise<T> {
  const question = ++questions
  const answered = new Promise<unknown>((resolve, reject) => {
    open.set(question, resolve)
    channel.send?.({ question }, (error) => error && reject(error))
  })
  const late = sleep(withinMs, undefined, { ref: false }).then(() => {
    throw new Unavailable('Another process did not answer in time.')
  })
  return Promise.race([answered as Promise<T>, late]).finally(() => open.delete(question))
}

/** Answers questions, and takes the answers to those that were asked. A question is left open if its answer cannot be found. */
function converse(channel: Channel, { logger, find }: { logger: Logger; find: () => Promise<unknown> }): void {
  channel.on('message', ({ question, answer, value }) => {
    if (answer !== undefined) open.get(answer)?.(value)
    if (question === undefined) return
    find().then(
      // Nobody waits for the answer of a channel that has closed.
      (found) => channel.send?.({ answer: question, value: found }, () => {}),
      (error: unknown) => logger.error({ err: error }, 'Failed to collect metrics'),
    )
  })
}
