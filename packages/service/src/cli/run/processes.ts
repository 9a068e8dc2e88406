import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { mode } from '../output/mode.ts'
import { ConfigRefusal } from './settings.ts'

/** A process that ends is replaced after this time, so that one that always fails does not keep the machine busy. */
const REPLACE_AFTER_MS = 1_000

/** The metrics of a process that answers later are left out. */
const METRICS_WITHIN_MS = 1_000

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
  send?(message: Message): boolean
  on(event: 'message', listener: (message: Message) => void): unknown
  off(event: 'message', listener: (message: Message) => void): unknown
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
    answer(worker, () => metrics.metrics())
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
    const ended = [...running].map((worker) => once(worker, 'exit'))
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
      const asked = [...running].map((worker) =>
        Promise.race([ask<Metrics>(worker), sleep<Metrics>(METRICS_WITHIN_MS, [])]),
      )
      const all = await Promise.all([registry.getMetricsAsJSON(), ...asked])
      return AggregatorRegistry.aggregate(all).metrics()
    },
  }
}

/** Tells the first process that this one serves, and answers its questions for metrics; returns the metrics of all. */
export function joinProcesses(registry: Registry): { metrics: Exposed; serving(port: number): void } {
  answer(process, () => registry.getMetricsAsJSON())
  return {
    metrics: { contentType: registry.contentType, metrics: () => ask<string>(process) },
    serving: (port) => process.send?.({ serving: port }),
  }
}

let questions = 0

function ask<T>(channel: Channel): Promise<T> {
  const question = ++questions
  return new Promise((resolve) => {
    const onMessage = (message: Message) => {
      if (message.answer !== question) return
      channel.off('message', onMessage)
      resolve(message.value as T)
    }
    channel.on('message', onMessage)
    channel.send?.({ question })
  })
}

/** Nobody waits for the answer of a channel that has closed. */
function answer(channel: Channel, find: () => Promise<unknown>): void {
  channel.on('message', ({ question }) => {
    if (question === undefined) return
    void find().then((value) => channel.send?.({ answer: question, value }))
  })
}
