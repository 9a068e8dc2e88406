import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backUp, locateCluster, openBackupFolder } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import { keyIdsIn } from '../../store/sealing/key-checks.ts'
import { withExamples } from '../help.ts'
import { showDone } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { checkDatabase, connectAs, reachEmbedded, withPool } from '../run/database.ts'
import { keyFileOf } from '../run/keys.ts'
import { ConfigRefusal, readConfig, type Config } from '../run/settings.ts'
import { version } from '../version.ts'

export function define(command: Command): void {
  withExamples(command, 'ots backup /backups/2026-11-16', 'ots backup /backups/whole --with-keys')
    .description('Copy the embedded database into a new folder, also while the service runs.')
    .argument('<folder>', 'new or empty folder')
    .option('--with-keys', 'also copy the key file of the data folder')
    .addHelpText('after', KEYS)
    .action(async (folder: string, { withKeys = false }: { withKeys?: boolean }) => {
      showDone(await makeBackup(resolve(folder), withKeys), doneText)
    })
}

const KEYS = `
Without its keys, a backup cannot be read. Keep them somewhere else than the
backup: the data folder's file "keys", or OTS_KEYS. "ots restore" puts a backup
into an empty data folder.

For a database of DATABASE_URL, use the tools of PostgreSQL:
  pg_dump --format=custom --file=ots.dump "$DATABASE_URL"
  pg_restore --no-owner --dbname="$NEW_DATABASE_URL" ots.dump`

interface Backup {
  folder: string
  keyIds: string[]
  hasKeys: boolean
}

async function makeBackup(folder: string, withKeys: boolean): Promise<Backup> {
  const config = readConfig(process.env)
  refuseNamed(config)
  const keyFile = keyFileOf(config)
  if (withKeys && keyFile === null) throw new ConfigRefusal('--with-keys: the keys are in OTS_KEYS, not in a file.')
  await checkDatabase(config)
  await openBackupFolder(folder)
  const { owner, embedded } = await reachEmbedded(config)
  try {
    const { cluster } = (await locateCluster(config.dataDir))!
    const keyIds = await withPool(connectAs(config, owner, 1), keyIdsIn)
    const facts = { createdAt: new Date().toISOString(), version, keyIds }
    await withProgress('Copying', ({ wait, update }) => {
      wait('Copying the database …')
      const onCopied = (done: number) => update({ kind: 'files', done })
      return backUp({ target: owner, cluster }, folder, { ...facts, onCopied })
    })
    if (withKeys) await copyFile(keyFile!, join(folder, 'keys'))
    return { folder, keyIds, hasKeys: withKeys }
  } finally {
    await embedded?.stop()
  }
}

/** These commands copy files, which only the embedded server has here. */
export function refuseNamed({ databaseUrl }: Config): void {
  if (databaseUrl !== undefined)
    throw new ConfigRefusal(
      'This command works on the embedded database, but DATABASE_URL names another one. Use pg_dump and pg_restore for it.',
    )
}

const doneText = ({ folder, keyIds, hasKeys }: Backup) =>
  `Copied the database to ${folder}.\n${
    hasKeys
      ? 'Its keys are in there, too: anyone who has the folder can read everything.'
      : `It can be read only with ${keyIds.length === 1 ? 'the key' : 'the keys'} ${keyIds.join(', ')}, which ${keyIds.length === 1 ? 'is' : 'are'} not in there.`
  }`
