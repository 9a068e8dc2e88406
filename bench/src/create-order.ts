import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inTurns, ratio, row } from './figures.ts'
import { measureRate } from './load.ts'
import { CONNECTIONS, ROUNDS, SECONDS } from './settings.ts'
import { captureInsert, type Statement } from './statements.ts'
import { orderBody, post, type World } from './world.ts'

/** Creating orders against the rate of the same insert run directly, by pgbench if it is installed. */
export async function benchCreate(world: World, print: (line: string) => void): Promise<void> {
  const { origin, fresh } = world
  const { id } = await post(`${origin}/api/v2/orders`, fresh, orderBody('fresh'))
  const statement = await captureInsert(world, id)
  const hasPgbench = spawnSync('pgbench', ['--version']).status === 0
  const limit = hasPgbench ? () => pgbenchRate(world, statement) : () => driverRate(world, statement)
  const { ours, theirs } = await inTurns(ROUNDS, {
    ours: () =>
      measureRate(`${origin}/api/v2/orders`, {
        headers: fresh,
        connections: CONNECTIONS,
        seconds: SECONDS,
        method: 'POST',
        body: () => orderBody('fresh'),
      }),
    theirs: limit,
  })
  print(row(`create (limit: ${hasPgbench ? 'pgbench' : 'driver'})`, ours, theirs, ratio(ours, theirs)))
}

async function driverRate({ databaseUrl }: World, { text, parameters }: Statement): Promise<number> {
  const started = performance.now()
  const until = started + SECONDS * 1000
  let count = 0
  const insertUntil = async () => {
    const client = new Client(databaseUrl)
    await client.connect()
    for (; performance.now() < until; count++) await client.query({ name: 'insert', text, values: parameters() })
    await client.end()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, insertUntil))
  return count / ((performance.now() - started) / 1000)
}

async function pgbenchRate({ databaseUrl }: World, { script }: Statement): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ots-pgbench-'))
  try {
    const file = join(folder, 'insert.sql')
    await writeFile(file, script)
    const url = new URL(databaseUrl)
    const child = spawn(
      'pgbench',
      ['-n', '-M', 'prepared', '-c', CONNECTIONS, '-j', 2, '-T', Math.ceil(SECONDS), '-f', file].map(String),
      {
        env: {
          ...process.env,
          PGHOST: url.searchParams.get('host')!,
          PGPORT: url.port,
          PGUSER: url.username,
          PGDATABASE: url.pathname.slice(1),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'exit')
    const rate = /tps = ([\d.]+)/.exec(output)?.[1]
    if (rate === undefined) throw new Error(`pgbench reported no rate:\n${output}`)
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
