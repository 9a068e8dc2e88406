import { existsSync } from 'node:fs'
import { EmbeddedRefusal } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import {
  diagnoseAudit,
  diagnoseBackgroundTexts,
  diagnoseChain,
  diagnoseClock,
  diagnoseDetails,
  diagnoseKeys,
  diagnoseMigrations,
  diagnoseReplica,
  diagnoseRole,
  diagnoseSecrets,
  diagnoseServer,
  ok,
  problem,
  warning,
  type DatabaseFacts,
  type Finding,
} from '../../domain/diagnosis.ts'
import { diagnoseCounts, diagnoseEvents, diagnoseHistories, diagnoseSearchKeys } from '../../domain/deep-diagnosis.ts'
import { verifyAudit } from '../../operations/audit/verify.ts'
import {
  compareCounts,
  findLoneEvents,
  findOrdersWithoutHistory,
  findOrdersWithoutKeys,
} from '../../operations/orders/invariants.ts'
import type { OnProgress } from '../../operations/progress.ts'
import { inspectDatabase, inspectReplica, readClockSkew } from '../../store/db/inspection.ts'
import { pendingMigrations } from '../../store/db/migrate.ts'
import { MigrationRefusal } from '../../store/db/migration-files.ts'
import type { Pool } from '../../store/db/pool.ts'
import { hasRole } from '../../store/db/runtime-role.ts'
import { createStore, type Store } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { paintState } from '../output/colors.ts'
import { show } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { sheet } from '../output/table.ts'
import { describeDatabase, NoDatabase } from '../run/database-place.ts'
import { connectAs, connectToReplica, reachEmbedded, RUNTIME_ROLE, withPool } from '../run/database.ts'
import { publicTokens } from '../run/demo-catalog.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'
import { examineOutside } from '../run/outside-checks.ts'
import { ConfigRefusal, readConfig, type Config } from '../run/settings.ts'
import { noteDatabase } from '../target.ts'
import { addWebhookDiagnosis } from './webhook-diagnosis.ts'

export function define(command: Command): void {
  addWebhookDiagnosis(command)
  withExamples(
    command,
    'ots doctor',
    'ots doctor --deep',
    'ots doctor --json | jq \'.findings[] | select(.level != "ok")\'',
  )
    .description(
      'Check settings, database, roles, keys, mail server, disk, public address and audit chain, and say what to do. Exit code 1: problems.',
    )
    .option(
      '--deep',
      'also read everything, gently: counts, events, histories and search keys of orders, and the whole audit chain',
    )
    .action(async ({ deep = false }: { deep?: boolean }) => {
      const findings = await withProgress('Checking', ({ wait, update }) => {
        wait('Checking settings, database, keys and audit chain …')
        return examine(process.env, { deep, onProgress: update })
      })
      const isOk = findings.every(({ level }) => level !== 'problem')
      show({ ok: isOk, findings }, () => sheet(findings.flatMap((each) => toRows(each))))
      if (!isOk) process.exitCode = 1
    })
}

const toRows = ({ level, detail, advice }: Finding) => [
  [paintState(level.padEnd('problem'.length), level), detail],
  ...(advice === undefined ? [] : [['', advice]]),
]

interface Depth {
  deep: boolean
  onProgress: OnProgress
}

async function examine(environment: NodeJS.ProcessEnv, depth: Depth): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) throw error
    return error.message.split('\n').map((line) => problem('settings', line, 'See "Settings" in the README.'))
  }
  const findings = [
    config.mode === 'production'
      ? ok('settings', 'The settings are valid; the mode is production.')
      : warning('settings', 'The mode is sandbox.', 'Set OTS_MODE=production for real orders.'),
    examineKeySettings(config),
  ]
  // Runs while the database is examined.
  const outside = Promise.all([examineOutside(config), examineReplica(config)])
  try {
    await onDatabase(config, async (pool) => void findings.push(...(await examineDatabase(pool, config, depth))))
  } catch (error) {
    const { message } = error as Error
    const detail = error instanceof NoDatabase ? message : `The database cannot be used: ${message}`
    findings.push(problem('database', detail, toAdvice(error)))
  }
  return [...findings, ...(await outside).flat()]
}

function examineKeySettings(config: Config): Finding {
  const path = keyFileOf(config)
  if (path === null) return ok('keySettings', `OTS_KEYS has ${config.keys.length === 1 ? 'a key' : 'keys'}.`)
  const [detail, advice] = existsSync(path)
    ? [`OTS_KEYS is not set: the keys are in ${path}.`, 'Back up that file, but not next to the database.']
    : ['OTS_KEYS is not set.', `The first start creates a key in ${path}; set OTS_KEYS in production.`]
  return warning('keySettings', detail, advice)
}

/** Connects as the service would, without changing anything. */
async function onDatabase(config: Config, work: (pool: Pool) => Promise<void>): Promise<void> {
  if (config.databaseUrl !== undefined) {
    noteDatabase(await describeDatabase(config))
    return withPool(connectAs(config, config.databaseUrl, 2), work)
  }
  const { owner, embedded } = await reachEmbedded(config)
  try {
    await withPool(connectAs(config, owner, 2), async (pool) => {
      // Before the first migration there is only the owner.
      if (!(await hasRole(pool, RUNTIME_ROLE))) return work(pool)
      await withPool(connectAs(config, { ...owner, username: RUNTIME_ROLE }, 2), work)
    })
  } finally {
    await embedded?.stop()
  }
}

/** Asks both servers, because only together they tell whether the one follows the other. */
async function examineReplica(config: Config): Promise<Finding[]> {
  const { databaseUrl, databaseReadUrl, databaseReadLag } = config
  if (databaseUrl === undefined || databaseReadUrl === undefined) return []
  try {
    const facts = await withPool(connectAs(config, databaseUrl, 1), (primary) =>
      withPool(connectToReplica(config, databaseReadUrl, 1), (standby) => inspectReplica(primary, standby)),
    )
    return [diagnoseReplica(facts, databaseReadLag)]
  } catch (error) {
    return [diagnoseReplica({ failure: (error as Error).message }, databaseReadLag)]
  }
}

async function examineDatabase(pool: Pool, config: Config, depth: Depth): Promise<Finding[]> {
  const facts = await inspectDatabase(pool)
  const { skew, uncertainty } = await readClockSkew(pool, () => Date.now())
  const findings = [...diagnoseServer(facts), ...diagnoseRole(facts), diagnoseClock(skew, uncertainty)]
  const pending = await pendingMigrations(pool).catch((error: Error) => {
    findings.push(problem('migrations', error.message, toAdvice(error)))
    return undefined
  })
  if (pending === undefined) return findings
  findings.push(diagnoseMigrations(pending))
  // The remaining checks need the tables of the current schema.
  return pending.length > 0 ? findings : [...findings, ...(await examineContent(pool, config, facts, depth))]
}

async function examineContent(
  pool: Pool,
  config: Config,
  { isOwner }: DatabaseFacts,
  depth: Depth,
): Promise<Finding[]> {
  const path = keyFileOf(config)
  if (path !== null && !existsSync(path)) return []
  const keys = await openKeyring(config)
  try {
    const store = createStore(pool, keys.keyring)
    return [
      diagnoseKeys(await store.keyChecks.wrong()),
      diagnoseSecrets(await publicTokens(store), config.mode === 'production'),
      diagnoseBackgroundTexts(await store.agreements.tenantsWithoutTexts(), config.mode === 'production'),
      diagnoseChain(await store.auditChain.linkingDelay()),
      diagnoseAudit(await verifyAll(store, depth)),
      diagnoseDetails(await store.resealing.countPlainDetails(), isOwner),
      ...(depth.deep ? await examineInvariants(store, depth) : []),
    ]
  } finally {
    keys.close()
  }
}

const examineInvariants = async (store: Store, { onProgress }: Depth): Promise<Finding[]> => [
  diagnoseCounts(await compareCounts(store, onProgress)),
  diagnoseEvents(await findLoneEvents(store, onProgress)),
  diagnoseHistories(await findOrdersWithoutHistory(store, onProgress)),
  diagnoseSearchKeys(await findOrdersWithoutKeys(store, onProgress)),
]

/** As many entries as can be verified in a few seconds. */
const MAX_VERIFIED = 100_000

async function verifyAll(store: Store, { deep, onProgress }: Depth) {
  if (!deep && (await store.auditCheck.count()) > MAX_VERIFIED) return undefined
  const verified = []
  for (const tenantId of await store.auditCheck.tenants())
    verified.push(await verifyAudit(tenantId, store, { onProgress }))
  return verified
}

function toAdvice(error: unknown): string {
  if (error instanceof NoDatabase) return 'The first start creates the database; then run "ots doctor" again.'
  if (error instanceof MigrationRefusal) return 'Use the release that migrated the database last, or a newer one.'
  if (error instanceof EmbeddedRefusal) return 'Follow the message, or set DATABASE_URL to use another server.'
  const { code } = error as { code?: string }
  if (code === '42501') return 'Run "ots migrate --runtime-role NAME" as the owner of the schema.'
  return 'Check DATABASE_URL, and that the server runs and accepts connections from this machine.'
}
