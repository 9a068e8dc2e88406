import { parseTarget, type Address, type Target } from './address.ts'
import { Connection, TICK_MS, type ConnectionOptions, type Outcome } from './connection.ts'
import { dbOn, type Db, type Run } from './db.ts'
import { isForgottenStatement, Unavailable } from './errors.ts'
import { compile, sql, type Compiled } from './sql.ts'
import { transact, useSession, type CommitWith, type TransactionOptions } from './transaction.ts'

export interface Pool extends Db {
  /** Runs a statement that was composed for any server. */
  run: Run
  transaction<T>(work: (db: Db, commitWith: CommitWith) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** A session of its own for statements that cannot run in a transaction. */
  session<T>(work: (db: Db, isOwn: boolean) => Promise<T>): Promise<T>
  /** How the connections are used at the moment. */
  figures(): PoolFigures
  /** Whether the database refused to store something within the last milliseconds. */
  hasRefusedWrite(withinMs: number): boolean
  /** Waits for pending statements, up to this limit, and closes all connections. */
  end(withinMs?: number): Promise<void>
}

export interface PoolFigures {
  /** Connections with pending statements, or taken by a transaction. */
  busy: number
  idle: number
  /** Statements and transactions that wait for a connection. */
  waiting: number
}

export interface PoolOptions extends Partial<ConnectionOptions> {
  max?: number
  /** How long a statement or transaction waits for a connection. */
  waitMs?: number
}

/** Connections that transactions leave to single statements. */
const SHARED_AT_LEAST = 2

/** Pause after a failure to connect. */
const RETRY_MS = 200

/** Opens connections on demand. */
export function connect(target: Target, { max = 10, waitMs = 5_000, ...options }: PoolOptions = {}): Pool {
  const address = parseTarget(target)
  const connections = new Connections(
    address,
    { max, waitMs },
    {
      application: address.application ?? 'order-testing-service',
      connectWithinMs: address.connectWithinMs ?? 2_000,
      silenceMs: 9_000,
      prepare: 'auto',
      ...options,
    },
  )
  return Object.assign(
    dbOn((statement) => connections.run(statement)),
    {
      run: (statement: Compiled | string) => connections.run(statement),
      transaction: <T>(work: (db: Db, commitWith: CommitWith) => Promise<T>, transaction: TransactionOptions = {}) =>
        transact(connections, work, transaction),
      session: <T>(work: (db: Db, isOwn: boolean) => Promise<T>) => useSession(connections, work),
      figures: () => connections.figures(),
      hasRefusedWrite: (withinMs: number) => performance.now() - connections.refusedWriteAt < withinMs,
      end: (withinMs = 5_000) => connections.end(withinMs),
    },
  )
}

/** A statement or transaction that waits for a connection. */
interface Waiting {
  start: (connection: Connection) => void
  refuse: (error: Error) => void
}

/**
 * The open connections. A single statement goes to an idle connection. While all are busy, more are opened up to a limit;
 * beyond it, statements go to the connection with the fewest pending. A transaction reserves a connection, behind what is
 * pending on it.
 */
class Connections {
  readonly #address: Address
  readonly #max: number
  readonly #waitMs: number
  readonly #options: ConnectionOptions
  readonly #open = new Set<Connection>()
  #opening = 0
  #failures = 0
  /** After failures, no connection is opened before this time. */
  #failedUntil = 0
  #failure: Error | undefined
  /** Index of the host that answered last; it is tried first. */
  #host = 0
  readonly #waitingToShare: Waiting[] = []
  readonly #waitingToTake: Waiting[] = []
  #dropAgainAt = 0
  refusedWriteAt = Number.NEGATIVE_INFINITY
  #isEnding = false
  readonly #watch: NodeJS.Timeout

  constructor(
    address: Address,
    { max, waitMs }: Required<Pick<PoolOptions, 'max' | 'waitMs'>>,
    options: ConnectionOptions,
  ) {
    this.#address = address
    this.#max = max
    this.#waitMs = waitMs
    this.#options = options
    this.#watch = setInterval(() => {
      // First reads answers that arrived while the event loop was busy.
      setImmediate(() => {
        for (const connection of this.#open) connection.tick()
        void this.#dropLost().catch(() => {})
        this.#serve()
      })
    }, TICK_MS).unref()
  }

  async run(statement: Compiled | string): Promise<Outcome> {
    try {
      return await this.#run(statement)
    } catch (error) {
      if (!isForgottenStatement(error)) throw error
      // The failed connection has been retired.
      return this.#run(statement)
    }
  }

  #run(statement: Compiled | string): Promise<Outcome> {
    const connection = this.#pick()
    return connection?.pending === 0
      ? connection.run(statement)
      : this.#wait(this.#waitingToShare, (given) => given.run(statement))
  }

  take(how: { isUnlimited: boolean }): Promise<Connection> {
    return this.#wait(this.#waitingToTake, (given) => {
      given.take(how)
      return given
    })
  }

  figures(): PoolFigures {
    const busy = [...this.#open].filter(({ pending, isTaken }) => pending > 0 || isTaken).length
    return {
      busy,
      idle: this.#open.size - busy,
      waiting: this.#waitingToShare.length + this.#waitingToTake.length,
    }
  }

  async end(withinMs: number): Promise<void> {
    this.#isEnding = true
    clearInterval(this.#watch)
    this.#retireAll()
    const deadline = Date.now() + withinMs
    while (this.#open.size + this.#opening > 0 && Date.now() < deadline)
      await new Promise((done) => setTimeout(done, 5))
    for (const connection of this.#open) connection.destroy('The pool was closed.')
    this.#refuse(new Unavailable('The pool is closed.', { code: 'ECONNRESET' }))
  }

  /** The connection with the fewest pending statements. Skips stalled ones, which may be lost. */
  #pick(): Connection | undefined {
    let best: Connection | undefined
    for (const each of this.#open) {
      if (!each.isUsable || each.isTaken || each.isStalled) continue
      if (each.pending === 0) return each
      if (!best || each.pending < best.pending) best = each
    }
    return best
  }

  #mayTake(): boolean {
    const taken = [...this.#open].filter(({ isTaken, isStalled }) => isTaken && !isStalled).length
    return taken < Math.max(1, this.#max - SHARED_AT_LEAST)
  }

  /** Stalled connections may be lost and do not count, up to twice the limit in total. */
  #mayGrow(): boolean {
    if (performance.now() < this.#failedUntil) return false
    const working = [...this.#open].filter(({ isUsable, isStalled }) => isUsable && !isStalled).length
    return working + this.#opening < this.#max && this.#open.size + this.#opening < 2 * this.#max
  }

  #grow(): void {
    if (this.#isEnding || !this.#mayGrow()) return
    if (this.#opening >= this.#waitingToShare.length + this.#waitingToTake.length) return
    this.#opening++
    this.#connect().then(
      (connection) => {
        this.#opening--
        this.#failures = 0
        this.#open.add(connection)
        if (this.#isEnding) connection.retire()
        this.#serve()
      },
      (error: Error) => {
        this.#opening--
        this.#failures++
        // One failure may be a coincidence; after the second, waiting statements fail.
        if (this.#failures > 1) {
          this.#failedUntil = performance.now() + RETRY_MS
          this.#failure = error
          if (!this.#pick()) this.#refuse(error)
        }
        this.#serve()
      },
    )
  }

  async #connect(): Promise<Connection> {
    const { hosts } = this.#address
    let failure: unknown
    for (let i = 0; i < hosts.length; i++) {
      const place = (this.#host + i) % hosts.length
      try {
        const connection = await Connection.open(this.#address, hosts[place]!, {
          ...this.#options,
          onIdle: () => this.#serve(),
          onClose: (closed) => {
            this.#open.delete(closed)
            this.#serve()
          },
          // After the server was demoted, new connections find the one that accepts writes now.
          onReadOnly: () => this.#retireAll(),
          onRefusedWrite: () => (this.refusedWriteAt = performance.now()),
        })
        this.#host = place
        return connection
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Asks the server about stalled connections: one that is idle there has lost its network path. */
  async #dropLost(): Promise<void> {
    const quiet = [...this.#open].filter(({ isStalled, pid }) => isStalled && pid !== undefined)
    if (quiet.length === 0 || performance.now() < this.#dropAgainAt) return
    this.#dropAgainAt = performance.now() + 2 * TICK_MS
    const { rows } = await this.run(
      compile(sql`
        select pid from pg_stat_activity where pid = any(${quiet.map(({ pid }) => pid!)}::int[])
          and not (state like 'idle%' and state_change < now() - interval '1 second')`),
    )
    const busy = new Set(rows.map((row) => (row as { pid: number }).pid))
    for (const connection of quiet)
      if (connection.isStalled && !busy.has(connection.pid!)) connection.destroy('The connection was lost.')
  }

  #retireAll(): void {
    for (const connection of this.#open) connection.retire()
  }

  #wait<T>(queue: Waiting[], use: (connection: Connection) => T | Promise<T>): Promise<T> {
    if (this.#isEnding) return Promise.reject(new Unavailable('The pool is closed.', { code: 'ECONNRESET' }))
    if (this.#open.size === 0 && performance.now() < this.#failedUntil) return Promise.reject(this.#failure!)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new Unavailable('No database connection was free in time.', { code: 'ETIMEDOUT' }))
      }, this.#waitMs)
      const waiting: Waiting = {
        start: (connection) => {
          clearTimeout(timer)
          resolve(use(connection))
        },
        refuse: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      queue.push(waiting)
      this.#serve()
    })
  }

  /** Assigns free connections to the waiting, and opens more for the rest. */
  #serve(): void {
    while (this.#waitingToTake.length > 0 && this.#mayTake()) {
      const connection = this.#pick()
      if (!connection || (connection.pending > 0 && this.#mayGrow())) break
      this.#waitingToTake.shift()!.start(connection)
    }
    while (this.#waitingToShare.length > 0) {
      const connection = this.#pick()
      if (!connection || (connection.pending > 0 && (this.#mayGrow() || this.#opening > 0))) break
      this.#waitingToShare.shift()!.start(connection)
    }
    if (this.#waitingToTake.length > 0 || this.#waitingToShare.length > 0) this.#grow()
  }

  #refuse(error: Error): void {
    for (const queue of [this.#waitingToShare, this.#waitingToTake])
      for (const { refuse } of queue.splice(0)) refuse(error)
  }
}
