import type { FailureClass, Outcome } from '../domain/webhooks/retry.ts'
import type { Connection } from './connections.ts'
import { AttemptFailure } from './dial.ts'
import { ParsedResponse } from './parsed-response.ts'
import { readPlainResponse, type Answer } from './plain-response.ts'

export const MAX_BODY_BYTES = 16_384
/** Everything received for one response, including interim responses, chunk framing and empty lines. */
const MAX_RESPONSE_BYTES = 262_144
const MAX_DETAIL_LENGTH = 200
const KEEP_IDLE_MS = 4_000

/** How one request on one connection ended. */
export interface Ending {
  outcome: Outcome
  /** The beginning of the response body. */
  body: Buffer
  detail: string | null
  /** How long the connection may be kept for another request; 0 if the response was not read to its end. */
  keepMs: number
  /** The connection ended before any part of the response arrived. */
  isUnanswered: boolean
}

/**
 * One request on one connection. Only the first ending counts.
 *
 * | state         | event                                            | next state      |
 * |-|-|-|
 * | sent          | the first read is a whole plain response         | ended: answered |
 * | sent          | the first read is anything else                  | parsing         |
 * | parsing       | the response ends, or enough of it has been read | ended: answered |
 * | parsing       | a malformed or oversized response                | ended: badAnswer |
 * | sent, parsing | more than 256 KiB in all                         | ended: badAnswer |
 * | sent, parsing | the connection closes                            | ended: reset    |
 * | sent, parsing | `fail`, such as at the deadline                  | ended: failed   |
 */
export class Exchange {
  readonly #connection: Connection
  readonly #end: (ending: Ending) => void
  #parsed: ParsedResponse | undefined
  #receivedBytes = 0
  #isEnded = false

  constructor(connection: Connection, end: (ending: Ending) => void) {
    this.#connection = connection
    this.#end = end
  }

  start(request: Buffer): void {
    this.#connection.begin(this)
    this.#connection.socket.write(request)
  }

  fail(failure: FailureClass, detail: string): void {
    const isUnanswered = failure === 'reset' && this.#receivedBytes === 0
    const body = this.#parsed?.body ?? NOTHING
    this.#finish({ ...failed(failure, detail), body, isUnanswered })
  }

  receive(chunk: Buffer): void {
    this.#receivedBytes += chunk.length
    if (this.#receivedBytes > MAX_RESPONSE_BYTES) return this.fail('badAnswer', 'The response is too large.')
    const plain = this.#parsed ? null : readPlainResponse(chunk, MAX_BODY_BYTES)
    if (plain) return this.#answer(plain, { body: plain.body, isReusable: true })
    this.#parsed ??= new ParsedResponse({
      maxBodyBytes: MAX_BODY_BYTES,
      answered: (answer, { isReusable }) => this.#answer(answer, { body: this.#parsed!.body, isReusable }),
      failed: (error) => this.fail(classOf(error), error.message),
    })
    this.#parsed.receive(chunk)
  }

  /** The receiver sends nothing more, or the connection is closed. */
  disconnect(error?: Error): void {
    if (this.#parsed) this.#parsed.disconnect(error)
    else this.fail('reset', error?.message ?? 'socket hang up')
  }

  #answer(
    { status, retryAfter, keepAlive }: Answer,
    { body, isReusable }: { body: Buffer; isReusable: boolean },
  ): void {
    const { socket } = this.#connection
    // A response that ends before the request was written leaves the connection unusable.
    const isKept = isReusable && socket.writable && socket.writableLength === 0
    const outcome: Outcome = { kind: 'answered', status, retryAfter }
    this.#finish({ outcome, body, detail: null, keepMs: isKept ? keepMsOf(keepAlive) : 0, isUnanswered: false })
  }

  #finish(ending: Ending): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#end(ending)
  }
}

const NOTHING = Buffer.alloc(0)

export function failed(error: FailureClass, detail: string): Ending {
  const short = detail.slice(0, MAX_DETAIL_LENGTH)
  return { outcome: { kind: 'failed', error }, body: NOTHING, detail: short, keepMs: 0, isUnanswered: false }
}

export function classOf(error: Error & { code?: unknown }): FailureClass {
  if (error instanceof AttemptFailure) return error.failure
  // Codes of node's HTTP parser.
  return String(error.code).startsWith('HPE_') ? 'badAnswer' : 'reset'
}

/** A receiver may announce when it closes an idle connection; a second less leaves time for the request to arrive. */
function keepMsOf(keepAlive: string | null): number {
  const [, seconds] = keepAlive === null ? [] : (/\btimeout=(\d+)/i.exec(keepAlive) ?? [])
  return seconds === undefined ? KEEP_IDLE_MS : Math.max(0, Math.min(1000 * Number(seconds) - 1_000, KEEP_IDLE_MS))
}
