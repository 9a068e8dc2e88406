import type { Command } from 'commander'
import type { Change } from '../../domain/catalog/files.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { exportCatalog, type TenantChanges } from '../../operations/catalog/files.ts'
import type { Store } from '../../store/store.ts'
import { changeCatalogs, readCatalogs } from '../run/catalog-files.ts'
import { readConfig } from '../run/settings.ts'
import { withDatabase, withStore, type Database } from '../run/database.ts'

/** More single changes than this are only counted. */
const LISTED = 50

export function addCatalogCommand(ots: Command, print: (text: string) => void): void {
  const catalog = ots.command('catalog').description('keep the catalog in step with files under version control')

  catalog
    .command('apply')
    .description('make the database agree with catalog files, all of them or none')
    .argument('<file...>', 'catalog files, one for each tenant')
    .action(async (paths: string[]) => {
      const files = await readCatalogs(paths)
      const config = readConfig(process.env)
      const applied = await withDatabase(config, (database) => changeCatalogs('apply', files, config, database))
      for (const each of applied) print(heading(each))
    })

  catalog
    .command('diff')
    .description('show what applying catalog files would change')
    .argument('<file...>', 'catalog files, one for each tenant')
    .option('--exit-code', 'end with 1 where anything would change')
    .action(async (paths: string[], options: { exitCode?: boolean }) => {
      const files = await readCatalogs(paths)
      const config = readConfig(process.env)
      const compare = (database: Database) => changeCatalogs('diff', files, config, database)
      const found = await withDatabase(config, compare, { readOnly: true })
      for (const tenant of found) print(listing(tenant))
      if (options.exitCode && found.some(({ changes }) => changes.length > 0)) process.exitCode = 1
    })

  catalog
    .command('export')
    .description('print a tenant’s catalog as a file; secrets are not known and left out')
    .argument('[tenant]', 'id of the tenant; may be left out where there is only one')
    .action(async (id: string | undefined) => {
      const file = await withStore(
        readConfig(process.env),
        async (store) => exportCatalog(id ?? (await onlyTenant(store)), store),
        { readOnly: true },
      )
      if (!file) throw refuse('notFound', `There is no tenant "${id}".`)
      print(JSON.stringify(file, null, 2))
    })
}

/** The one tenant there is. */
export async function onlyTenant(store: Store): Promise<string> {
  const tenants = await store.catalog.tenants()
  const [tenant] = tenants
  if (tenants.length === 1 && tenant) return tenant.id
  const detail =
    tenants.length === 0 ? 'There are no tenants yet.' : `Name the tenant: ${tenants.map(({ id }) => id).join(', ')}.`
  throw new Refusal([{ code: 'required', detail }])
}

function listing(found: TenantChanges): string {
  const { changes } = found
  const lines = changes.slice(0, LISTED).map((change) => `  ${line(change)}`)
  const more = changes.length - lines.length
  return [heading(found), ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}

/** How much changes, and who is left without a clinic by it. */
function heading({ tenant, changes, openBookings }: TenantChanges): string {
  const count = `${openBookings} open booking${openBookings === 1 ? '' : 's'}`
  const left = `  ${count} at clinics that are switched off by it: see "ots bookings list --inactive"`
  return [`${tenant.id}: ${summary(changes)}`, ...(openBookings > 0 ? [left] : [])].join('\n')
}

const SIGNS = { add: '+', change: '~', deactivate: '-' }

const line = ({ action, kind, id, name, members }: Change) =>
  `${SIGNS[action]} ${kind} ${id} (${name})${members.length > 0 ? `: ${members.join(', ')}` : ''}`

function summary(changes: Change[]): string {
  if (changes.length === 0) return 'no changes'
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  return `${count('add')} added, ${count('change')} changed, ${count('deactivate')} deactivated`
}
