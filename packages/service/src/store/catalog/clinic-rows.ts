import type { CatalogEntries } from '../../domain/catalog/files.ts'
import { locate, onSphere } from '../../domain/places/postal-places.ts'
import { fold, wordsOf } from '../../domain/text.ts'
import { identifiers, sql, type Statement } from '../db/sql.ts'

type Entry = CatalogEntries['clinics'][number]

const COLUMNS =
  'id name phone address lat long service_ids fee is_active name_key city_key state_key position words'.split(' ')

/**
 * Inserts clinics, or updates those that are not new. Their records have a table of their own, so that searches need not read them.
 * Columns that are members of the record are taken from it here: sent beside it, the server would decode them twice.
 */
export function saveClinics(tenantId: string, entries: Entry[], { isNew }: { isNew: boolean }): Statement {
  const rows = JSON.stringify(entries.map((record) => ({ record, ...searchKeysOf(record) })))
  return sql`
    with given as (
      select * from jsonb_to_recordset(${rows}::text::jsonb)
        as r (record jsonb, name_key text, city_key text, state_key text, position cube, words text[])),
    recorded as (
      insert into clinic_records (tenant_id, id, record) select ${tenantId}, record ->> 'id', record from given
      ${isNew ? sql`` : sql`on conflict (tenant_id, id) do update set record = excluded.record`})
    insert into clinics (tenant_id, ${identifiers(...COLUMNS)})
    select ${tenantId}, record ->> 'id', record ->> 'name', record ->> 'phone', record -> 'address',
      (record -> 'coordinates' ->> 'lat')::float8, (record -> 'coordinates' ->> 'long')::float8,
      array(select jsonb_array_elements_text(record -> 'services')), (record ->> 'fee')::numeric, (record ->> 'isActive')::boolean,
      name_key, city_key, state_key, position, words
    from given
    ${isNew ? sql`` : sql`on conflict (tenant_id, id) do update set ${identifiers(...COLUMNS.map((name) => `${name} = excluded.${name}`))}, removed_at = null`}`
}

/** What clinics are sorted and found by. */
function searchKeysOf({ name, address, coordinates }: Entry) {
  const point = coordinates ?? (address ? locate(address) : null)
  return {
    name_key: fold(name),
    city_key: fold(address?.city ?? ''),
    state_key: fold(address?.state ?? ''),
    position: point && `(${onSphere(point).join(',')})`,
    words: wordsOf([name, address?.city, address?.state, address?.postalCode].join(' ')),
  }
}
