import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { inject } from 'vitest'
import { SCOPES, type CatalogFile, type Scope } from '@order-testing/contract'
import { createServer, type ServerOptions } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { roleSettings } from '../../src/store/db/role.ts'
import type { Target } from '../../src/store/db/address.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import type { Compiled } from '../../src/store/db/sql.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { onDatabase } from './global-setup.ts'

export const TEST_KEY = { id: 'test', secret: 'a key for tests alone' }
export const testKeyring = new Keyring([TEST_KEY])

export interface TestDatabase {
  target: Target
  pool: Pool
  store: Store
  /** Calls the listener with every statement from now on. */
  hear(listener: ((statement: Compiled) => void) | undefined): void
  drop(): Promise<void>
}

/** Limits that are not reached on a busy machine; tests of limits set their own. */
const UNHURRIED = { connectWithinMs: 30_000, waitMs: 30_000, silenceMs: 60_000 }

/** Creates a separate database with the schema; `drop` removes it. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = inject('server')
  const name = `ots_test_${randomBytes(6).toString('hex')}`
  const admin = connect(server, { max: 1 })
  await admin.script(`create database ${name} template ${inject('template')} strategy file_copy`)
  await admin.script(roleSettings({ role: inject('role'), database: name }))
  const target = onDatabase(server, name)
  let listener: ((statement: Compiled) => void) | undefined
  const pool = connect(target, { ...UNHURRIED, onStatement: (statement) => listener?.(statement) })
  return {
    target,
    hear: (next) => (listener = next),
    pool,
    store: createStore(pool, testKeyring),
    async drop() {
      await pool.end()
      await admin.script(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** The URL of a test database; the embedded server is reached by its socket. */
export function urlOf(target: Target): string {
  if (typeof target === 'string') return target
  const { host, port, database, username } = target
  return `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

type Input = string | { method: string; path: string; body?: unknown; headers?: Record<string, string> }

export interface TestService extends TestDatabase {
  app: FastifyInstance
  origin: string
  /** Applies catalog files; they take effect at once. */
  apply(...files: object[]): Promise<void>
  /** Sends a request over a real connection and reads the response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  call(secret: string | null, input: Input): Promise<{ status: number; headers: Headers; text: string; body: any }>
  stop(): Promise<void>
}

/** Starts the service on a free port with a separate database. */
export async function startService(options: Partial<ServerOptions> = {}): Promise<TestService> {
  const database = await freshDatabase()
  const app = await createServer({
    store: database.store,
    database: { target: database.target, keys: () => [TEST_KEY] },
    logger: pino({ level: 'silent' }),
    rateLimit: 0,
    requestTimeoutMs: 45_000,
    ...options,
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    ...database,
    app,
    origin,
    async apply(...files) {
      await applyCatalogs(
        files.map((content, i) => ({ name: `file ${i + 1}`, content })),
        database.store,
        { production: false },
      )
    },
    async call(secret, input) {
      const { method, path, body, headers } = typeof input === 'string' ? { method: 'GET', path: input } : { ...input }
      const response = await fetch(origin + path, {
        method,
        headers: {
          ...(secret !== null && { authorization: `Bearer ${secret}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parseJson(text) }
    },
    async stop() {
      await app.close()
      await database.drop()
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A small catalog of one tenant; a test states only what matters. */
export function catalogFile(tenant: string, members: Partial<Omit<CatalogFile, 'tenant'>> | object = {}): object {
  return {
    tenant: { id: tenant, name: `Tenant ${tenant}` },
    services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false }],
    packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
    companies: [{ id: 'acme', name: 'Acme', packages: ['basic'], locations: [{ id: 'acme-hq', name: 'Acme HQ' }] }],
    tokens: [token(`${tenant}-secret-full-scope`)],
    ...members,
  }
}

/** A token in a catalog file, by default with every scope and the company `acme`. */
export function token(
  secret: string,
  members: {
    scopes?: readonly Scope[]
    companies?: string[]
    id?: string
    expiresAt?: string
    rateLimit?: number
  } = {},
): object {
  return { id: secret, name: secret, scopes: SCOPES, companies: ['acme'], secret, ...members }
}
