import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { AttemptFailure } from './dial.ts'
import type { Answer } from './plain-response.ts'

/** Status line and headers of a response, or its trailers; `node:http` enforces it. */
const MAX_HEADER_BYTES = 16_384
/** Headers past these are dropped: each costs many times its length in memory. */
const MAX_HEADERS = 256
/** Each chunk costs far more than its bytes, so a body in more chunks is not read further. */
const MAX_BODY_CHUNKS = 256
/** Responses such as 103, which precede the final one. */
const MAX_INTERIM_RESPONSES = 10

interface Options {
  maxBodyBytes: number
  /** `isReusable`: the response was read to its end and leaves the connection open. */
  answered(answer: Answer, how: { isReusable: boolean }): void
  failed(error: Error): void
}

/**
 * A response that `node:http` reads from the bytes received. `answered` or `failed` is called at least once.
 *
 * | state            | event                                      | next state |
 * |-|-|-|
 * | awaiting         | an interim response, at most 10            | awaiting   |
 * | awaiting         | the final status and headers               | reading    |
 * | reading          | the end of the body                        | answered   |
 * | reading          | too much of a body, or too many chunks     | answered   |
 * | awaiting/reading | a malformed response                       | failed     |
 * | awaiting/reading | `disconnect` before the end                | failed     |
 */
export class ParsedResponse {
  readonly #options: Options
  readonly #replay = new Replay()
  #response: IncomingMessage | undefined
  readonly #chunks: Buffer[] = []
  #bodyBytes = 0
  #interimResponses = 0

  constructor(options: Options) {
    this.#options = options
    const request = this.#request()
    request
      .on('information', () => this.#countInterim())
      .on('upgrade', () => this.#fail('Unexpected protocol upgrade.'))
      .on('response', (response) => this.#read(response))
      .on('error', (error) => options.failed(error))
      .on('close', () => this.#close())
      .end()
  }

  /** The beginning of the body, as far as it has arrived. */
  get body(): Buffer {
    return Buffer.concat(this.#chunks, Math.min(this.#bodyBytes, this.#options.maxBodyBytes))
  }

  receive(chunk: Buffer): void {
    this.#replay.push(chunk)
  }

  disconnect(error?: Error): void {
    if (error) this.#replay.destroy(error)
    else if (!this.#replay.readableEnded) this.#replay.push(null)
  }

  /** The parser needs a request to read the response of. It is written to nowhere: the real one was sent before. */
  #request(): ClientRequest {
    const request = httpRequest({
      createConnection: () => this.#replay,
      method: 'POST',
      headers: ['Host', 'replayed'],
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    // Without an agent, node would close the connection after the response.
    request.shouldKeepAlive = true
    request.maxHeadersCount = MAX_HEADERS
    return request
  }

  #countInterim(): void {
    this.#interimResponses += 1
    if (this.#interimResponses > MAX_INTERIM_RESPONSES) this.#fail('Too many interim responses.')
  }

  #read(response: IncomingMessage): void {
    this.#response = response
    response
      .on('data', (chunk: Buffer) => {
        if (this.#isTooLong) return
        this.#bodyBytes += chunk.length
        this.#chunks.push(chunk)
        if (this.#isTooLong) this.#answer({ isReusable: false })
      })
      .on('error', (error) => this.#options.failed(error))
  }

  get #isTooLong(): boolean {
    return this.#chunks.length > MAX_BODY_CHUNKS || this.#bodyBytes > this.#options.maxBodyBytes
  }

  /** The response has ended, or nothing more of it will come. */
  #close(): void {
    if (this.#response?.complete) this.#answer({ isReusable: this.#replay.writable })
    else this.#options.failed(new Error('The connection was closed before the response was complete.'))
  }

  #fail(detail: string): void {
    this.#options.failed(new AttemptFailure('badAnswer', detail))
  }

  #answer({ isReusable }: { isReusable: boolean }): void {
    const response = this.#response!
    const status = response.statusCode ?? 0
    const [retryAfter, keepAlive] = [headerOf(response, 'retry-after'), headerOf(response, 'keep-alive')]
    this.#options.answered({ status, retryAfter, keepAlive }, { isReusable })
  }
}

/** A connection that has only received: what is written to it is dropped, and it closes with either side. */
class Replay extends Duplex {
  constructor() {
    super({ allowHalfOpen: false })
    // The request reports errors; one that comes after it would end the process.
    this.on('error', () => {})
  }

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done()
  }

  /** `node:http` ends a connection that is not to be kept. */
  override _final(done: () => void): void {
    done()
    this.destroy()
  }
}

/** Without building the object of all `headers`, which costs more than the search. */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | null {
  const at = rawHeaders.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name)
  return at === -1 ? null : rawHeaders[at + 1]!
}
