import type { Socket } from 'node:net'
import { dial, type DialOptions } from './dial.ts'

/** To all origins together, so that many origins cannot exhaust the process's file descriptors. */
const MAX_IDLE = 512

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
  /** By origin, least recently used first. */
  readonly #idle = new Map<string, Connection[]>()
  #idleCount = 0
  #isClosed = false

  constructor(options: DialOptions) {
    this.#options = options
  }

  /** Opens a connection; `signal` aborts the dialling and rejects with its reason. */
  async open({ origin, hostname, protocol, port }: URL, signal: AbortSignal): Promise<Connection> {
    const target = { hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port }
    return new Connection(origin, await dial(target, this.#options, signal), (idle) => this.#evict(idle))
  }

  /** The most recently used one, so that surplus connections time out. */
  takeIdle(origin: string): Connection | undefined {
    const connection = this.#idle.get(origin)?.at(-1)
    if (connection) this.#remove(connection)
    return connection
  }

  /** Keeps a connection for the next request to its origin. */
  keep(connection: Connection, ms: number): void {
    if (this.#isClosed) return connection.drop()
    const idle = this.#idle.get(connection.origin) ?? []
    this.#idle.delete(connection.origin)
    this.#idle.set(connection.origin, idle)
    idle.push(connection)
    connection.rest(ms)
    this.#idleCount += 1
    if (this.#idleCount > MAX_IDLE) this.#evictOldest()
  }

  close(): void {
    this.#isClosed = true
    while (this.#idleCount > 0) this.#evictOldest()
  }

  #evictOldest(): void {
    const [idle] = this.#idle.values()
    this.#evict(idle![0]!)
  }

  #evict(connection: Connection): void {
    if (this.#remove(connection)) connection.drop()
  }

  #remove(connection: Connection): boolean {
    const idle = this.#idle.get(connection.origin) ?? []
    const at = idle.lastIndexOf(connection)
    if (at === -1) return false
    idle.splice(at, 1)
    if (idle.length === 0) this.#idle.delete(connection.origin)
    this.#idleCount -= 1
    return true
  }
}

/** A socket that has been dialled, and a byte counter on what it receives. */
export class Connection {
  readonly origin: string
  readonly socket: Socket
  /** Receives the size of each chunk. */
  #count: (bytes: number) => void = () => {}

  constructor(origin: string, socket: Socket, evict: (connection: Connection) => void) {
    this.origin = origin
    this.socket = socket
    const close = () => evict(this)
    socket.on('data', (chunk: Buffer) => this.#count(chunk.length))
    socket.on('timeout', close).on('end', close).on('close', close).on('error', close)
  }

  /** Has every byte of the response counted, including those that `node:http` skips without an event. */
  begin(count: (bytes: number) => void): void {
    this.#count = count
    this.socket.setTimeout(0)
  }

  /** While the connection is idle no byte is expected. */
  rest(ms: number): void {
    this.#count = () => this.drop()
    this.socket.setTimeout(ms)
  }

  drop(): void {
    this.socket.destroy()
  }
}
