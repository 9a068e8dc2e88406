import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/cli/embedded/server.ts'
import { connect, type Target } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: Target
    template: string
  }
}

/** One real PostgreSQL for all tests: that of DATABASE_URL, or our own in a temporary folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const folder = await mkdtemp(join(tmpdir(), 'ots-test-'))
  // Open to pass through, so that a server which root starts as another user keeps its data in there too.
  await chmod(folder, 0o755)
  const embedded = url ? undefined : await startEmbedded({ dataDir: folder })
  const server = url ?? embedded!.target
  const template = `ots_template_${process.pid}`
  const admin = connect(server, { max: 1 })
  await admin.unsafe(`create database ${template}`)
  const pool = connect(onDatabase(server, template), { max: 1 })
  await migrate(pool)
  await pool.end()
  project.provide('server', server)
  project.provide('template', template)
  return async () => {
    await admin.unsafe(`drop database if exists ${template} with (force)`)
    await admin.end()
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same server, another database of it. */
export function onDatabase(server: Target, database: string): Target {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
