import { existsSync } from 'node:fs'
import { EmbeddedRefusal, findRunning, startEmbedded } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import {
  diagnoseAudit,
  diagnoseChain,
  diagnoseClock,
  diagnoseDetails,
  diagnoseKeys,
  diagnoseMigrations,
  diagnoseRole,
  diagnoseSecrets,
  diagnoseServer,
  ok,
  problem,
  warning,
  type DatabaseFacts,
  type Finding,
} from '../../domain/diagnosis.ts'
import { MigrationRefusal, pendingMigrations } from '../../store/db/migrate.ts'
import type { Pool } from '../../store/db/pool.ts'
import { hasRole } from '../../store/db/runtime-role.ts'
import { inspectDatabase, readClockSkew } from '../../store/db/inspection.ts'
import { verifyAudit } from '../../operations/audit/verify.ts'
import { createStore, type Store } from '../../store/store.ts'
import { ConfigRefusal, readConfig, type Config } from '../run/settings.ts'
import { connectAs, RUNTIME_ROLE } from '../run/database.ts'
import { publicTokens } from '../run/demo-catalog.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'

export function addDoctorCommand(ots: Command, print: (text: string) => void): void {
  ots
    .command('doctor')
    .description('Check settings, database, roles, keys and audit chain. Exit code 0: no problems, 1: problems.')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(process.env)
      const isWell = findings.every(({ level }) => level !== 'problem')
      print(json ? JSON.stringify({ ok: isWell, findings }, null, 2) : findings.map((each) => textOf(each)).join('\n'))
      if (!isWell) process.exitCode = 1
    })
}

const WIDTH = 'problem'.length + 2

const textOf = ({ level, detail, advice }: Finding) =>
  `${level.padEnd(WIDTH)}${detail}${advice === undefined ? '' : `\n${' '.repeat(WIDTH)}${advice}`}`

async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) throw error
    return error.message.split('\n').map((line) => problem('settings', line, 'See "Settings" in the README.'))
  }
  const findings = [
    config.mode === 'production'
      ? ok('settings', 'The settings can be used; the mode is production.')
      : warning('settings', 'The mode is sandbox.', 'Set OTS_MODE=production where real orders are placed.'),
    keyFinding(config),
  ]
  try {
    await onDatabase(config, async (pool) => void findings.push(...(await examineDatabase(pool, config))))
  } catch (error) {
    findings.push(problem('database', `The database cannot be used: ${(error as Error).message}`, adviceOn(error)))
  }
  return findings
}

function keyFinding(config: Config): Finding {
  const path = keyFileOf(config)
  if (path === null) return ok('keySettings', `OTS_KEYS has ${config.keys.length === 1 ? 'a key' : 'keys'}.`)
  return existsSync(path)
    ? warning(
        'keySettings',
        `OTS_KEYS is not set: the keys are in ${path}.`,
        'Back that file up apart from the database.',
      )
    : warning(
        'keySettings',
        'OTS_KEYS is not set.',
        `The first start makes a key in ${path}; set OTS_KEYS in production.`,
      )
}

/** Connects without changing anything, as the service would. */
async function onDatabase(config: Config, work: (pool: Pool) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== undefined) return withPool(connectAs(config, config.databaseUrl, 2), work)
  const running = await findRunning(config.dataDir)
  const embedded = running ? undefined : await startEmbedded({ dataDir: config.dataDir })
  try {
    const owner = (running ?? embedded?.target)!
    await withPool(connectAs(config, owner, 2), async (pool) => {
      // Before the first start there is only the owner.
      if (!(await hasRole(pool, RUNTIME_ROLE))) return work(pool)
      await withPool(connectAs(config, { ...owner, username: RUNTIME_ROLE }, 2), work)
    })
  } finally {
    await embedded?.stop()
  }
}

async function withPool(pool: Pool, work: (pool: Pool) => Promise<void>): Promise<void> {
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}

async function examineDatabase(pool: Pool, config: Config): Promise<Finding[]> {
  const facts = await inspectDatabase(pool)
  const { skew, uncertainty } = await readClockSkew(pool, () => Date.now())
  const findings = [...diagnoseServer(facts), ...diagnoseRole(facts), diagnoseClock(skew, uncertainty)]
  const pending = await pendingMigrations(pool).catch((error: Error) => {
    findings.push(problem('migrations', error.message, adviceOn(error)))
    return undefined
  })
  if (pending === undefined) return findings
  findings.push(diagnoseMigrations(pending))
  // What follows reads tables, which may not be there yet, or look otherwise.
  return pending.length > 0 ? findings : [...findings, ...(await examineContent(pool, config, facts))]
}

async function examineContent(pool: Pool, config: Config, { isOwner }: DatabaseFacts): Promise<Finding[]> {
  const path = keyFileOf(config)
  if (path !== null && !existsSync(path)) return []
  const keys = await openKeyring(config)
  try {
    const store = createStore(pool, keys.keyring)
    return [
      diagnoseKeys(await store.keyChecks.wrong()),
      diagnoseSecrets(await publicTokens(store), config.mode === 'production'),
      diagnoseChain(await store.auditChain.linkingDelay()),
      diagnoseAudit(await checkAudit(store)),
      diagnoseDetails(await store.resealing.countPlainDetails(), isOwner),
    ]
  } finally {
    keys.close()
  }
}

/** Entries that are checked in a few seconds. */
const CHECKED_HERE = 100_000

async function checkAudit(store: Store) {
  if ((await store.auditCheck.count()) > CHECKED_HERE) return undefined
  const checked = []
  for (const tenantId of await store.auditCheck.tenants()) checked.push(await verifyAudit(tenantId, store))
  return checked
}

function adviceOn(error: unknown): string {
  if (error instanceof MigrationRefusal)
    return 'Use the release that the database was last migrated by, or a newer one.'
  if (error instanceof EmbeddedRefusal) return 'See the message; DATABASE_URL names another server.'
  const { code } = error as { code?: string }
  if (code === '42501') return 'Run "ots migrate --runtime-role NAME" as the owner of the schema.'
  return 'Check DATABASE_URL, and that the server is running and takes connections from here.'
}
