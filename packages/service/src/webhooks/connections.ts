import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dial, type DialOptions } from './dial.ts'

/** To all origins together. With fewer, a worker that delivers to 1,000 receivers in turn would open a connection for each delivery. */
const MAX_IDLE = 2_048
/** How often idle connections whose time is over are closed. One sweep costs less than a timer for each. */
const SWEEP_MS = 500

/**
 * A pool of connections, each of which carries one request at a time.
 *
 * | connection | event                                                      | next   |
 * |-|-|-|
 * | none       | `open`                                                     | in use |
 * | in use     | its response is read to the end (`keep`)                   | idle   |
 * | idle       | a request to the same origin (`takeIdle`)                  | in use |
 * | idle       | its time is over, data arrives, or too many are idle       | closed |
 * | any        | the receiver closes it, or `drop`                          | closed |
 */
export class Connections {
  readonly #options: DialOptions
  readonly #maxIdle: number
  /** By origin, least recently used first. */
  readonly #idle = new Map<string, Connection[]>()
  #idleCount = 0
  #sweep: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: DialOptions, maxOpenFiles = readMaxOpenFiles()) {
    this.#options = options
    // Most of the process's files are for clients and for connections in use.
    this.#maxIdle = Math.min(MAX_IDLE, Math.floor(maxOpenFiles / 4))
  }

  /** Opens a connection; `signal` aborts the dialling and rejects with its reason. */
  async open(url: URL, signal: AbortSignal): Promise<Connection> {
    const connection = new Connection(url.origin, await dial(url, this.#options, signal))
    connection.onClose = () => this.#evict(connection)
    return connection
  }

  /** The most recently used one, so that surplus connections time out. */
  takeIdle(origin: string): Connection | undefined {
    const connection = this.#idle.get(origin)?.at(-1)
    if (!connection || connection.idleUntil > performance.now()) return connection && this.#remove(connection)
    this.#evict(connection)
    return this.takeIdle(origin)
  }

  /** Keeps a connection for the next request to its origin. */
  keep(connection: Connection, ms: number): void {
    if (this.#isClosed) return connection.drop()
    const idle = this.#idle.get(connection.origin) ?? []
    this.#idle.delete(connection.origin)
    this.#idle.set(connection.origin, idle)
    idle.push(connection)
    connection.rest(performance.now() + ms)
    this.#sweep ??= setInterval(() => this.#evictExpired(), SWEEP_MS).unref()
    this.#idleCount += 1
    if (this.#idleCount > this.#maxIdle) this.#evictOldest()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#sweep)
    while (this.#idleCount > 0) this.#evictOldest()
  }

  #evictOldest(): void {
    const [idle] = this.#idle.values()
    this.#evict(idle![0]!)
  }

  #evictExpired(): void {
    const now = performance.now()
    const expired = [...this.#idle.values()].flat().filter(({ idleUntil }) => idleUntil <= now)
    for (const connection of expired) this.#evict(connection)
  }

  #evict(connection: Connection): void {
    this.#remove(connection)?.drop()
  }

  /** Undefined if it is not idle. */
  #remove(connection: Connection): Connection | undefined {
    const idle = this.#idle.get(connection.origin) ?? []
    const at = idle.lastIndexOf(connection)
    if (at === -1) return undefined
    idle.splice(at, 1)
    if (idle.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount -= 1
    return connection
  }
}

/** Who has sent a request on a connection and awaits the response. */
interface User {
  receive(chunk: Buffer): void
  /** The receiver has closed it, or it failed. */
  disconnect(error?: Error): void
}

/** A socket that has been dialled. Its listeners stay for its lifetime: adding some for each request costs more than reading it. */
export class Connection {
  readonly origin: string
  readonly socket: Socket
  /** By `performance.now()`. */
  idleUntil = 0
  onClose: () => void = () => {}
  #user: User | undefined

  constructor(origin: string, socket: Socket) {
    this.origin = origin
    this.socket = socket
    const end = (error?: Error) => {
      this.#user?.disconnect(error)
      this.onClose()
    }
    socket
      .on('data', (chunk: Buffer) => {
        // While the connection is idle no byte is expected.
        if (this.#user) this.#user.receive(chunk)
        else this.drop()
      })
      .on('end', () => end())
      .on('error', end)
      .on('close', () => end())
  }

  /** Gives every byte received from now on to this user. */
  begin(user: User): void {
    this.#user = user
  }

  rest(until: number): void {
    this.#user = undefined
    this.idleUntil = until
  }

  drop(): void {
    this.socket.destroy()
  }
}

/** Where it cannot be read, the usual limit of a shell. */
function readMaxOpenFiles(): number {
  try {
    const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft) || 1_024
  } catch {
    return 1_024
  }
}
