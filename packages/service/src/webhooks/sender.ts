import type { Dispatcher } from 'undici'
import type { FailureClass, Outcome } from '../domain/webhooks/retry.ts'
import { Connections, type Connection } from './connections.ts'
import { AttemptFailure, type DialOptions } from './dial.ts'
import { withoutCredentials, withoutIdentifiers } from './wire.ts'

export interface Attempt {
  outcome: Outcome
  ms: number
  /** How the answer begins, as text that is safe to keep and show: at most 1,024 characters, often none. */
  excerpt: string
  /** What went wrong, in words that are safe to keep: no headers, no credentials, nothing of the address's path. */
  detail: string | null
}

export interface SendRequest {
  url: string
  headers: Record<string, string>
  body: Buffer
}

export type SenderOptions = Omit<DialOptions, 'timeoutMs'> & { timeoutMs?: number }

/** For look-up, connection, answer and its body together. */
const TIMEOUT_MS = 15_000
const MOST_BODY_BYTES = 16_384
/** Such as 103, which come before the answer proper. */
const MOST_INTERIM_ANSWERS = 10
const EXCERPT_LENGTH = 1024
const DETAIL_LENGTH = 200

/** Makes single attempts: follows nothing, decompresses nothing, never rejects, and is back in time. */
export class Sender {
  readonly #timeoutMs: number
  readonly #connections: Connections
  readonly #running = new Set<Promise<Attempt>>()

  constructor({ timeoutMs = TIMEOUT_MS, ...options }: SenderOptions) {
    this.#timeoutMs = timeoutMs
    this.#connections = new Connections({ ...options, timeoutMs })
  }

  send(request: SendRequest): Promise<Attempt> {
    const attempt = this.#attempt(request).finally(() => this.#running.delete(attempt))
    this.#running.add(attempt)
    return attempt
  }

  /** Resolves when the attempts under way have ended, each in its own time. */
  async close(): Promise<void> {
    this.#connections.close()
    await Promise.allSettled(this.#running)
  }

  async #attempt(request: SendRequest): Promise<Attempt> {
    const started = performance.now()
    const { outcome, answer, detail } = await this.#deliver(request, started + this.#timeoutMs)
    const ms = Math.round(performance.now() - started)
    return { outcome, ms, excerpt: excerptOf(answer, request), detail }
  }

  async #deliver(request: SendRequest, deadline: number): Promise<Ending> {
    const url = webAddress(request.url)
    if (!url) return failed('unsendable', 'This is no http or https address.')
    const idle = this.#connections.takeIdle(url.origin)
    if (idle) {
      const ending = await this.#exchange(idle, url, request, deadline)
      // A receiver may close a connection it kept just as we write to it: nothing is lost, and events may come twice.
      if (!ending.unheard) return ending
    }
    return this.#exchange(this.#connections.open(url.origin), url, request, deadline)
  }

  #exchange(connection: Connection, url: URL, { headers, body }: SendRequest, deadline: number): Promise<Ending> {
    return new Promise((resolve) => {
      // What has arrived is read first: after a stall of this process the timer comes before the answer.
      const late = () =>
        void setImmediate(() => exchange.fail('timeout', `No complete answer within ${this.#timeoutMs} ms.`))
      const timer = setTimeout(late, deadline - performance.now())
      const done = (ending: Ending) => {
        clearTimeout(timer)
        if (ending.reusable) this.#connections.keep(connection)
        else connection.drop()
        resolve(ending)
      }
      const exchange = new Exchange({ done, progress: () => connection.progress() })
      connection.post({ path: url.pathname + url.search, headers, body }, exchange)
    })
  }
}

function webAddress(text: string): URL | null {
  try {
    const url = new URL(text)
    return SCHEMES.has(url.protocol) ? url : null
  } catch {
    return null
  }
}

const SCHEMES = new Set(['http:', 'https:'])

/** How one request on one connection ended. */
interface Ending {
  outcome: Outcome
  answer: Buffer
  detail: string | null
  /** The answer was read to its end, so that the connection can carry another request. */
  reusable: boolean
  /** The connection ended before any of the answer came. */
  unheard: boolean
}

interface Hooks {
  done(ending: Ending): void
  /** Some of the body has come. */
  progress(): void
}

/** One request on one connection, as undici tells of it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #hooks: Hooks
  readonly #answer = new Beginning()
  #interim = 0
  #status = 0
  #retryAfter: string | null = null
  #begun = false
  #ended = false

  constructor(hooks: Hooks) {
    this.#hooks = hooks
  }

  fail(failure: FailureClass, detail: string): void {
    const unheard = failure === 'reset' && !this.#begun
    this.#end({ ...failed(failure, detail, this.#answer.bytes), unheard })
  }

  onRequestStart(): void {}

  onResponseStarted(): void {
    this.#begun = true
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) {
      this.#interim += 1
      if (this.#interim > MOST_INTERIM_ANSWERS) this.fail('badAnswer', 'Too many interim answers.')
      return
    }
    const retryAfter = headers['retry-after']
    this.#status = status
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : null
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#hooks.progress()
    if (!this.#answer.add(chunk)) this.#end(this.#answered({ reusable: false }))
  }

  onResponseEnd(): void {
    this.#end(this.#answered({ reusable: true }))
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(classOf(error), error.message)
  }

  #answered({ reusable }: { reusable: boolean }): Ending {
    const outcome: Outcome = { kind: 'answered', status: this.#status, retryAfter: this.#retryAfter }
    return { outcome, answer: this.#answer.bytes, detail: null, reusable, unheard: false }
  }

  /** Only the first ending counts: what undici tells of a connection that was dropped is no news. */
  #end(ending: Ending): void {
    if (this.#ended) return
    this.#ended = true
    this.#hooks.done(ending)
  }
}

const NOTHING = Buffer.alloc(0)

/** How a body begins. In one piece, since a thousand pieces of a byte each take a hundred times as much. */
class Beginning {
  bytes: Buffer = NOTHING
  #space: Buffer | undefined

  /** False where there is more than is kept. */
  add(chunk: Buffer): boolean {
    const from = this.bytes.length
    const added = chunk.subarray(0, MOST_BODY_BYTES - from)
    if (from === 0) this.bytes = added
    else {
      this.#space ??= Buffer.concat([this.bytes], MOST_BODY_BYTES)
      added.copy(this.#space, from)
      this.bytes = this.#space.subarray(0, from + added.length)
    }
    return added.length === chunk.length
  }
}

function failed(error: FailureClass, detail: string, answer: Buffer = NOTHING): Ending {
  const safe = harmless(detail.slice(0, DETAIL_LENGTH))
  return { outcome: { kind: 'failed', error }, answer, detail: safe, reusable: false, unheard: false }
}

function classOf(error: Error): FailureClass {
  if (error instanceof AttemptFailure) return error.failure
  return UNDICI_ERRORS.find(([name, message]) => name === error.name && message.test(error.message))?.[2] ?? 'reset'
}

const UNDICI_ERRORS: [name: string, message: RegExp, failure: FailureClass][] = [
  ['InvalidArgumentError', /^/, 'unsendable'],
  ['NotSupportedError', /^/, 'unsendable'],
  ['HeadersOverflowError', /^/, 'badAnswer'],
  // Of an answer out of turn, such as 101.
  ['SocketError', /^bad /, 'badAnswer'],
  // Its one other case is an answer that was cut off.
  ['HTTPParserError', /^(?!.*EOF)/, 'badAnswer'],
]

function excerptOf(answer: Buffer, { headers, body }: SendRequest): string {
  if (answer.length === 0) return ''
  const told = withoutIdentifiers(withoutCredentials(answer.toString(), headers), body)
  return harmless(told.slice(0, EXCERPT_LENGTH))
}

/** On one line, and without characters that a terminal obeys, a page hides or the database refuses. */
function harmless(text: string): string {
  return text.replaceAll(/\s/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}')
}
