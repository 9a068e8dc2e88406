import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import type { Address } from './address.ts'
import { dependsOnEncryption, explainEncryption } from './encryption.ts'
import { asFailure, isForgottenStatement, isLostConnection, isReadOnly, isRefusedWrite, Unavailable } from './errors.ts'
import { readers, toObjects } from './rows.ts'
import type { Compiled } from './sql.ts'

/** How often connections are checked. */
export const TICK_MS = 500

/** After this many ticks without an answer a connection counts as stalled, and gets no new statements. */
const STALLED_TICKS = 2

/** Idle ticks before a connection is pinged, and how long the answer may take. */
const PING_AFTER_TICKS = 3
const PING_WITHIN_MS = 1_500

export interface Outcome {
  rows: object[]
  /** Rows returned or written. */
  count: number
  /** The command tag: `COMMIT`, `ROLLBACK`, `SELECT`… */
  command: string
}

interface Callbacks {
  onIdle: () => void
  onClose: (connection: Connection) => void
  onReadOnly: () => void
  onRefusedWrite: () => void
}

/** Whether to use prepared statements; `auto`: only without a pooler, because some poolers do not support them. */
export type Prepare = 'auto' | 'on' | 'off'

export interface ConnectionOptions {
  application: string
  connectWithinMs: number
  /** A connection with pending statements that is silent for this long is closed. */
  silenceMs: number
  prepare: Prepare
  /** Called with every statement before it is sent. */
  onStatement?: ((statement: Compiled) => void) | undefined
}

interface Result {
  command: string
  rowCount: number | null
  fields: { name: string }[]
  rows: unknown[][]
}

/**
 * One connection in the driver's pipeline mode: statements are sent without waiting for earlier ones, and answered in order.
 * Each has its own Sync message, so that one that fails does not fail the others.
 *
 *     open ── retire() ──▶ retired ── nothing pending ──▶ closed
 *       └──── socket fails, or silent for too long ─────▶ closed
 */
export class Connection {
  /** Statements sent and not yet answered. */
  pending = 0
  /** Taken by a transaction: no other statements may run on it. */
  isTaken = false
  isClosed = false
  /** The backend's process id; undefined behind a pooler. */
  pid: number | undefined
  #isRetired = false
  #silenceMs: number
  /** Ticks since the last answer, and since the last answer or outgoing byte. */
  #silentTicks = 0
  #quietTicks = 0
  #idleTicks = 0
  #isPinging = false
  #isGathering = false
  readonly #client: Client
  readonly #socket: Socket
  readonly #options: ConnectionOptions & Callbacks

  private constructor(client: Client, socket: Socket, options: ConnectionOptions & Callbacks) {
    this.#client = client
    this.#socket = socket
    this.#options = options
    this.#silenceMs = options.silenceMs
    client.on('end', () => this.#onEnd())
  }

  /** Connects to one host, encrypted or not as the address allows. */
  static async open(
    address: Address,
    host: Address['hosts'][number],
    options: ConnectionOptions & Callbacks,
  ): Promise<Connection> {
    const { ssl, allowsPlain, prefersPlain } = address
    // Unix sockets are never encrypted.
    if (ssl === false || host.host.startsWith('/')) return Connection.#open({ ...address, ssl: false }, host, options)
    const [first, second] = prefersPlain ? [false as const, ssl] : [ssl, false as const]
    try {
      return await Connection.#open({ ...address, ssl: first }, host, options)
    } catch (error) {
      if (!allowsPlain || !dependsOnEncryption((error as Unavailable).cause as Error | undefined)) throw error
      return Connection.#open({ ...address, ssl: second }, host, options)
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
    // Statements on a broken connection fail by themselves; an `error` event without a listener would end the process.
    client.on('error', () => {})
    // The driver's own timeout does not cover #introduce.
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
      if (error instanceof Unavailable) throw error
      const failure = error as Error & { code?: string }
      const message = explainEncryption(failure, host.host) ?? failure.message
      // A failure to connect, such as an expired certificate, says nothing about the waiting statement.
      throw new Unavailable(message, { code: failure.code, cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  get isUsable(): boolean {
    return !this.isClosed && !this.#isRetired
  }

  /** Whether a new statement would wait behind a slow one, or for a server that may never answer. */
  get isStalled(): boolean {
    return this.#quietTicks >= STALLED_TICKS
  }

  run(statement: Compiled | string): Promise<Outcome> {
    if (this.isClosed) return Promise.reject(new Unavailable('The connection is closed.', { code: 'ECONNRESET' }))
    if (typeof statement !== 'string') this.#options.onStatement?.(statement)
    this.pending++
    this.#gather()
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

  /**
   * Sends the statements of one turn of the event loop in one write, because each write wakes the server: a result takes a tenth
   * less of both processes (`npm run bench -- results`, builds in turn). Remove it when the driver does the same.
   */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const stream = this.#stream
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** What the driver writes to: the socket, or the encryption around it. */
  get #stream(): Socket {
    return (this.#client as Client & { connection: { stream: Socket } }).connection.stream
  }

  /** Called every tick: closes a connection that is silent for too long, and pings an idle one. */
  tick(): void {
    if (this.pending > 0) {
      this.#idleTicks = 0
      // The server cannot answer while a large statement is still being sent.
      this.#quietTicks = this.#stream.writableLength > 0 ? 0 : this.#quietTicks + 1
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

  /** Reserves the connection for a transaction. Without a time limit it may be silent for any length of time. */
  take({ isUnlimited }: { isUnlimited: boolean }): void {
    this.isTaken = true
    if (isUnlimited) this.#silenceMs = Number.POSITIVE_INFINITY
  }

  release(): void {
    this.isTaken = false
    this.#silenceMs = this.#options.silenceMs
    if (this.pending === 0) this.#settle()
  }

  /** Accepts no more statements, and closes when the pending ones are answered. */
  retire(): void {
    this.#isRetired = true
    if (this.pending === 0 && !this.isTaken) this.#close()
  }

  /** Closes immediately: pending statements fail. */
  destroy(reason: string): void {
    this.#socket.destroy(new Unavailable(reason, { code: 'ETIMEDOUT' }))
  }

  #prepared({ name, text, values }: Compiled) {
    const { prepare } = this.#options
    const isKept = prepare === 'auto' ? this.pid !== undefined : prepare === 'on'
    return isKept ? { name, text, values } : { text, values }
  }

  #settle(): void {
    if (this.#isRetired) this.#close()
    else this.#options.onIdle()
  }

  #close(): void {
    if (this.isClosed) return
    this.#onEnd()
    // Does not wait for a server that no longer answers.
    const timer = setTimeout(() => this.#socket.destroy(), 1_000).unref()
    void this.#client.end().finally(() => clearTimeout(timer))
  }

  #onEnd(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#options.onClose(this)
  }

  #failure(error: unknown): Error {
    if (isReadOnly(error)) this.#options.onReadOnly()
    if (isRefusedWrite(error)) this.#options.onRefusedWrite()
    const failure = asFailure(error)
    // Lost before the driver says so: what is retried at once must not come here again.
    if (isForgottenStatement(error) || isLostConnection(failure)) this.retire()
    return failure
  }

  async #introduce({ host, port }: Address['hosts'][number], needsWrites: boolean): Promise<void> {
    const { rows } = await this.run(`
      select pg_backend_pid() as pid,
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`)
    const { pid, isReadOnly: refusesWrites } = rows[0] as { pid: number; isReadOnly: boolean }
    // Behind a pooler the backend changes between statements, and the process id sent at login is not real.
    if (pid === (this.#client as Client & { processID: number }).processID) this.pid = pid
    if (needsWrites && refusesWrites)
      throw new Unavailable(`The database at ${host}:${port} is read-only.`, { code: '25006' })
  }
}

/** For a script of several statements: the outcome of the last one. */
function toOutcome(result: Result | Result[]): Outcome {
  const last = Array.isArray(result) ? result.at(-1)! : result
  const { command, rowCount, fields, rows } = last
  return { command, count: rowCount ?? 0, rows: rows.length === 0 ? [] : toObjects(fields, rows) }
}
