import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import type { Address } from './address.ts'
import { asFailure, isForgottenStatement, isReadOnly, Unavailable } from './errors.ts'
import { readers, toObjects } from './rows.ts'
import type { Compiled } from './sql.ts'

/** How often connections are watched. */
export const TICK_MS = 500

/** A statement that runs for this many ticks holds up those behind it, so that new ones go elsewhere. */
const STALLED_TICKS = 2

/** Ticks without use after which a connection is asked whether it still answers, and how long it may take to. */
const PING_AFTER_TICKS = 3
const PING_WITHIN_MS = 1_500

export interface Outcome {
  rows: object[]
  /** Rows returned or written. */
  count: number
  /** What the server says it did: `COMMIT`, `ROLLBACK`, `SELECT`… */
  command: string
}

interface Callbacks {
  onIdle: () => void
  onClose: (connection: Connection) => void
  onReadOnly: () => void
}

export interface ConnectionOptions {
  application: string
  connectWithinMs: number
  /** A connection that answers nothing for this long, though asked, is given up. */
  silenceMs: number
  /** Whether the server keeps statements prepared; some poolers cannot. */
  prepare: boolean
  /** Hears every statement before it is sent. */
  onStatement?: ((statement: Compiled) => void) | undefined
}

interface Result {
  command: string
  rowCount: number | null
  fields: { name: string }[]
  rows: unknown[][]
}

/**
 * One connection in the driver's pipeline mode: statements are sent without waiting for those before, and answered in order.
 * Each has its own Sync message, so a failing one does not fail its neighbours.
 *
 *     open ── retire() ──▶ retired ── nothing pending ──▶ closed
 *       └──── socket fails, or silent for too long ─────▶ closed
 */
export class Connection {
  /** Statements sent and not yet answered. */
  pending = 0
  /** Taken by a transaction: others' statements must not run on it. */
  isTaken = false
  isClosed = false
  /** The server's process for it, where it has one of its own. */
  pid: number | undefined
  #isRetired = false
  #silenceMs: number
  /** Ticks since the last answer, and since then or the end of what we had to send. */
  #silentTicks = 0
  #quietTicks = 0
  #idleTicks = 0
  #isPinging = false
  readonly #client: Client
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #onClose: () => void
  readonly #onIdle: () => void
  readonly #onReadOnly: () => void

  private constructor(client: Client, socket: Socket, options: ConnectionOptions & Callbacks) {
    this.#client = client
    this.#socket = socket
    this.#options = options
    this.#silenceMs = options.silenceMs
    this.#onIdle = options.onIdle
    this.#onReadOnly = options.onReadOnly
    this.#onClose = () => {
      if (this.isClosed) return
      this.isClosed = true
      options.onClose(this)
    }
    client.on('end', this.#onClose)
  }

  /** Connects to one host; without encryption where that is allowed and the server has none. */
  static async open(
    address: Address,
    host: Address['hosts'][number],
    options: ConnectionOptions & Callbacks,
  ): Promise<Connection> {
    // Encryption is for networks: a socket of this machine has none.
    const ssl = host.host.startsWith('/') ? false : address.ssl
    try {
      return await Connection.#open({ ...address, ssl }, host, options)
    } catch (error) {
      const { message } = error as Error
      if (!ssl || !address.allowsPlain || !message.includes('does not support SSL')) throw error
      return Connection.#open({ ...address, ssl: false }, host, options)
    }
  }

  static async #open(
    { user, password, database, options: serverOptions, ssl, needsWrites }: Address,
    host: Address['hosts'][number],
    options: ConnectionOptions & Callbacks,
  ): Promise<Connection> {
    const socket = new Socket()
    const config: ClientConfig = {
      ...host,
      user,
      password,
      database,
      ...(serverOptions !== undefined && { options: serverOptions }),
      ssl,
      stream: () => socket,
      pipeline: true,
      types: readers,
      application_name: options.application,
      connectionTimeoutMillis: options.connectWithinMs,
      keepAlive: true,
    }
    const client = new Client(config)
    // Every statement on a broken connection fails by itself; an `error` event without a listener would end the process.
    client.on('error', () => {})
    // The driver's own limit ends with the login.
    const tooLate = new Unavailable(`The database did not answer within ${options.connectWithinMs} ms.`, {
      code: 'ETIMEDOUT',
    })
    const timer = setTimeout(() => socket.destroy(tooLate), options.connectWithinMs)
    try {
      await client.connect()
      const connection = new Connection(client, socket, options)
      await connection.#introduce(host, needsWrites)
      return connection
    } catch (error) {
      socket.destroy()
      const { code, message } = error as Error & { code?: string }
      // Whatever it was, such as a certificate that has expired, it says nothing about the statement that waits.
      throw error instanceof Unavailable ? error : new Unavailable(message, { code, cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  get isUsable(): boolean {
    return !this.isClosed && !this.#isRetired
  }

  /** Whether what is sent now would have to wait for a slow statement, or for a server that may never answer. */
  get isStalled(): boolean {
    return this.#quietTicks >= STALLED_TICKS
  }

  run(statement: Compiled | string): Promise<Outcome> {
    if (this.isClosed) return Promise.reject(new Unavailable('The connection is closed.', { code: 'ECONNRESET' }))
    if (typeof statement !== 'string') this.#options.onStatement?.(statement)
    this.pending++
    return new Promise((resolve, reject) => {
      const config = typeof statement === 'string' ? { text: statement } : this.#prepared(statement)
      this.#client.query({ ...config, rowMode: 'array' } as never, (error: unknown, result: Result | Result[]) => {
        this.pending--
        this.#silentTicks = 0
        this.#quietTicks = 0
        if (error) reject(this.#failure(error))
        else resolve(toOutcome(result))
        if (this.pending === 0 && !this.isTaken) this.#settle()
      })
    })
  }

  /** Called every tick: gives up on a connection that is silent for too long, and asks an idle one for a sign of life. */
  tick(): void {
    if (this.pending > 0) {
      this.#idleTicks = 0
      // A server that is still being sent a large statement cannot answer yet.
      this.#quietTicks = this.#socket.writableLength > 0 ? 0 : this.#quietTicks + 1
      const limit = this.#isPinging ? PING_WITHIN_MS : this.#silenceMs
      if (++this.#silentTicks * TICK_MS > limit) this.destroy(`The database did not answer within ${limit} ms.`)
    } else if (!this.isTaken && ++this.#idleTicks >= PING_AFTER_TICKS) {
      this.#idleTicks = 0
      this.#isPinging = true
      this.run('select 1')
        .catch(() => {})
        .finally(() => (this.#isPinging = false))
    }
  }

  /** Gives it to one transaction. One without a time limit may be silent for as long as it likes. */
  take({ isUnlimited }: { isUnlimited: boolean }): void {
    this.isTaken = true
    if (isUnlimited) this.#silenceMs = Number.POSITIVE_INFINITY
  }

  release(): void {
    this.isTaken = false
    this.#silenceMs = this.#options.silenceMs
    if (this.pending === 0) this.#settle()
  }

  /** Takes no more statements, and closes when those under way are answered. */
  retire(): void {
    this.#isRetired = true
    if (this.pending === 0 && !this.isTaken) this.#close()
  }

  /** Closes at once: what is pending fails. */
  destroy(reason: string): void {
    this.#socket.destroy(new Unavailable(reason, { code: 'ETIMEDOUT' }))
  }

  #prepared({ name, text, values }: Compiled) {
    return this.#options.prepare ? { name, text, values } : { text, values }
  }

  #settle(): void {
    if (this.#isRetired) this.#close()
    else this.#onIdle()
  }

  #close(): void {
    if (this.isClosed) return
    this.#onClose()
    // A server that does not even say goodbye is left behind.
    const timer = setTimeout(() => this.#socket.destroy(), 1_000).unref()
    void this.#client.end().finally(() => clearTimeout(timer))
  }

  #failure(error: unknown): Error {
    if (isReadOnly(error)) this.#onReadOnly()
    if (isForgottenStatement(error)) this.retire()
    return asFailure(error)
  }

  async #introduce({ host, port }: Address['hosts'][number], needsWrites: boolean): Promise<void> {
    const { rows } = await this.run(`
      select pg_backend_pid() as pid,
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`)
    const { pid, isReadOnly: refusesWrites } = rows[0] as { pid: number; isReadOnly: boolean }
    // Behind a pooler the process changes from statement to statement, and the one told at the start is nobody's.
    if (pid === (this.#client as Client & { processID: number }).processID) this.pid = pid
    if (needsWrites && refusesWrites)
      throw new Unavailable(`The database at ${host}:${port} is read-only.`, { code: '25006' })
  }
}

/** Of a script of several statements, the last one's. */
function toOutcome(result: Result | Result[]): Outcome {
  const last = Array.isArray(result) ? result.at(-1)! : result
  const { command, rowCount, fields, rows } = last
  return { command, count: rowCount ?? 0, rows: rows.length === 0 ? [] : toObjects(fields, rows) }
}
