import { parentPort, Worker, type Transferable } from 'node:worker_threads'
import type { Problem } from '@order-testing/contract'
import { Refusal } from '../domain/refusal.ts'
import { Overloaded, Unavailable } from '../store/db/errors.ts'

/** A thread that has had nothing to do for this long is ended: it holds tens of megabytes, and starts in half a second. */
const IDLE_MS = 300_000

/** A thread that needs more memory is ended, and not the whole process. */
const MEMORY_MB = 2_048

/** Jobs of a thread under way at once: while one waits for the database, another is read. */
const AT_ONCE = 4

/** Work that is given to a thread: `data` must survive structured cloning, `transfer` is handed over without a copy. */
interface Message<T> {
  id: number
  value: T
}

type Reply<Done> = Message<{ done: Done } | { problems: Problem[] } | { failure: Failure }>

interface Failure {
  kind: 'overloaded' | 'unavailable' | 'unexpected'
  message: string
  stack: string | undefined
  code: string | undefined
}

interface Pending<Done> {
  resolve: (done: Done) => void
  reject: (error: Error) => void
}

/** The job needs more memory than a thread has: trying again does not help. */
export class OutOfMemory extends Error {}

/**
 * Does work beside the event loop, in a thread that is started for the first job and ended when it is idle. What jobs
 * throw is thrown here: refusals and unavailability as such, anything else with its code.
 */
export class SideThread<Job, Done> {
  readonly #file: URL
  readonly #data: () => unknown
  readonly #pending = new Map<number, Pending<Done>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0
  #isStopped = false

  /** `data` is asked for whenever a thread is started, which finds it as its `workerData`. */
  constructor(file: URL, data: () => unknown = () => undefined) {
    this.#file = file
    this.#data = data
  }

  async run(job: Job, transfer: Transferable[] = []): Promise<Done> {
    if (this.#isStopped) throw new Unavailable('The service is stopping.')
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    // A job holds up the end of the process, an idle thread does not.
    this.#worker.ref()
    const id = ++this.#last
    const done = new Promise<Done>((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    this.#worker.postMessage({ id, value: job } satisfies Message<Job>, transfer)
    return done
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      workerData: this.#data(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    worker.on('message', (reply: Reply<Done>) => this.#finish(reply))
    worker.on('error', (error: Error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error('The thread ended.')))
    return worker
  }

  #finish({ id, value }: Reply<Done>): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0) this.#rest()
    if ('done' in value) pending?.resolve(value.done)
    else pending?.reject('problems' in value ? new Refusal(value.problems) : thrown(value.failure))
  }

  #rest(): void {
    const worker = this.#worker
    worker?.unref()
    this.#idle = setTimeout(() => {
      // Forgotten first: a job that comes while it ends is given to a new one.
      this.#worker = undefined
      void worker?.terminate()
    }, IDLE_MS).unref()
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const { message, code } = error as NodeJS.ErrnoException
    // Which of several jobs needs so much memory is not known.
    const isTooLarge = code === 'ERR_WORKER_OUT_OF_MEMORY' && this.#pending.size === 1
    const options = { code, cause: error }
    const failure = isTooLarge ? new OutOfMemory(message) : new Unavailable(`A thread ended: ${message}`, options)
    for (const { reject } of this.#pending.values()) reject(failure)
    this.#pending.clear()
  }
}

/** How a thread does a job, with what of its result is handed over. */
export type Work<Job, Done> = (job: Job) => Promise<{ done: Done; transfer?: Transferable[] }>

/** Runs in the thread: does the jobs that come, a few at once. */
export function doJobs<Job, Done>(work: Work<Job, Done>): void {
  const port = parentPort!
  const lines = Array.from({ length: AT_ONCE }, () => Promise.resolve())
  const reply = async ({ id, value: job }: Message<Job>) => {
    try {
      const { done, transfer = [] } = await work(job)
      port.postMessage({ id, value: { done } } satisfies Reply<Done>, transfer)
    } catch (error) {
      const value = error instanceof Refusal ? { problems: error.problems } : { failure: failureOf(error) }
      port.postMessage({ id, value } satisfies Reply<Done>)
    }
  }
  port.on('message', (message: Message<Job>) => {
    const line = message.id % AT_ONCE
    lines[line] = lines[line]!.then(() => reply(message))
  })
}

/** Where the built file of a thread is. Tests run the sources, but a thread runs only what was built. */
export function threadFile(name: string, beside: string): URL {
  const built = beside.endsWith('.ts') ? beside.replace('/src/', '/dist/') : beside
  return new URL(`./${name}.js`, built)
}

/** Bytes that can be handed over to another thread: small buffers share their memory with others. */
export function handOver(bytes: Uint8Array): { bytes: Uint8Array; transfer: Transferable[] } {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
  return { bytes: own, transfer: [own.buffer as ArrayBuffer] }
}

function failureOf(error: unknown): Failure {
  const { message, stack, code } = error as Partial<Error> & { code?: unknown }
  const kind = error instanceof Overloaded ? 'overloaded' : error instanceof Unavailable ? 'unavailable' : 'unexpected'
  return { kind, message: message ?? String(error), stack, code: typeof code === 'string' ? code : undefined }
}

/** What was thrown in the thread, as an error of this side. */
function thrown({ kind, message, stack, code }: Failure): Error {
  if (kind === 'overloaded') return new Overloaded()
  const error =
    kind === 'unavailable' ? new Unavailable(message, { code }) : Object.assign(new Error(message), { code })
  if (stack !== undefined) error.stack = stack
  return error
}
