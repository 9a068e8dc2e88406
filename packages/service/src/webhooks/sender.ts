import type { FailureClass, Outcome } from '../domain/webhooks/retry.ts'
import { Connections, type Connection } from './connections.ts'
import type { DialOptions } from './dial.ts'
import { classOf, Exchange, failed, type Ending } from './exchange.ts'
import { composeRequest } from './request-bytes.ts'
import { withoutCredentials, withoutIdentifiers } from './wire.ts'

export interface Attempt {
  outcome: Outcome
  ms: number
  /** The beginning of the response body, safe to store and display: at most 1,024 characters, often empty. */
  excerpt: string
  /** What went wrong, safe to store: no headers, no credentials, no part of the URL's path. */
  detail: string | null
}

export interface SendRequest {
  url: string
  headers: Record<string, string>
  body: Buffer
}

export type SenderOptions = Omit<DialOptions, 'timeoutMs'> & { timeoutMs?: number }

/** For name lookup, connection, response and its body together. */
export const TIMEOUT_MS = 15_000
export const EXCERPT_LENGTH = 1024

interface Running {
  /** Its place in the list of running attempts; -1 once it has ended. */
  index: number
  request: SendRequest
  startedAt: number
  resolve: (ending: Ending) => void
  /** The dialling or exchange in progress, to be ended at the deadline. */
  stage: { fail(failure: FailureClass, detail: string): void }
}

/** Makes single attempts. It follows no redirects, decompresses nothing, never rejects and keeps its deadline. */
export class Sender {
  readonly #timeoutMs: number
  readonly #connections: Connections
  /** In no order. One timer, for the earliest deadline, serves all. */
  readonly #running: Running[] = []
  #timer: NodeJS.Timeout | undefined
  #onIdle: () => void = () => {}

  constructor({ timeoutMs = TIMEOUT_MS, ...options }: SenderOptions) {
    this.#timeoutMs = timeoutMs
    this.#connections = new Connections({ ...options, timeoutMs })
  }

  async send(request: SendRequest): Promise<Attempt> {
    const startedAt = performance.now()
    const { outcome, body, detail } = await new Promise<Ending>((resolve) => {
      const attempt: Running = { index: this.#running.length, request, startedAt, resolve, stage: NONE }
      this.#running.push(attempt)
      if (!this.#timer) this.#awaitDeadline()
      this.#start(attempt)
    })
    const ms = Math.round(performance.now() - startedAt)
    return { outcome, ms, excerpt: excerptOf(body, request), detail: detail === null ? null : harmless(detail) }
  }

  /** Resolves when the attempts in flight have ended, each by its own deadline. */
  async close(): Promise<void> {
    this.#connections.close()
    if (this.#running.length > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #start(attempt: Running): void {
    const url = readUrl(attempt.request.url)
    if (!url) return this.#end(attempt, failed('unsendable', 'Not an http or https URL.'))
    const request = composeRequest(url, attempt.request)
    if (!request) return this.#end(attempt, failed('unsendable', 'Invalid header name or value.'))
    const idle = this.#connections.takeIdle(url.origin)
    if (!idle) return this.#dial(attempt, url, request)
    this.#exchange(attempt, request, idle, (ending) => {
      // The receiver may close an idle connection just as we write to it. Events may arrive twice, so send again.
      if (ending.isUnanswered) this.#dial(attempt, url, request)
      else this.#end(attempt, ending)
    })
  }

  #dial(attempt: Running, url: URL, request: Buffer): void {
    const end = (ending: Ending) => this.#end(attempt, ending)
    const dialling = new AbortController()
    attempt.stage = {
      fail(failure, detail) {
        dialling.abort()
        end(failed(failure, detail))
      },
    }
    this.#connections.open(url, dialling.signal).then(
      (connection) => {
        if (dialling.signal.aborted) connection.drop()
        else this.#exchange(attempt, request, connection, end)
      },
      (error: Error) => end(failed(classOf(error), error.message)),
    )
  }

  #exchange(attempt: Running, request: Buffer, connection: Connection, end: (ending: Ending) => void): void {
    const exchange = new Exchange(connection, (ending) => {
      if (ending.keepMs > 0) this.#connections.keep(connection, ending.keepMs)
      else connection.drop()
      end(ending)
    })
    attempt.stage = exchange
    exchange.start(request)
  }

  #end(attempt: Running, ending: Ending): void {
    if (attempt.index === -1) return
    attempt.resolve(ending)
    // The last one takes its place.
    const last = this.#running.pop()!
    if (last !== attempt) {
      this.#running[attempt.index] = last
      last.index = attempt.index
    }
    attempt.index = -1
    if (this.#running.length > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#onIdle()
  }

  #awaitDeadline(): void {
    const earliest = Math.min(...this.#running.map(({ startedAt }) => startedAt)) + this.#timeoutMs
    // After a stall of this process the timer fires before responses that have already arrived: read those first.
    const check = () => void setImmediate(() => this.#checkDeadlines())
    clearTimeout(this.#timer)
    this.#timer = setTimeout(check, earliest - performance.now())
  }

  #checkDeadlines(): void {
    const oldest = performance.now() - this.#timeoutMs
    const late = this.#running.filter(({ startedAt }) => startedAt <= oldest)
    for (const { stage } of late) stage.fail('timeout', `No complete response within ${this.#timeoutMs} ms.`)
    if (this.#running.length > 0) this.#awaitDeadline()
  }
}

const NONE: Running['stage'] = { fail() {} }

function readUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return SCHEMES.has(url.protocol) ? url : null
  } catch {
    return null
  }
}

const SCHEMES = new Set(['http:', 'https:'])

function excerptOf(body: Buffer, { headers, body: sent }: SendRequest): string {
  if (body.length === 0) return ''
  const text = withoutIdentifiers(withoutCredentials(body.toString(), headers), sent)
  return harmless(text.slice(0, EXCERPT_LENGTH))
}

/** Puts text on one line and replaces characters that control terminals, are invisible or that PostgreSQL rejects. */
function harmless(text: string): string {
  return text.replaceAll(/\s/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}')
}
