import postgres from 'postgres'

/** A connection pool, or a transaction of it: what statements are run on. */
export type Db = postgres.ISql
export type Pool = postgres.Sql

/** A piece of a statement: the driver's tagged templates nest. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Where the database is: an address, or what the driver needs to reach a socket. */
export type Target = string | { host: string; port: number; database: string; username: string }

/** Longer than any statement of a request should ever take; commands that load catalogs or migrate set it off. */
const STATEMENT_TIMEOUT_MS = 10_000

export function connect(target: Target, { max = 10, application = 'order-testing-service' } = {}): Pool {
  const options = {
    max,
    connect_timeout: 10,
    // The driver would wait longer after each failure, and make requests wait with it even when the database is back.
    backoff: () => 0.2,
    idle_timeout: 0,
    connection: {
      application_name: application,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      TimeZone: 'UTC',
      // Whoever waits for a lock sees what was committed meanwhile, whatever the server has been told.
      default_transaction_isolation: 'read committed' as const,
      // Our statements are short: compiling one takes longer than running it.
      jit: 'off',
    },
    transform: { column: { from: postgres.toCamel } },
    onnotice: () => {},
  }
  if (typeof target !== 'string') return learningOnce(postgres({ ...options, ...target }))
  const { url, socket } = splitSocket(target)
  return learningOnce(postgres(url, socket === null ? options : { ...options, host: socket }))
}

const TEXT_ARRAY = 1009

/**
 * The driver asks each new connection for the types of arrays, and nobody hears when the connection is cut just then:
 * that would end the process. Once it knows them, it need not ask.
 */
function learningOnce(pool: Pool): Pool {
  const { options } = pool
  Object.defineProperty(options, 'fetch_types', { get: () => !(TEXT_ARRAY in options.serializers) })
  return pool
}

/** libpq names a socket's folder in the query, `postgres:///db?host=/run/postgresql`; the driver wants it apart. */
function splitSocket(address: string): { url: string; socket: string | null } {
  const url = new URL(address)
  const socket = url.searchParams.get('host')
  url.searchParams.delete('host')
  return { url: url.href, socket }
}
