import type { Command } from 'commander'
import type { Change } from '../../domain/catalog/files.ts'
import { refuse } from '../../domain/refusal.ts'
import { exportCatalog, type TenantChanges } from '../../operations/catalog/files.ts'
import { presentChanges } from '../../operations/catalog/operator-files.ts'
import type { Store } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { dim, green, yellow } from '../output/colors.ts'
import { printJson, show, showDone } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { formatCount } from '../output/table.ts'
import { changeCatalogs, readCatalogs } from '../run/catalog-files.ts'
import { withDatabase, withStore, type Database } from '../run/database.ts'
import type { Config } from '../run/settings.ts'

/** Beyond this number, changes are only counted. */
const MAX_LISTED = 50

export function define(catalog: Command): void {
  catalog.description('Compare, apply and export catalog files. Works on the database; changes are audited.')

  withExamples(catalog.command('apply'), 'ots catalog diff acme.json && ots catalog apply acme.json')
    .description('Apply catalog files to the database: all of them or none.')
    .argument('<file...>', 'catalog files, one per tenant')
    .option('--based-on <version...>', 'refuse if a catalog is not at one of these versions of "diff --json"')
    .action(async (paths: string[], { basedOn }: { basedOn?: string[] }) => {
      const files = await readCatalogs(paths)
      const applied = await withProgress('Saving', ({ wait, update }) => {
        wait('Reading and comparing …')
        return withDatabase((database, config) =>
          changeCatalogs('apply', files, config, database, { onProgress: update, basedOn }),
        )
      })
      showDone(applied.map(present), () => applied.map(heading).join('\n'))
    })

  withExamples(
    catalog.command('diff'),
    'ots catalog diff acme.json',
    'ots catalog diff --exit-code acme.json || echo "acme.json is not applied"',
  )
    .description('Show what applying catalog files would change.')
    .argument('<file...>', 'catalog files, one per tenant')
    .option('--exit-code', 'exit with 1 if anything would change')
    .action(async (paths: string[], options: { exitCode?: boolean }) => {
      const files = await readCatalogs(paths)
      const compare = (database: Database, config: Config) => changeCatalogs('diff', files, config, database)
      const found = await withProgress('Comparing', ({ wait }) => {
        wait('Reading and comparing …')
        return withDatabase(compare, { readOnly: true })
      })
      show(found.map(present), () => found.map(listing).join('\n'))
      if (options.exitCode && found.some(({ changes }) => changes.length > 0)) process.exitCode = 1
    })

  withExamples(
    catalog.command('export'),
    'ots catalog export > acme.json',
    "ots catalog export | jq '.clinics | length'",
  )
    .description('Print the catalog of a tenant as a catalog file. It has no secrets.')
    .argument('[tenant]', 'id of the tenant; optional if there is only one')
    .action(async (id: string | undefined) => {
      const read = async (store: Store) => exportCatalog(await chooseTenant(id, store), store)
      const file = await withStore(read, { readOnly: true })
      if (!file) throw refuse('notFound', `Unknown tenant "${id}".`)
      printJson(file)
    })
}

/** The given tenant, or the only one; refuses if none is given and there are several. */
export async function chooseTenant(given: string | undefined, store: Store): Promise<string> {
  if (given !== undefined) return given
  const tenants = await store.catalog.tenants()
  const [tenant] = tenants
  if (tenants.length === 1 && tenant) return tenant.id
  throw refuse(
    'required',
    tenants.length === 0
      ? 'There are no tenants yet. Apply a catalog file with "ots catalog apply".'
      : `Give the tenant, one of: ${tenants.map(({ id }) => id).join(', ')}.`,
  )
}

/** As the API does, with the tenant. */
const present = (changes: TenantChanges) => ({ tenantId: changes.tenant.id, ...presentChanges(changes) })

function listing(found: TenantChanges): string {
  const { changes } = found
  const lines = changes.slice(0, MAX_LISTED).map((change) => `  ${line(change)}`)
  const more = changes.length - lines.length
  return [heading(found), ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}

/** Counts the changes, and what is open at the clinics and for the companies that they deactivate. */
function heading({ tenant, changes, openBookings, openOrders }: TenantChanges): string {
  const lines = [`${tenant.id}: ${summary(changes)}`]
  if (openBookings > 0)
    lines.push(
      `  ${formatCount(openBookings, 'open booking')} at clinics that become inactive: see "ots bookings list --inactive"`,
    )
  if (openOrders > 0) lines.push(`  ${formatCount(openOrders, 'open order')} of companies that become inactive`)
  return lines.join('\n')
}

const SIGNS = { add: green('+'), change: yellow('~'), deactivate: dim('-') }

const line = ({ action, kind, id, name, members }: Change) =>
  `${SIGNS[action]} ${kind} ${id} (${name})${members.length > 0 ? `: ${members.join(', ')}` : ''}`

function summary(changes: Change[]): string {
  if (changes.length === 0) return 'no changes'
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return `${count('add')} added, ${count('change')} changed, ${count('deactivate')} deactivated`
}
