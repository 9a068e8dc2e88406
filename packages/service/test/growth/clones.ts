import type { Pool } from '../../src/store/db/pool.ts'
import { identifiers } from '../../src/store/db/sql.ts'

/** Columns with ids: a clone gets its own, the same in all rows that belong together. */
const NAMES = new Set([
  'id',
  'code',
  'order_id',
  'callback_id',
  'event_id',
  'delivery_id',
  'message_id',
  'notification_id',
  'result_id',
  'subject_id',
  'key',
])

/** Tables that grow with orders. */
export const GROWING = [
  'orders',
  'callbacks',
  'events',
  'deliveries',
  'delivery_attempts',
  'notifications',
  'notification_attempts',
  'order_links',
  'result_reports',
  'audit_entries',
  'idempotency_keys',
  'order_changes',
  'order_matches',
]

/** Copies rows until each table has at least this many, without updating statistics. */
export async function grow(pool: Pool, atLeast: number): Promise<void> {
  for (const table of GROWING) await growTable(pool, table, atLeast)
}

async function growTable(pool: Pool, table: string, atLeast: number): Promise<void> {
  const [counted] = await pool<{ n: number }[]>`select count(*)::int as n from ${identifiers(table)}`
  const { n } = counted!
  if (n === 0 || n >= atLeast) return
  const copies = Math.ceil(atLeast / n) - 1
  const round = `'_${n}_' || n`
  const columns = await pool<{ name: string; isIdentity: boolean }[]>`
    select attname as name, attidentity <> '' as is_identity from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`
  const kept = columns.filter(({ isIdentity }) => !isIdentity).map(({ name }) => name)
  const values = kept.map((name) => {
    if (NAMES.has(name)) return `t.${name} || ${round}`
    if (name === 'secret_hash') return `sha256(t.secret_hash || (${round})::bytea)`
    if (name === 'specimen_ids') return `array(select s || ${round} from unnest(t.specimen_ids) s)`
    if (name === 'blocking_keys' || name === 'specimen_keys')
      return `array(select k + n * 7919 + ${n} from unnest(t.${name}) k)`
    return `t.${name}`
  })
  const clone = `insert into ${table} (${kept.join(', ')}) select ${values.join(', ')}
    from ${table} t cross join generate_series(1, ${copies}) n`
  await pool.transaction((db) => db.script(clone), { isUnlimited: true })
}
