import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { CONNECTIONS, SECONDS } from './settings.ts'
import type { Statement } from './statements.ts'

const hasPgbench = spawnSync('pgbench', ['--version']).status === 0

/** What runs statements directly. */
export const RUNNER = hasPgbench ? 'pgbench' : 'the driver'

/** The rate of a statement that is run directly, without a service: by pgbench if it is installed, else by the driver. */
export const directRate = (databaseUrl: string, statement: Statement): Promise<number> =>
  hasPgbench ? pgbenchRate(databaseUrl, statement) : driverRate(databaseUrl, statement)

async function driverRate(databaseUrl: string, { text, parameters }: Statement): Promise<number> {
  const started = performance.now()
  const until = started + SECONDS * 1000
  let count = 0
  const runUntil = async () => {
    const client = new Client(databaseUrl)
    await client.connect()
    for (; performance.now() < until; count++) await client.query({ name: 'direct', text, values: parameters() })
    await client.end()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, runUntil))
  return count / ((performance.now() - started) / 1000)
}

async function pgbenchRate(databaseUrl: string, { script }: Statement): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ots-pgbench-'))
  try {
    const file = join(folder, 'statement.sql')
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
