import { resealDetails } from './details.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { inBatches, SCAN_LIMIT, scanFor, type RenewBatch } from '../sealing/pass.ts'

const BATCH = 100

/** More than this are not counted. */
const COUNTED = 10_000

type DetailsValue = { tenantId: string; entryId: string; keyId: string; content: Buffer }

const COPIES = { columns: sql`tenant_id, entry_id, key_id, content`, table: sql`audit_details`, atOnce: BATCH }

/** What migration 0019 copied is not sealed, and has no key. An index finds it by this. */
const IS_PLAIN = sql`key_id = ''`

const mayDelete = sql`has_table_privilege('audit_details', 'delete')`

/** Brings details under the current key; of those in plain text, as the owner of the schema, no copy is left. */
export function renewAuditDetails(db: Db, keyring: Keyring): RenewBatch {
  const [addCopies, sealPlain] = [renewCopies(db, keyring), sealPlainDetails(db, keyring)]
  return (place, pass) => (pass?.onlyPlain ? sealPlain : addCopies)(place, pass)
}

/** Adds copies under the current key: the service's role may not change those that are there. */
const renewCopies = (db: Db, keyring: Keyring) =>
  inBatches<DetailsValue>({
    atOnce: BATCH,
    placeOf: ({ tenantId, entryId, keyId }) => [tenantId, entryId, keyId],
    read: ([tenant = '', entry = '', key = '']) =>
      db<DetailsValue[]>`${scanFor({
        ...COPIES,
        key: sql`tenant_id, entry_id, key_id`,
        place: sql`${tenant}, ${entry}, ${key}`,
        holds: sql`key_id <> ${keyring.currentId} and not ${hasCurrentCopy(keyring, sql`scanned`)}`,
      })}`,
    renew: (row) => db.count`${copyOf(keyring, row)}`,
  })

const sealPlainDetails = (db: Db, keyring: Keyring) =>
  inBatches<DetailsValue>({
    atOnce: BATCH,
    placeOf: ({ tenantId, entryId }) => [tenantId, entryId],
    read: ([tenant = '', entry = '']) =>
      db<DetailsValue[]>`${scanFor({
        ...COPIES,
        key: sql`tenant_id, entry_id`,
        place: sql`${tenant}, ${entry}`,
        holds: IS_PLAIN,
        indexed: sql`${IS_PLAIN} and ${mayDelete}`,
      })}`,
    renew: (row) => db.count`
      with sealed as (${copyOf(keyring, row)})
      delete from audit_details where tenant_id = ${row.tenantId} and entry_id = ${row.entryId} and ${IS_PLAIN}`,
  })

const copyOf = (keyring: Keyring, { tenantId, entryId, content }: DetailsValue): Statement => sql`
  insert into audit_details (tenant_id, entry_id, key_id, content)
  values (${tenantId}, ${entryId}, ${keyring.currentId}, ${resealDetails(keyring, { tenantId, id: entryId }, content)})
  on conflict do nothing`

/** Whether there is a copy under the current key of the details of which this is a copy. */
const hasCurrentCopy = (keyring: Keyring, copy: Statement): Statement => sql`
  exists (
    select from audit_details c
    where c.tenant_id = ${copy}.tenant_id and c.entry_id = ${copy}.entry_id and c.key_id = ${keyring.currentId})`

/** Removes copies under older keys, which takes the owner of the schema; counts those that are left. */
export async function dropOldDetails(db: Db, keyring: Keyring): Promise<number> {
  const [may] = await db<{ delete: boolean }[]>`select ${mayDelete} as delete`
  const removal = sql`
    , gone as (
      delete from audit_details d using old
      where d.tenant_id = old.tenant_id and d.entry_id = old.entry_id and d.key_id = old.key_id)`
  let left = 0
  for (let [tenant, entry, key] = ['', '', '']; ;) {
    const rows = await db<(Omit<DetailsValue, 'content'> & { old: number; looked: number })[]>`
      with looked as materialized (
        select tenant_id, entry_id, key_id from audit_details
        where (tenant_id, entry_id, key_id) > (${tenant}, ${entry}, ${key})
        order by tenant_id, entry_id, key_id limit ${SCAN_LIMIT}),
      old as materialized (
        select * from looked where key_id <> ${keyring.currentId} and ${hasCurrentCopy(keyring, sql`looked`)})
      ${may!.delete ? removal : sql``}
      select looked.*, (select count(*)::int from old) as old, (select count(*)::int from looked) as looked
      from looked order by tenant_id desc, entry_id desc, key_id desc limit 1`
    const last = rows[0]
    if (!last) return left
    if (!may!.delete) left += last.old
    if (last.looked < SCAN_LIMIT) return left
    ;[tenant, entry, key] = [last.tenantId, last.entryId, last.keyId]
  }
}

/** How many details are not sealed; no more than some thousands are counted. */
export async function countPlainDetails(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int from (select from audit_details where ${IS_PLAIN} limit ${COUNTED}) plain`
  return row!.count
}
