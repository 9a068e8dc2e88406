import { findCluster, listClusters, removeCluster, type OutsideCluster } from '@order-testing/embedded-postgres'
import type { Command } from 'commander'
import { confirm } from '../confirm.ts'
import { table, visible } from '../output/table.ts'

export function addClustersCommand(ots: Command, print: (text: string) => void): void {
  const clusters = ots
    .command('clusters')
    .description('List and remove embedded databases that lie outside of their data folder.')
    .addHelpText('after', PLACE)

  clusters
    .command('list')
    .description('List all such databases of this machine, with the data folders that use them.')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await listClusters()
      if (json) return print(JSON.stringify(found, null, 2))
      print(found.length === 0 ? 'All embedded databases lie in their data folders.' : table(found.map(rowOf)))
    })

  clusters
    .command('remove')
    .description('Remove such a database and everything in it. One that is in use is not removed.')
    .argument('<name>', 'as "ots clusters list" shows it')
    .option('--yes', 'remove without asking')
    .action(async (name: string, { yes }: { yes?: boolean }) => {
      const cluster = await findCluster(name)
      if (!cluster.isInUse && !yes) await confirm(questionOn(cluster))
      await removeCluster(name)
      print(`Removed ${cluster.folder}.`)
    })
}

const PLACE = `
As root, the embedded PostgreSQL runs as an unprivileged user. Where this user cannot enter the data folder, its database
lies in /var/lib/order-testing-service, and the data folder holds a pointer to it. Nothing removes it but this command.`

const rowOf = ({ name, lastUsedAt, detail }: OutsideCluster) => [name, dateOf(lastUsedAt), visible(detail)]

const questionOn = ({ name, lastUsedAt, detail }: OutsideCluster) =>
  `Cluster ${name}, last used ${dateOf(lastUsedAt)}, is ${visible(detail)}.\n` +
  'If its data folder was moved, or is on a volume that is not mounted, answer no and start the service there first.\n' +
  'Remove the cluster and everything in it for good?'

const dateOf = (date: Date | null) => date?.toISOString() ?? 'never'
