import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { freePort, PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { isMissing, startProgram, type RunningProgram } from '../support/programs.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'

const ORDERS = 150

describe.skipIf(isMissing('pgbouncer'))('behind PgBouncer in transaction mode', () => {
  let folder: string
  let database: TestDatabase
  let pooler: RunningProgram
  let api: Serving
  let worker: Serving

  beforeAll(async () => {
    folder = await newFolder()
    database = await freshDatabase()
    const port = await freePort()
    pooler = await startProgram('pgbouncer', await poolerSettings(port), port)
    const catalog = join(folder, 'catalog.json')
    await writeFile(catalog, JSON.stringify(world()))
    const env = {
      DATABASE_URL: `postgres://${usernameOf(database)}@127.0.0.1:${port}/ots`,
      OTS_CATALOG: catalog,
      OTS_DATA_DIR: join(folder, 'data'),
      // A busy machine may take longer than usual.
      OTS_REQUEST_TIMEOUT: '60s',
    }
    api = await serving({ ...env, OTS_ROLE: 'api' })
    worker = await serving({ ...env, OTS_ROLE: 'worker' })
  }, SLOW.timeout)
  afterAll(async () => {
    for (const each of [api, worker]) await each?.end('SIGTERM')
    await pooler?.end()
    await closeAll()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Fewer connections to the server than the service opens, so that statements of one connection meet many backends. */
  async function poolerSettings(port: number): Promise<string[]> {
    await chmod(folder, 0o755)
    const { host, port: behind, database: name } = partsOf(database)
    const file = join(folder, 'pgbouncer.ini')
    const settings = [
      '[databases]',
      `ots = host=${host} port=${behind} dbname=${name}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 4',
      'max_client_conn = 200',
    ]
    await writeFile(file, `${settings.map((line) => withUser(line)).join('\n')}\n`)
    return process.getuid!() === 0 ? ['-u', 'postgres', file] : [file]
  }

  /** Any user of the pooler is the one of the database. */
  const withUser = (line: string) => (line.startsWith('ots =') ? `${line} user=${usernameOf(database)}` : line)

  const request = async (method: string, path: string, content?: object) => {
    const response = await fetch(api.origin + path, {
      method,
      headers: { authorization: `Bearer ${SECRET}`, ...(content && { 'content-type': 'application/json' }) },
      ...(content && { body: JSON.stringify(content) }),
    })
    return { status: response.status, body: (await response.json()) as { id: string; code: string; total: number } }
  }

  test('orders placed at once are all answered, found again and delivered once', SLOW, async () => {
    const receiver = await httpReceiver()
    const placed = await Promise.all(
      Array.from({ length: ORDERS }, () =>
        request('POST', '/api/v2/orders', body({ callback: { url: receiver.url } })),
      ),
    )
    expect(new Set(placed.map(({ status }) => status))).toEqual(new Set([201]))
    const read = await Promise.all(placed.map(({ body: { id } }) => request('GET', `/api/v2/orders/${id}`)))
    expect(read.map(({ status, body: { code } }) => [status, code])).toEqual(
      placed.map(({ body: { code } }) => [200, code]),
    )
    expect((await request('GET', '/api/v2/orders')).body.total).toBe(ORDERS)
    const cancelled = await Promise.all(
      placed.map(({ body: { id } }) => request('PUT', `/api/v2/orders/${id}/cancellation`)),
    )
    expect(new Set(cancelled.map(({ status }) => status))).toEqual(new Set([200]))
    await expect.poll(() => receiver.requests.length, PATIENT).toBe(ORDERS)
    expect(api.stdout() + api.stderr() + worker.stdout() + worker.stderr()).not.toMatch(/prepared statement/)
  })
})

const partsOf = ({ target }: TestDatabase) => {
  if (typeof target !== 'string') return target
  const { hostname, port, pathname } = new URL(target)
  return { host: hostname, port: Number(port || 5432), database: pathname.slice(1) }
}

const usernameOf = ({ target }: TestDatabase) =>
  typeof target === 'string' ? new URL(target).username : target.username
