import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { FailureClass, Outcome } from '../domain/webhooks/retry.ts'
import type { Connection } from './connections.ts'
import { AttemptFailure } from './dial.ts'

/** Status line and headers of a response, or its trailers; `node:http` enforces it. */
const MAX_HEADER_BYTES = 16_384
/** Headers past these are dropped: each costs many times its length in memory. */
const MAX_HEADERS = 256
export const MAX_BODY_BYTES = 16_384
/** Each chunk costs far more than its bytes, so a body in more chunks is not read further. */
const MAX_BODY_CHUNKS = 256
/** Everything received for one response, including interim responses, chunk framing and empty lines. */
const MAX_RESPONSE_BYTES = 262_144
/** Responses such as 103, which precede the final one. */
const MAX_INTERIM_RESPONSES = 10
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
 * | state            | event                                        | next state        |
 * |-|-|-|
 * | awaiting         | an interim response, at most 10              | awaiting          |
 * | awaiting         | the final status and headers                 | reading           |
 * | reading          | the end of the body                          | ended: answered   |
 * | reading          | more than 16 KiB or 256 chunks of body       | ended: answered   |
 * | awaiting/reading | a malformed or oversized response            | ended: badAnswer  |
 * | awaiting/reading | the connection closes                        | ended: reset      |
 * | awaiting/reading | `fail`, such as at the deadline              | ended: failed     |
 */
export class Exchange {
  readonly #connection: Connection
  readonly #end: (ending: Ending) => void
  #request: ClientRequest | undefined
  #response: IncomingMessage | undefined
  readonly #chunks: Buffer[] = []
  #bodyBytes = 0
  #receivedBytes = 0
  #interimResponses = 0
  #isEnded = false

  constructor(connection: Connection, end: (ending: Ending) => void) {
    this.#connection = connection
    this.#end = end
  }

  start(url: URL, { headers, body }: { headers: Record<string, string>; body: Buffer }): void {
    const { socket } = this.#connection
    this.#connection.begin(this)
    try {
      this.#request = httpRequest({
        createConnection: () => socket,
        method: 'POST',
        path: url.pathname + url.search,
        headers: headerList(url, headers, body),
        maxHeaderSize: MAX_HEADER_BYTES,
      })
    } catch {
      return this.fail('unsendable', 'Invalid header name or value.')
    }
    // Without an agent, node would close the connection after the response.
    this.#request.shouldKeepAlive = true
    this.#request.maxHeadersCount = MAX_HEADERS
    this.#request
      .on('information', () => this.#countInterim())
      .on('upgrade', () => this.fail('badAnswer', 'Unexpected protocol upgrade.'))
      .on('response', (response) => this.#read(response))
      .on('error', (error) => this.#failWith(error))
      .on('close', () => this.#close())
      .end(body)
  }

  fail(failure: FailureClass, detail: string): void {
    const isUnanswered = failure === 'reset' && this.#receivedBytes === 0
    this.#finish({ ...failed(failure, detail), body: this.#body, isUnanswered })
  }

  countReceived(bytes: number): void {
    this.#receivedBytes += bytes
    if (this.#receivedBytes > MAX_RESPONSE_BYTES) this.fail('badAnswer', 'The response is too large.')
  }

  #countInterim(): void {
    this.#interimResponses += 1
    if (this.#interimResponses > MAX_INTERIM_RESPONSES) this.fail('badAnswer', 'Too many interim responses.')
  }

  #read(response: IncomingMessage): void {
    this.#response = response
    response
      .on('data', (chunk: Buffer) => {
        // The parser goes on to the end of what was read from the socket.
        if (this.#isEnded) return
        this.#bodyBytes += chunk.length
        const isTooLong = this.#chunks.push(chunk) > MAX_BODY_CHUNKS || this.#bodyBytes > MAX_BODY_BYTES
        if (isTooLong) this.#answer({ keepMs: 0 })
      })
      .on('error', (error) => this.#failWith(error))
      // A response that ends before the request was written leaves the connection unusable.
      .on('end', () => {
        if (!this.#request!.writableFinished) this.#answer({ keepMs: 0 })
      })
  }

  /** The connection is closed, or free for another request. */
  #close(): void {
    if (this.#response?.complete)
      this.#answer({ keepMs: this.#connection.socket.writable ? keepMsOf(this.#response) : 0 })
    else this.fail('reset', 'The connection was closed before the response was complete.')
  }

  #failWith(error: Error): void {
    this.fail(classOf(error), error.message)
  }

  #answer({ keepMs }: { keepMs: number }): void {
    const response = this.#response!
    const retryAfter = headerOf(response, 'retry-after') ?? null
    const outcome: Outcome = { kind: 'answered', status: response.statusCode ?? 0, retryAfter }
    this.#finish({ outcome, body: this.#body, detail: null, keepMs, isUnanswered: false })
  }

  get #body(): Buffer {
    return Buffer.concat(this.#chunks, Math.min(this.#bodyBytes, MAX_BODY_BYTES))
  }

  #finish(ending: Ending): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#end(ending)
  }
}

export function failed(error: FailureClass, detail: string): Ending {
  const short = detail.slice(0, MAX_DETAIL_LENGTH)
  return { outcome: { kind: 'failed', error }, body: Buffer.alloc(0), detail: short, keepMs: 0, isUnanswered: false }
}

export function classOf(error: Error & { code?: unknown }): FailureClass {
  if (error instanceof AttemptFailure) return error.failure
  // Codes of node's HTTP parser.
  return String(error.code).startsWith('HPE_') ? 'badAnswer' : 'reset'
}

/** Names and values by turns, as `node:http` takes them without another copy. */
function headerList({ host }: URL, headers: Record<string, string>, body: Buffer): string[] {
  const list = ['Host', host, 'Connection', 'keep-alive', 'Content-Length', String(body.length)]
  for (const name in headers) list.push(name, headers[name]!)
  return list
}

/** A receiver may announce when it closes an idle connection; a second less leaves time for the request to arrive. */
function keepMsOf(response: IncomingMessage): number {
  const [, seconds] = /\btimeout=(\d+)/i.exec(headerOf(response, 'keep-alive') ?? '') ?? []
  return seconds === undefined ? KEEP_IDLE_MS : Math.max(0, Math.min(1000 * Number(seconds) - 1_000, KEEP_IDLE_MS))
}

/** Without building the object of all `headers`, which costs more than the search. */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  const at = rawHeaders.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name)
  return at === -1 ? undefined : rawHeaders[at + 1]
}
