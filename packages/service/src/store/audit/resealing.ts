import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { inBatches, SCAN_LIMIT, type RenewBatch } from '../sealing/pass.ts'
import { resealDetails } from './details.ts'

/** Counting stops here. */
const MAX_COUNTED = 10_000

interface DetailsRow {
  tenantId: string
  entryId: string
  keyId: string
  content: Buffer
}

/** Details copied by migration 0019 are not sealed and have no key. An index has this condition. */
const IS_PLAIN = sql`key_id = ''`

const MAY_DELETE = sql`has_table_privilege('audit_details', 'delete')`

/** Reseals details under the current key. Plain-text details are also deleted, which takes the owner of the schema. */
export function renewAuditDetails(db: Db, keyring: Keyring): RenewBatch {
  // Adds copies under the current key, because the service's role may not update existing ones.
  const addCopies = inBatches<DetailsRow>(
    db,
    {
      table: 'audit_details',
      key: ['tenantId', 'entryId', 'keyId'],
      columns: sql`content`,
      holds: sql`key_id <> ${keyring.currentId} and not ${hasCurrentCopy(keyring)}`,
    },
    (row) => db.count`${insertCopy(keyring, row)}`,
  )
  const sealPlain = inBatches<DetailsRow>(
    db,
    {
      table: 'audit_details',
      key: ['tenantId', 'entryId'],
      columns: sql`key_id, content`,
      plain: sql`${IS_PLAIN} and ${MAY_DELETE}`,
    },
    (row) => db.count`
      with sealed as (${insertCopy(keyring, row)})
      delete from audit_details where tenant_id = ${row.tenantId} and entry_id = ${row.entryId} and ${IS_PLAIN}`,
  )
  return (place, pass) => (pass?.onlyPlain ? sealPlain : addCopies)(place, pass)
}

const insertCopy = (keyring: Keyring, { tenantId, entryId, content }: DetailsRow): Statement => sql`
  insert into audit_details (tenant_id, entry_id, key_id, content)
  values (${tenantId}, ${entryId}, ${keyring.currentId}, ${resealDetails(keyring, { tenantId, id: entryId }, content)})
  on conflict do nothing`

/** Whether the details of a row `scanned` also have a copy under the current key. */
const hasCurrentCopy = (keyring: Keyring): Statement => sql`
  exists (
    select from audit_details c
    where c.tenant_id = scanned.tenant_id and c.entry_id = scanned.entry_id and c.key_id = ${keyring.currentId})`

/** Deletes copies under older keys, which takes the owner of the schema. Returns how many remain. */
export async function dropOldDetails(db: Db, keyring: Keyring): Promise<number> {
  const { may } = await db.only<{ may: boolean }>`select ${MAY_DELETE} as may`
  const removal = sql`
    , gone as (
      delete from audit_details d using old
      where d.tenant_id = old.tenant_id and d.entry_id = old.entry_id and d.key_id = old.key_id)`
  let left = 0
  for (let [tenant, entry, key] = ['', '', '']; ;) {
    const last = await db.first<Omit<DetailsRow, 'content'> & { old: number; scanned: number }>`
      with scanned as materialized (
        select tenant_id, entry_id, key_id from audit_details
        where (tenant_id, entry_id, key_id) > (${tenant}, ${entry}, ${key})
        order by tenant_id, entry_id, key_id limit ${SCAN_LIMIT}),
      old as materialized (
        select * from scanned where key_id <> ${keyring.currentId} and ${hasCurrentCopy(keyring)})
      ${may ? removal : sql``}
      select scanned.*, (select count(*)::int from old) as old, (select count(*)::int from scanned) as scanned
      from scanned order by tenant_id desc, entry_id desc, key_id desc limit 1`
    if (!last) return left
    if (!may) left += last.old
    if (last.scanned < SCAN_LIMIT) return left
    ;[tenant, entry, key] = [last.tenantId, last.entryId, last.keyId]
  }
}

/** Counts details that are not sealed, up to a limit. */
export async function countPlainDetails(db: Db): Promise<number> {
  const { count } = await db.only<{ count: number }>`
    select count(*)::int from (select from audit_details where ${IS_PLAIN} limit ${MAX_COUNTED}) plain`
  return count
}
