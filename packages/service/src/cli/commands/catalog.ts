import type { Command } from 'commander'
import type { Change } from '../../domain/catalog/files.ts'
import { refuse } from '../../domain/refusal.ts'
import { exportCatalog, type TenantChanges } from '../../operations/catalog/files.ts'
import type { Store } from '../../store/store.ts'
import { formatCount, print, toJson } from '../output/table.ts'
import { changeCatalogs, readCatalogs } from '../run/catalog-files.ts'
import { withDatabase, withStore, type Database } from '../run/database.ts'
import type { Config } from '../run/settings.ts'

/** Beyond this number, changes are only counted. */
const MAX_LISTED = 50

export function define(catalog: Command): void {
  catalog
    .command('apply')
    .description('Apply catalog files to the database: all of them or none.')
    .argument('<file...>', 'catalog files, one per tenant')
    .action(async (paths: string[]) => {
      const files = await readCatalogs(paths)
      const applied = await withDatabase((database, config) => changeCatalogs('apply', files, config, database))
      for (const each of applied) print(heading(each))
    })

  catalog
    .command('diff')
    .description('Show what applying catalog files would change.')
    .argument('<file...>', 'catalog files, one per tenant')
    .option('--exit-code', 'exit with 1 if anything would change')
    .action(async (paths: string[], options: { exitCode?: boolean }) => {
      const files = await readCatalogs(paths)
      const compare = (database: Database, config: Config) => changeCatalogs('diff', files, config, database)
      const found = await withDatabase(compare, { readOnly: true })
      for (const tenant of found) print(listing(tenant))
      if (options.exitCode && found.some(({ changes }) => changes.length > 0)) process.exitCode = 1
    })

  catalog
    .command('export')
    .description('Print the catalog of a tenant as a catalog file, without secrets.')
    .argument('[tenant]', 'id of the tenant; optional if there is only one')
    .action(async (id: string | undefined) => {
      const read = async (store: Store) => exportCatalog(await chooseTenant(id, store), store)
      const file = await withStore(read, { readOnly: true })
      if (!file) throw refuse('notFound', `Unknown tenant "${id}".`)
      print(toJson(file))
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

function listing(found: TenantChanges): string {
  const { changes } = found
  const lines = changes.slice(0, MAX_LISTED).map((change) => `  ${line(change)}`)
  const more = changes.length - lines.length
  return [heading(found), ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}

/** Counts the changes, and the open bookings at clinics that they deactivate. */
function heading({ tenant, changes, openBookings }: TenantChanges): string {
  const head = `${tenant.id}: ${summary(changes)}`
  if (openBookings === 0) return head
  const affected = formatCount(openBookings, 'open booking')
  return `${head}\n  ${affected} at clinics that become inactive: see "ots bookings list --inactive"`
}

const SIGNS = { add: '+', change: '~', deactivate: '-' }

const line = ({ action, kind, id, name, members }: Change) =>
  `${SIGNS[action]} ${kind} ${id} (${name})${members.length > 0 ? `: ${members.join(', ')}` : ''}`

function summary(changes: Change[]): string {
  if (changes.length === 0) return 'no changes'
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return `${count('add')} added, ${count('change')} changed, ${count('deactivate')} deactivated`
}
