import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '@order-testing/embedded-postgres'
import type { Target } from '../../src/store/db/address.ts'
import { connect } from '../../src/store/db/pool.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { makeScratch } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: Target
    template: string
    /** The role that tests connect as. */
    role: string
  }
}

/** One PostgreSQL server for all tests: the one of DATABASE_URL, or an embedded one in a temporary folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  const removeScratch = await makeScratch()
  const folder = await mkdtemp(join(tmpdir(), 'ots-test-'))
  // Root starts the server as another user, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const embedded = url ? undefined : await startEmbedded({ dataDir: folder })
  const server = url ?? embedded!.target
  const template = `ots_template_${process.pid}`
  const admin = connect(server, { max: 1 })
  if (embedded) {
    // Its data is removed after the tests: nothing has to survive a power failure.
    await admin.script('alter system set fsync = off')
    await admin.script('select pg_reload_conf()')
  }
  await admin.script(`create database ${template}`)
  const pool = connect(onDatabase(server, template), { max: 1 })
  await migrate(pool)
  await pool.end()
  project.provide('server', server)
  project.provide('template', template)
  const [row] = await admin<{ role: string }[]>`select current_user as role`
  project.provide('role', row!.role)
  return async () => {
    await admin.script(`drop database if exists ${template} with (force)`)
    await admin.end()
    await embedded?.stop()
    await removeScratch()
  }
}

/** Replaces the database of a target. */
export function onDatabase(server: Target, database: string): Target {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
