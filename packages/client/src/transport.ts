import { isObject, NetworkError, OrderTestingError, problemsOf, refusal, TimeoutError } from './errors.ts'
import { retryAfterOf, retryDelay } from './retry.ts'
import { limited, pause } from './waiting.ts'

export interface ClientOptions {
  /** The API token. */
  token: string
  /** Where the service is, such as `https://orders.example.com`. */
  baseUrl: string
  /** A `fetch` to use instead of the global one. */
  fetch?: typeof fetch | undefined
  /** Limit of one attempt, response included. Default: 30 seconds. */
  timeoutMs?: number | undefined
  /** How often a call that is safe to repeat is retried. Default: 3. */
  maxRetries?: number | undefined
  /** Ends every call of the client when aborted. */
  signal?: AbortSignal | undefined
}

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
}

/** How the caller proves who it is: with a token, or with the cookie that a browser adds by itself. */
export type TransportOptions = Omit<ClientOptions, 'token'> & {
  token?: string | undefined
  /** Further headers of every request. */
  headers?: Record<string, string> | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: object | undefined
  body?: unknown
  /** The `Idempotency-Key`. */
  key?: string
  /** Repeating it might do it twice. */
  isOnce?: true
  /** What the response must be. Default: an object. */
  reply?: 'page' | 'nothing' | 'file'
}

interface Prepared {
  call: Call
  url: string
  init: RequestInit
}

const POSITION = 'x-write-position'

/** No response of the service is near this size. */
const MOST_BYTES = 16 * 1024 * 1024

/** Sends calls, with the token, time limits and retries. */
export class Transport {
  readonly #token: string | undefined
  readonly #base: string
  readonly #options: TransportOptions
  /** The last position of this client's writes. */
  #written: string | undefined

  constructor(options: TransportOptions) {
    this.#token = options.token
    this.#base = baseOf(options.baseUrl)
    this.#options = options
  }

  async send<T>(call: Call, options: CallOptions = {}): Promise<T> {
    const { maxRetries = this.#options.maxRetries ?? 3, timeoutMs = this.#options.timeoutMs ?? 30_000 } = options
    const signals = this.signals(options)
    const request = this.#request(call)
    for (let retries = 0; ; retries += 1) {
      for (const signal of signals) signal.throwIfAborted()
      try {
        return (await this.#attempt(request, signals, timeoutMs)) as T
      } catch (error) {
        if (call.isOnce || retries >= maxRetries || !(error instanceof OrderTestingError)) throw error
        const delay = retryDelay(error, retries)
        if (delay === undefined) throw error
        await pause(delay, signals)
      }
    }
  }

  /** The signals that end a call. */
  signals({ signal }: Pick<CallOptions, 'signal'>): AbortSignal[] {
    return [this.#options.signal, signal].filter((each) => each !== undefined)
  }

  /** What every attempt sends. A mistake in it is the caller's, not one of the network. */
  #request(call: Call): Prepared {
    const { method, body, key } = call
    if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
      throw new TypeError('The idempotency key must have 1 to 255 visible ASCII characters.')
    const headers = {
      accept: 'application/json',
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...this.#options.headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      // A list that a read replica answers then has what this client wrote.
      ...(method === 'GET' && this.#written !== undefined && { [POSITION]: this.#written }),
    }
    // A redirect could carry participants' data to another host.
    const init = { method, headers, redirect: 'manual' as const }
    return {
      call,
      url: this.#base + call.path + searchOf(call.query),
      init: body === undefined ? init : { ...init, body: JSON.stringify(body) },
    }
  }

  async #attempt({ call, url, init }: Prepared, signals: AbortSignal[], timeoutMs: number): Promise<unknown> {
    const { fetch: send = fetch } = this.#options
    const limit = limited(timeoutMs, signals)
    try {
      const response = await send(url, { ...init, signal: limit.signal })
      this.#note(response.headers.get(POSITION))
      if (call.reply === 'file' && response.ok) return await response.blob()
      return this.#read(call, response, await textOf(response))
    } catch (error) {
      if (error instanceof OrderTestingError) throw error
      for (const signal of signals) signal.throwIfAborted()
      throw this.#unanswered(call, limit.isOver() ? timeoutMs : undefined, error)
    } finally {
      limit.end()
    }
  }

  /** Positions compare as text. */
  #note(position: string | null): void {
    if (position !== null && /^[0-9a-f]{16}$/.test(position) && position > (this.#written ?? ''))
      this.#written = position
  }

  #read(call: Call, response: Response, text: string): unknown {
    const { status, headers } = response
    const failure = {
      status,
      requestId: this.#clean(headers.get('x-request-id') ?? undefined),
      retryAfter: retryAfterOf(headers.get('retry-after')),
      idempotencyKey: call.key,
    }
    const what = `${call.method} ${call.path}`
    if (!response.ok)
      throw refusal(`${what} answered ${status}`, { ...failure, problems: problemsOf(this.#clean(text)) })
    if (call.reply === 'nothing') return undefined
    const body = parsed(text)
    if (isObject(body) && (call.reply !== 'page' || isList(body['data']))) return body
    throw new OrderTestingError(`${what} answered ${status} with a body that is not the expected JSON`, failure)
  }

  /** Without the cause itself, which may hold the request and so the token. */
  #unanswered({ method, path, key }: Call, timeoutMs: number | undefined, cause: unknown): OrderTestingError {
    const what = `${method} ${path}`
    const failure = { idempotencyKey: key }
    if (timeoutMs !== undefined) return new TimeoutError(`${what} got no response within ${timeoutMs} ms`, failure)
    const { message = '', cause: deeper } = Object(cause) as Partial<Error>
    const detail = deeper instanceof Error ? `${message}: ${deeper.message}` : message
    return new NetworkError(`${what} failed: ${this.#clean(detail)}`, failure)
  }

  /** Servers may echo the token, and errors end up in logs. */
  #clean<T extends string | undefined>(text: T): T {
    return (this.#token === undefined ? text : text?.replaceAll(this.#token, '[removed]')) as T
  }
}

/** An identifier as a part of a path. URLs treat dots as steps, also when they are escaped. */
export function segment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError('An identifier is empty or consists of dots.')
  return encodeURIComponent(id)
}

/** An unset variable would be sent as the token `undefined`. */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('The token is missing, empty or has invalid characters.')
}

const isList = (data: unknown) =>
  Array.isArray(data) && data.every((item: unknown) => isObject(item) && typeof item['id'] === 'string')

function baseOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError('`baseUrl` must be an http or https URL without credentials, query and fragment.')
  return url.href.replace(/\/+$/, '')
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, Parameter][]) {
    if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  const text = String(search)
  return text && `?${text}`
}

type Parameter = string | number | boolean | Date | undefined

/** The body as text, up to a size that a response can have. */
async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader.cancel()
      throw new OrderTestingError('The response is too large', { status: response.status })
    }
    text += decoder.decode(value, { stream: true })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
