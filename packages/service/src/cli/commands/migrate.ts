import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { sealAuditDetails } from '../../operations/sealing/seal-plain-text.ts'
import { countPlainDetails } from '../../store/audit/resealing.ts'
import { migrate, ownsSchema } from '../../store/db/migrate.ts'
import type { Pool } from '../../store/db/pool.ts'
import { RoleRefusal } from '../../store/db/runtime-role.ts'
import { createStore } from '../../store/store.ts'
import { formatCount, print } from '../output/table.ts'
import { describeDatabase } from '../run/database-place.ts'
import { connectAs, openDatabase, withPool } from '../run/database.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'
import { recordApplied } from '../run/local-actor.ts'
import { readConfig, type Config } from '../run/settings.ts'
import { noteDatabase } from '../target.ts'

export function define(command: Command): void {
  command
    .option('--runtime-role <name>', 'role that the service runs as without owning the schema')
    .addHelpText('after', ROLES)
    .action(async ({ runtimeRole }: { runtimeRole?: string }) => {
      const applied = await runMigrations(runtimeRole)
      for (const name of applied) print(`applied ${name}`)
      if (applied.length === 0) print('The schema is up to date.')
      if (runtimeRole !== undefined) print(`The role "${runtimeRole}" can run the service.`)
    })
}

const ROLES = `
With one role, the service owns its tables, and an attacker who controls it can
rewrite the audit log. With two roles, it cannot:
  psql -c "create role ots_service login password '…'"
  DATABASE_URL=postgres://owner@… ots migrate --runtime-role ots_service
  DATABASE_URL=postgres://ots_service@… ots serve
For each new release, run "ots migrate" as the owner: it also grants the role
new privileges. The embedded server does all of this itself.`

async function runMigrations(runtimeRole: string | undefined): Promise<string[]> {
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    if (runtimeRole !== undefined)
      throw new RoleRefusal('--runtime-role requires DATABASE_URL: the embedded server creates its own role.')
    const database = await openDatabase({ ...config, migrate: 'auto' }, { mayCreate: true, share: true })
    await database.close()
    return database.migrated
  }
  noteDatabase(await describeDatabase(config))
  return withPool(connectAs(config, config.databaseUrl, 1), async (pool) => {
    const { role, isOwner } = await ownsSchema(pool)
    if (!isOwner)
      throw new RoleRefusal(
        `The role "${role}" does not own the schema. Run this with the DATABASE_URL of the role that does.`,
      )
    const applied = await migrate(pool, { runtimeRole, onApplied: recordApplied })
    await sealDetails(pool, config)
    return applied
  })
}

/** Seals what an earlier release left in plain text in the audit log, if the keys are available. */
async function sealDetails(pool: Pool, config: Config): Promise<void> {
  if ((await countPlainDetails(pool)) === 0) return
  const path = keyFileOf(config)
  // The service would not know a key created here.
  const keys = path === null || existsSync(path) ? await openKeyring(config) : undefined
  let sealed = 0
  try {
    if (keys) sealed = await sealAuditDetails(createStore(pool, keys.keyring))
  } finally {
    keys?.close()
  }
  print(
    sealed > 0
      ? `Sealed the details of ${formatCount(sealed, 'audit entry', 'audit entries')}.`
      : 'Details of audit entries are not sealed: run this again, or "ots keys rotate", with the keys of the service.',
  )
}
