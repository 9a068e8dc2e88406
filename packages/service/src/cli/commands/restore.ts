import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readBackup, startEmbedded } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import { keyChecks, keyIdsIn } from '../../store/sealing/key-checks.ts'
import { withExamples } from '../help.ts'
import { showDone } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { formatCount } from '../output/table.ts'
import { connectAs, withPool } from '../run/database.ts'
import { keyFileOf, openKeyring } from '../run/keys.ts'
import { ConfigRefusal, readConfig, type Config } from '../run/settings.ts'
import type { Pool } from '../../store/db/pool.ts'
import { refuseNamed } from './backup.ts'

export function define(command: Command): void {
  withExamples(command, 'OTS_DATA_DIR=./restored ots restore /backups/2026-11-16')
    .description('Put a backup into an empty data folder, verify its files, and check that it opens.')
    .argument('<folder>', 'folder of a backup')
    .addHelpText('after', COPIES)
    .action(async (folder: string) => {
      showDone(await restore(resolve(folder)), doneText)
    })
}

const COPIES = `
A copy beside the original would send the same events and notifications again.
Start it with OTS_OUTBOUND=off.`

interface Restored {
  dataDir: string
  /** When the backup was made. */
  createdAt: string
  /** Whether it had checksums: backups of earlier releases have none. */
  isVerified: boolean
  orders: number
  /** Keys that are needed, but not at hand. */
  missingKeys: string[]
}

async function restore(folder: string): Promise<Restored> {
  const config = readConfig(process.env)
  refuseNamed(config)
  const { dataDir } = config
  const manifest = await readBackup(folder)
  const { createdAt, files } = manifest
  await refuseForeignFiles(dataDir)
  const server = await withProgress('Verifying and copying', ({ wait, update }) => {
    wait('Verifying, copying and opening the backup …')
    const total = files && Object.keys(files).length
    const onCopied = (done: number) => update({ kind: 'files', done, total })
    return startEmbedded({ dataDir, backup: { folder, manifest, onCopied } })
  })
  try {
    await restoreKeys(folder, config)
    return await withPool(connectAs(config, server.target, 1), async (pool) => {
      const { orders } = await pool.only<{ orders: number }>`select count(*)::int as orders from orders`
      return {
        dataDir,
        createdAt,
        isVerified: files !== undefined,
        orders,
        missingKeys: await findMissingKeys(pool, config),
      }
    })
  } finally {
    await server.stop()
  }
}

/** What may be in a data folder before a backup is restored into it: keys, and what an interrupted restore left. */
const EXPECTED = /^(keys|postgres(\.(at|owner|log|new-.*))?)$/

async function refuseForeignFiles(dataDir: string): Promise<void> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : []
  const foreign = names.find((name) => !EXPECTED.test(name))
  if (foreign !== undefined)
    throw new ConfigRefusal(
      `${dataDir} is not empty: it has "${foreign}". Choose a new folder with OTS_DATA_DIR; only the file "keys" may be there before.`,
    )
}

/** Never replaces keys: what they sealed would be lost. */
async function restoreKeys(folder: string, config: Config): Promise<void> {
  const path = keyFileOf(config)
  const copy = join(folder, 'keys')
  if (path === null || !existsSync(copy) || existsSync(path)) return
  await mkdir(config.dataDir, { recursive: true })
  await copyFile(copy, path, constants.COPYFILE_EXCL)
}

async function findMissingKeys(pool: Pool, config: Config): Promise<string[]> {
  const path = keyFileOf(config)
  if (path !== null && !existsSync(path)) return keyIdsIn(pool)
  const keys = await openKeyring(config)
  try {
    return await keyChecks(pool, keys.keyring).wrong()
  } finally {
    keys.close()
  }
}

const doneText = ({ dataDir, createdAt, isVerified, orders, missingKeys }: Restored) =>
  [
    `Restored the backup of ${createdAt} into ${dataDir}: ${formatCount(orders, 'order')}.`,
    ...(isVerified ? [] : ['It was made by an earlier release, without checksums: its files were not verified.']),
    ...(missingKeys.length > 0
      ? [`Before you start the service, put ${missingKeys.join(', ')} into OTS_KEYS or ${join(dataDir, 'keys')}.`]
      : []),
    'If the original still runs, start this copy with OTS_OUTBOUND=off, or both send the same events and notifications.',
  ].join('\n')
