import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Outcome } from '../domain/webhooks/retry.ts'
import { Connections, type Connection } from './connections.ts'
import type { DialOptions } from './dial.ts'
import { classOf, Exchange, failed, type Ending, type OutgoingRequest } from './exchange.ts'
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
const TIMEOUT_MS = 15_000
const EXCERPT_LENGTH = 1024

/** Makes single attempts. It follows no redirects, decompresses nothing, never rejects and keeps its deadline. */
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

  /** Resolves when the attempts in flight have ended, each by its own deadline. */
  async close(): Promise<void> {
    this.#connections.close()
    await Promise.allSettled(this.#running)
  }

  async #attempt(request: SendRequest): Promise<Attempt> {
    const started = performance.now()
    const { outcome, body, detail } = await this.#deliver(request, started + this.#timeoutMs)
    const ms = Math.round(performance.now() - started)
    return { outcome, ms, excerpt: excerptOf(body, request), detail: detail === null ? null : harmless(detail) }
  }

  async #deliver({ url: address, headers, body }: SendRequest, deadline: number): Promise<Ending> {
    const url = readUrl(address)
    if (!url) return failed('unsendable', 'Not an http or https URL.')
    const request = { url, headers, body }
    const idle = this.#connections.takeIdle(url.origin)
    if (idle) {
      const ending = await this.#exchange(idle, request, deadline)
      // The receiver may close an idle connection just as we write to it. Events may arrive twice, so send again.
      if (!ending.isUnanswered) return ending
    }
    if (!areValid(headers)) return failed('unsendable', 'Invalid header name or value.')
    const dialled = await this.#dial(url, deadline)
    return 'outcome' in dialled ? dialled : this.#exchange(dialled, request, deadline)
  }

  #dial(url: URL, deadline: number): Promise<Connection | Ending> {
    return new Promise((resolve) => {
      const dialling = new AbortController()
      const cancel = atDeadline(deadline, () => {
        dialling.abort()
        resolve(failed('timeout', this.#late))
      })
      void this.#connections
        .open(url, dialling.signal)
        .catch((error: Error) => failed(classOf(error), error.message))
        .then((dialled) => {
          cancel()
          resolve(dialled)
        })
    })
  }

  #exchange(connection: Connection, request: OutgoingRequest, deadline: number): Promise<Ending> {
    return new Promise((resolve) => {
      const exchange = new Exchange(connection, (ending) => {
        cancel()
        if (ending.keepMs > 0) this.#connections.keep(connection, ending.keepMs)
        else connection.drop()
        resolve(ending)
      })
      const cancel = atDeadline(deadline, () => exchange.fail('timeout', this.#late))
      exchange.start(request)
    })
  }

  get #late(): string {
    return `No complete response within ${this.#timeoutMs} ms.`
  }
}

/** After a stall of this process the timer fires before responses that have already arrived: read those first. */
function atDeadline(deadline: number, expire: () => void): () => void {
  let isCancelled = false
  const timer = setTimeout(
    () =>
      void setImmediate(() => {
        if (!isCancelled) expire()
      }),
    deadline - performance.now(),
  )
  return () => {
    isCancelled = true
    clearTimeout(timer)
  }
}

function readUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return SCHEMES.has(url.protocol) ? url : null
  } catch {
    return null
  }
}

const SCHEMES = new Set(['http:', 'https:'])

function areValid(headers: Record<string, string>): boolean {
  try {
    for (const name in headers) {
      validateHeaderName(name)
      validateHeaderValue(name, headers[name]!)
    }
    return true
  } catch {
    return false
  }
}

function excerptOf(body: Buffer, { headers, body: sent }: SendRequest): string {
  if (body.length === 0) return ''
  const text = withoutIdentifiers(withoutCredentials(body.toString(), headers), sent)
  return harmless(text.slice(0, EXCERPT_LENGTH))
}

/** Puts text on one line and replaces characters that control terminals, are invisible or that PostgreSQL rejects. */
function harmless(text: string): string {
  return text.replaceAll(/\s/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}')
}
