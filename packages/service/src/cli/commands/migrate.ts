import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { sealAuditDetails } from '../../operations/sealing/seal-plain-text.ts'
import { countPlainDetails } from '../../store/audit/resealing.ts'
import { ownsSchema } from '../../store/db/migrate.ts'
import type { Pool } from '../../store/db/pool.ts'
import { RoleRefusal } from '../../store/db/runtime-role.ts'
import { createStore } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { showDone } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { formatCount } from '../output/table.ts'
import { describeDatabase } from '../run/database-place.ts'
import { connectAs, migrateWithNotes, openDatabase, withPool } from '../run/database.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'
import { readConfig, type Config } from '../run/settings.ts'
import { noteDatabase } from '../target.ts'

export function define(command: Command): void {
  command
    .description('Bring the database schema up to date. Creates the embedded database if there is none.')
    .option('--runtime-role <name>', 'role that the service runs as without owning the schema')
    .addHelpText('after', ROLES)
    .action(async ({ runtimeRole = null }: { runtimeRole?: string | null }) => {
      const done = await withProgress('Migrating', ({ wait }) => {
        wait('Migrating the schema …')
        return runMigrations(runtimeRole)
      })
      showDone({ ...done, runtimeRole }, migratedText)
    })
  withExamples(command, 'ots migrate', 'ots migrate --runtime-role ots_service')
}

interface Migrated {
  /** The names of the migrations that were applied. */
  applied: string[]
  /** Audit entries whose details were sealed; null if they are in plain text and the keys are missing. */
  sealedAuditDetails: number | null
}

const migratedText = ({ applied, sealedAuditDetails, runtimeRole }: Migrated & { runtimeRole: string | null }) =>
  [
    ...sealedText(sealedAuditDetails),
    ...applied.map((name) => `applied ${name}`),
    ...(applied.length === 0 ? ['The schema is up to date.'] : []),
    ...(runtimeRole === null ? [] : [`The role "${runtimeRole}" can run the service.`]),
  ].join('\n')

function sealedText(sealed: number | null): string[] {
  if (sealed === 0) return []
  return [
    sealed === null
      ? 'Details of audit entries are not sealed: run this again, or "ots keys rotate", with the keys of the service.'
      : `Sealed the details of ${formatCount(sealed, 'audit entry', 'audit entries')}.`,
  ]
}

const ROLES = `
With one role, the service owns its tables, and an attacker who controls it can
rewrite the audit log. With two roles, it cannot:
  psql -c "create role ots_service login password '…'"
  DATABASE_URL=postgres://owner@… ots migrate --runtime-role ots_service
  DATABASE_URL=postgres://ots_service@… ots serve
For each new release, run "ots migrate" as the owner: it also grants the role
new privileges. The embedded server does all of this itself.`

async function runMigrations(runtimeRole: string | null): Promise<Migrated> {
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) {
    if (runtimeRole !== null)
      throw new RoleRefusal('--runtime-role requires DATABASE_URL: the embedded server creates its own role.')
    const database = await openDatabase({ ...config, migrate: 'auto' }, { mayCreate: true, share: true })
    await database.close()
    return { applied: database.migrated, sealedAuditDetails: 0 }
  }
  noteDatabase(await describeDatabase(config))
  return withPool(connectAs(config, config.databaseUrl, 1), async (pool) => {
    const { role, isOwner } = await ownsSchema(pool)
    if (!isOwner)
      throw new RoleRefusal(
        `The role "${role}" does not own the schema. Run this with the DATABASE_URL of the role that does.`,
      )
    const applied = await migrateWithNotes(pool, runtimeRole ?? undefined)
    return { applied, sealedAuditDetails: await sealDetails(pool, config) }
  })
}

/** Seals what an earlier release left in plain text in the audit log; null if the keys are not available. */
async function sealDetails(pool: Pool, config: Config): Promise<number | null> {
  if ((await countPlainDetails(pool)) === 0) return 0
  const path = keyFileOf(config)
  // The service would not know a key created here.
  const keys = path === null || existsSync(path) ? await openKeyring(config) : undefined
  if (!keys) return null
  try {
    return (await sealAuditDetails(createStore(pool, keys.keyring))) || null
  } finally {
    keys.close()
  }
}
