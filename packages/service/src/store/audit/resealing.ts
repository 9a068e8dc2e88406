import { resealDetails } from './details.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { inBatches, SCAN_LIMIT, scanFor, type RenewBatch } from '../sealing/pass.ts'

const BATCH = 100

/** Counting stops here. */
const MAX_COUNTED = 10_000

type DetailsValue = { tenantId: string; entryId: string; keyId: string; content: Buffer }

const COPIES = { columns: sql`tenant_id, entry_id, key_id, content`, table: sql`audit_details`, atOnce: BATCH }

/** Details copied by migration 0019 are not sealed and have no key. An index has this condition. */
const IS_PLAIN = sql`key_id = ''`

const mayDelete = sql`has_table_privilege('audit_details', 'delete')`

/** Reseals details under the current key. Plain-text details are also deleted, which takes the owner of the schema. */
export function renewAuditDetails(db: Db, keyring: Keyring): RenewBatch {
  const [addCopies, sealPlain] = [renewCopies(db, keyring), sealPlainDetails(db, keyring)]
  return (place, pass) => (pass?.onlyPlain ? sealPlain : addCopies)(place, pass)
}

/** Adds copies under the current key, because the service's role may not update existing ones. */
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
    renew: (row) => db.count`${insertCopy(keyring, row)}`,
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
      with sealed as (${insertCopy(keyring, row)})
      delete from audit_details where tenant_id = ${row.tenantId} and entry_id = ${row.entryId} and ${IS_PLAIN}`,
  })

const insertCopy = (keyring: Keyring, { tenantId, entryId, content }: DetailsValue): Statement => sql`
  insert into audit_details (tenant_id, entry_id, key_id, content)
  values (${tenantId}, ${entryId}, ${keyring.currentId}, ${resealDetails(keyring, { tenantId, id: entryId }, content)})
  on conflict do nothing`

/** Whether the same details also have a copy under the current key. */
const hasCurrentCopy = (keyring: Keyring, copy: Statement): Statement => sql`
  exists (
    select from audit_details c
    where c.tenant_id = ${copy}.tenant_id and c.entry_id = ${copy}.entry_id and c.key_id = ${keyring.currentId})`

/** Deletes copies under older keys, which takes the owner of the schema. Returns how many remain. */
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

/** Counts details that are not sealed, up to a limit. */
export async function countPlainDetails(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int from (select from audit_details where ${IS_PLAIN} limit ${MAX_COUNTED}) plain`
  return row!.count
}
