import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { sealAuditDetails } from '../../operations/sealing/seal-plain-text.ts'
import { countPlainDetails } from '../../store/audit/resealing.ts'
import { migrate, ownsSchema } from '../../store/db/migrate.ts'
import type { Pool } from '../../store/db/pool.ts'
import { RoleRefusal } from '../../store/db/runtime-role.ts'
import { createStore } from '../../store/store.ts'
import { readConfig, type Config } from '../run/settings.ts'
import { connectAs, openDatabase } from '../run/database.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'
import { recordApplied } from '../run/local-actor.ts'
import { counted } from '../output/table.ts'

export function addMigrateCommand(ots: Command, print: (text: string) => void): void {
  ots
    .command('migrate')
    .description('Bring the database schema up to date.')
    .option('--runtime-role <name>', 'a role that the service runs as without owning the schema')
    .addHelpText('after', ROLES)
    .action(async ({ runtimeRole }: { runtimeRole?: string }) => {
      const applied = await runMigrations(runtimeRole, print)
      for (const name of applied) print(`applied ${name}`)
      if (applied.length === 0) print('The schema is up to date.')
      if (runtimeRole !== undefined) print(`The role "${runtimeRole}" can run the service.`)
    })
}

const ROLES = `
With one role the service owns its tables, and whoever takes it over can rewrite the audit log. With two it cannot:
  create role ots_service login password '…';                        in psql, as an administrator
  DATABASE_URL=postgres://owner@… ots migrate --runtime-role ots_service
  DATABASE_URL=postgres://ots_service@… ots serve
Every later "ots migrate" by the owner grants the role what a new release needs. The embedded server does all of this itself.`

async function runMigrations(runtimeRole: string | undefined, print: (text: string) => void): Promise<string[]> {
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    if (runtimeRole !== undefined)
      throw new RoleRefusal(
        'The embedded server has a role of its own for the service. --runtime-role needs DATABASE_URL.',
      )
    const database = await openDatabase({ ...config, migrate: 'auto' }, { share: true })
    await database.close()
    return database.migrated
  }
  const pool = connectAs(config, config.databaseUrl, 1)
  try {
    const { role, isOwner } = await ownsSchema(pool)
    if (!isOwner)
      throw new RoleRefusal(
        `The role "${role}" does not own the schema. Run this with the DATABASE_URL of the role that does.`,
      )
    const applied = await migrate(pool, { runtimeRole, onApplied: recordApplied })
    await sealDetails(pool, config, print)
    return applied
  } finally {
    await pool.end()
  }
}

/** Seals what an earlier release has left in plain text of the audit log, where the keys are at hand. */
async function sealDetails(pool: Pool, config: Config, print: (text: string) => void): Promise<void> {
  if ((await countPlainDetails(pool)) === 0) return
  const path = keyFileOf(config)
  // A key made here would be unknown to the service.
  const keys = path === null || existsSync(path) ? await openKeyring(config) : undefined
  const sealed = keys ? await sealAuditDetails(createStore(pool, keys.keyring)) : 0
  keys?.close()
  print(
    sealed > 0
      ? `Sealed the details of ${counted(sealed, 'audit entry', 'audit entries')}.`
      : 'Details of audit entries are not sealed: run this again, or "ots keys rotate", with the keys of the service.',
  )
}
