import { resealDetails } from './audit-details.ts'
import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { inBatches } from './sealing-pass.ts'

const BATCH = 100

type DetailsValue = { tenantId: string; id: string; keyId: string; value: Buffer }

/** Adds copies under the current key: the service's role may not change those that are there. */
export const renewAuditDetails = (db: Db, keyring: Keyring) =>
  inBatches<DetailsValue>({
    atOnce: BATCH,
    placeOf: ({ tenantId, id, keyId }) => [tenantId, id, keyId],
    read: async ([tenant = '', entry = '', key = ''], onlyPlain) =>
      onlyPlain
        ? []
        : db<DetailsValue[]>`
        select tenant_id, entry_id as id, key_id, content as value from audit_details d
        where (tenant_id, entry_id, key_id) > (${tenant}, ${entry}, ${key}) and key_id <> ${keyring.currentId}
          and not exists (
            select from audit_details c
            where c.tenant_id = d.tenant_id and c.entry_id = d.entry_id and c.key_id = ${keyring.currentId})
        order by tenant_id, entry_id, key_id limit ${BATCH}`,
    renew: ({ tenantId, id, value }) => db.count`
      insert into audit_details (tenant_id, entry_id, key_id, content)
      values (${tenantId}, ${id}, ${keyring.currentId}, ${resealDetails(keyring, { tenantId, id }, value)})
      on conflict do nothing`,
  })

/** Removes copies under older keys, which takes the owner of the schema; counts those that are left. */
export async function dropOldDetails(db: Db, keyring: Keyring): Promise<number> {
  const old = sql`
    from audit_details d where key_id <> ${keyring.currentId} and exists (
      select from audit_details c
      where c.tenant_id = d.tenant_id and c.entry_id = d.entry_id and c.key_id = ${keyring.currentId})`
  const [may] = await db<{ delete: boolean }[]>`select has_table_privilege('audit_details', 'delete') as delete`
  if (may!.delete) await db`delete ${old}`
  const [left] = await db<{ count: number }[]>`select count(*)::int ${old}`
  return left!.count
}
