import { parentPort, Worker, type Transferable } from 'node:worker_threads'
import type { Problem } from '@order-testing/contract'
import { Refusal } from '../domain/refusal.ts'
import type { OnProgress, Progress } from '../operations/progress.ts'
import { Overloaded, Unavailable } from '../store/db/errors.ts'

/** Idle threads are ended after this time: they hold tens of megabytes and start in half a second. */
const IDLE_MS = 300_000

/** A thread that exceeds this memory is ended instead of the whole process. */
const MEMORY_MB = 2_048

/** Concurrent jobs per thread: while one waits for the database, another is parsed. */
const AT_ONCE = 4

/** A message to or from a thread. Its value must support structured cloning. */
interface Message<T> {
  id: number
  value: T
}

type Reply<Done> = Message<{ done: Done } | { problems: Problem[] } | { failure: Failure } | { progress: Progress }>

/** A job that has no reply yet. */
interface Pending<Done> {
  resolve: (done: Done) => void
  reject: (error: Error) => void
  onProgress: OnProgress | undefined
}

interface Failure {
  kind: 'overloaded' | 'unavailable' | 'unexpected'
  message: string
  stack: string | undefined
  code: string | undefined
}

/** The job needs more memory than a thread has: retrying does not help. */
export class OutOfMemory extends Error {}

/**
 * Runs jobs in a thread that is started for the first job and ended when idle. Errors of jobs are rethrown here: refusals
 * and unavailability with their class, others with their code.
 */
export class SideThread<Job, Done> {
  readonly #file: URL
  readonly #data: () => unknown
  readonly #pending = new Map<number, Pending<Done>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0
  #isStopped = false

  /** `data` is called at each start of a thread, which receives the result as `workerData`. */
  constructor(file: URL, data: () => unknown = () => undefined) {
    this.#file = file
    this.#data = data
  }

  async run(job: Job, transfer: Transferable[] = [], onProgress?: OnProgress): Promise<Done> {
    if (this.#isStopped) throw new Unavailable('The service is stopping.')
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    // A job keeps the process alive; an idle thread does not.
    this.#worker.ref()
    const id = ++this.#last
    const done = new Promise<Done>((resolve, reject) => this.#pending.set(id, { resolve, reject, onProgress }))
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
    if ('progress' in value) return pending?.onProgress?.(value.progress)
    this.#pending.delete(id)
    if (this.#pending.size === 0) this.#rest()
    if ('done' in value) pending?.resolve(value.done)
    else pending?.reject('problems' in value ? new Refusal(value.problems) : restoreError(value.failure))
  }

  #rest(): void {
    const worker = this.#worker
    worker?.unref()
    this.#idle = setTimeout(() => {
      // Cleared first, so that a job that arrives while the thread ends starts a new one.
      this.#worker = undefined
      void worker?.terminate()
    }, IDLE_MS).unref()
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const { message, code } = error as NodeJS.ErrnoException
    // With several jobs, the one that needs too much memory is unknown.
    const isTooLarge = code === 'ERR_WORKER_OUT_OF_MEMORY' && this.#pending.size === 1
    const options = { code, cause: error }
    const failure = isTooLarge ? new OutOfMemory(message) : new Unavailable(`A thread ended: ${message}`, options)
    for (const { reject } of this.#pending.values()) reject(failure)
    this.#pending.clear()
  }
}

/** Does a job; `transfer` lists the buffers of the result to move without a copy. */
type Work<Job, Done> = (job: Job, onProgress: OnProgress) => Promise<{ done: Done; transfer?: Transferable[] }>

/** Runs in the thread: does the jobs, a few concurrently. */
export function doJobs<Job, Done>(work: Work<Job, Done>): void {
  const port = parentPort!
  const waiting: Message<Job>[] = []
  let running = 0
  const reply = async ({ id, value: job }: Message<Job>) => {
    try {
      const onProgress = (progress: Progress) => port.postMessage({ id, value: { progress } } satisfies Reply<Done>)
      const { done, transfer = [] } = await work(job, onProgress)
      port.postMessage({ id, value: { done } } satisfies Reply<Done>, transfer)
    } catch (error) {
      const value = error instanceof Refusal ? { problems: error.problems } : { failure: failureOf(error) }
      port.postMessage({ id, value } satisfies Reply<Done>)
    }
  }
  const replyToAll = async () => {
    running += 1
    for (let next = waiting.shift(); next; next = waiting.shift()) await reply(next)
    running -= 1
  }
  port.on('message', (message: Message<Job>) => {
    waiting.push(message)
    if (running < AT_ONCE) void replyToAll()
  })
}

/** The built file of a thread. Tests run from sources, but threads run from dist. */
export function threadFile(name: string, beside: string): URL {
  const built = beside.endsWith('.ts') ? beside.replace('/src/', '/dist/') : beside
  return new URL(`./${name}.js`, built)
}

/** Bytes that can be transferred to another thread. Small buffers share their memory, so they are copied. */
export function handOver(bytes: Uint8Array): { bytes: Uint8Array; transfer: Transferable[] } {
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
  return { bytes: own, transfer: [own.buffer as ArrayBuffer] }
}

function failureOf(error: unknown): Failure {
  const { message, stack, code } = error as Partial<Error> & { code?: unknown }
  const kind = error instanceof Overloaded ? 'overloaded' : error instanceof Unavailable ? 'unavailable' : 'unexpected'
  return { kind, message: message ?? String(error), stack, code: typeof code === 'string' ? code : undefined }
}

/** Restores an error that was thrown in the thread. */
function restoreError({ kind, message, stack, code }: Failure): Error {
  if (kind === 'overloaded') return new Overloaded()
  const error =
    kind === 'unavailable' ? new Unavailable(message, { code }) : Object.assign(new Error(message), { code })
  if (stack !== undefined) error.stack = stack
  return error
}
