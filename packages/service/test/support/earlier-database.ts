import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import type { Target } from '../../src/store/db/address.ts'
import { BEFORE_BASELINE, MIGRATIONS, readMigrations } from '../../src/store/db/migration-files.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { onDatabase } from './global-setup.ts'

export interface EmptyDatabase {
  target: Target
  pool: Pool
  drop(): Promise<void>
}

/** A database without a schema. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const name = `ots_test_${randomBytes(6).toString('hex')}`
  const admin = connect(inject('server'), { max: 1 })
  await admin.script(`create database ${name}`)
  const target = onDatabase(inject('server'), name)
  const pool = connect(target, { max: 1 })
  return {
    target,
    pool,
    async drop() {
      await pool.end()
      await admin.script(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** A dump of a database that a build with migrations 0001 to 0013 has filled, sealed with the key of the tests. */
const DUMP = new URL('../store/before-baseline.sql', import.meta.url)

/** Loads the database of an earlier build, migrated up to a migration from 0013 to 0025. */
export async function loadEarlierDatabase(pool: Pool, last: string): Promise<void> {
  await pool.script(await readFile(DUMP, 'utf8'))
  const earlier = await readMigrations(new URL(BEFORE_BASELINE, MIGRATIONS))
  for (const { name, sql, checksum } of earlier.filter((migration) => migration.name.slice(0, 4) <= last)) {
    await pool.script(sql)
    await pool`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
  }
}
