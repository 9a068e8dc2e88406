import { callbackify } from 'node:util'
import { Client, type Dispatcher } from 'undici'
import { Bites } from './bites.ts'
import { dial, type DialOptions, type Target } from './dial.ts'

const KEEP_IDLE_MS = 4_000
/** To all origins together, so that many of them cannot use up the files that the process may open. */
const MOST_IDLE = 512
const MOST_HEADER_BYTES = 16_384
/** One for all: nobody reads it, and to make one takes time. */
const DROPPED = new Error('The connection was dropped.')

/** Keeps each for the next request to the same origin. */
export class Connections {
  readonly #options: DialOptions
  /** The origin that was used last stands last. */
  readonly #idle = new Map<string, Connection[]>()
  #idleCount = 0
  #closed = false

  constructor(options: DialOptions) {
    this.#options = options
  }

  open(origin: string): Connection {
    return new Connection(origin, this.#options, (connection) => this.#forget(connection))
  }

  /** The one used last, so that those no longer needed run out of time. */
  takeIdle(origin: string): Connection | undefined {
    const connection = this.#idle.get(origin)?.at(-1)
    if (connection) this.#remove(connection)
    return connection
  }

  keep(connection: Connection): void {
    if (this.#closed) return connection.drop()
    const kept = this.#idle.get(connection.origin) ?? []
    this.#idle.delete(connection.origin)
    this.#idle.set(connection.origin, kept)
    kept.push(connection)
    this.#idleCount += 1
    if (this.#idleCount > MOST_IDLE) this.#forgetOldest()
  }

  close(): void {
    this.#closed = true
    while (this.#idleCount > 0) this.#forgetOldest()
  }

  #forgetOldest(): void {
    const [kept] = this.#idle.values()
    this.#forget(kept![0]!)
  }

  /** One in use is not touched: its request hears for itself that the connection ended. */
  #forget(connection: Connection): void {
    if (this.#remove(connection)) connection.drop()
  }

  #remove(connection: Connection): boolean {
    const kept = this.#idle.get(connection.origin) ?? []
    const at = kept.lastIndexOf(connection)
    if (at === -1) return false
    kept.splice(at, 1)
    if (kept.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount -= 1
    return true
  }
}

/** To one origin, for one request at a time; it is dialled when it is first used. */
export class Connection {
  readonly origin: string
  readonly #client: Client
  readonly #dialling = new AbortController()
  readonly #bites = new Bites()

  constructor(origin: string, options: DialOptions, onDisconnect: (connection: Connection) => void) {
    this.origin = origin
    const connect = callbackify(async (target: Target) =>
      this.#bites.of(await dial(target, options, this.#dialling.signal)),
    )
    this.#client = new Client(origin, {
      connect: (target, done) => {
        connect(target, (error, socket) => (error ? done(error, null) : done(null, socket)))
      },
      // The sender has one deadline for both.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_IDLE_MS,
      keepAliveMaxTimeout: KEEP_IDLE_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
    })
    this.#client.on('disconnect', () => onDisconnect(this))
  }

  post(request: { path: string; headers: Record<string, string>; body: Buffer }, handler: Dispatcher.DispatchHandler) {
    this.#bites.begin()
    this.#client.dispatch({ method: 'POST', ...request }, handler)
  }

  drop(): void {
    this.#dialling.abort(DROPPED)
    void this.#client.destroy(DROPPED)
  }

  /** Some of the answer's body has come. */
  progress(): void {
    this.#bites.progress()
  }
}
