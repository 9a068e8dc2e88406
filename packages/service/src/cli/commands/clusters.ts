import { findCluster, listClusters, removeCluster, type OutsideCluster } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import { confirm } from '../confirm.ts'
import { withExamples } from '../help.ts'
import { dim } from '../output/colors.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, table } from '../output/table.ts'

export function define(clusters: Command): void {
  clusters
    .description('List and remove embedded databases outside of their data folder.')
    .addHelpText('after', LOCATION)

  withExamples(clusters.command('list'), 'ots clusters list')
    .description('List these databases. Shows the data folders that use them.')
    .action(async () => {
      show(await listClusters(), (found) =>
        found.length === 0
          ? 'All embedded databases are in their data folders.'
          : table(found.map(toRow), { head: ['Database', 'Last used', 'Data folder'] }),
      )
    })

  withExamples(clusters.command('remove'), 'ots clusters remove 5c1e4c55-9f0e-4b7f-8a52-2f1f0f6c1d9a')
    .description('Remove a database that is not in use, and everything in it.')
    .argument('<name>', 'name of the database, as "ots clusters list" prints it')
    .option('--yes', 'remove without asking')
    .action(async (name: string, { yes }: { yes?: boolean }) => {
      const cluster = await findCluster(name)
      if (!cluster.isInUse && !yes) await confirm(toQuestion(cluster))
      await removeCluster(name)
      showDone({ removed: cluster.folder }, ({ removed }) => `Removed ${removed}.`)
    })
}

const LOCATION = `
If root starts the service, the embedded PostgreSQL runs as an unprivileged
user. If this user cannot enter the data folder, the database is stored in
/var/lib/order-testing-service, and the data folder points to it. Only this
command removes it.`

const toRow = ({ name, lastUsedAt, detail }: OutsideCluster) => [
  name,
  dim(formatDate(lastUsedAt)),
  escapeControls(detail),
]

const toQuestion = ({ name, lastUsedAt, detail }: OutsideCluster) =>
  `Cluster ${name}, last used ${formatDate(lastUsedAt)}, is ${escapeControls(detail)}.\n` +
  'If its data folder was moved, or is on a volume that is not mounted, answer no and start the service there first.\n' +
  'Permanently remove the cluster and everything in it?'

const formatDate = (date: Date | null) => date?.toISOString() ?? 'never'
