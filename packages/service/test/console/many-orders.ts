import { composeView } from '../../src/domain/orders/view.ts'
import { makeCode } from '../../src/domain/orders/code.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import { identifiers } from '../../src/store/db/sql.ts'
import { numbersText } from '../../src/store/db/arrays.ts'
import { codeIds, hashSearchKeys, sealOrder } from '../../src/store/orders/rows.ts'
import { testKeyring } from '../support/service.ts'
import { participant, type ConsoleService } from './signed-in.ts'

const TENANT = 'demo'
const AT_ONCE = 2_000
const YEAR_MS = 365 * 86_400_000

const FIRST_NAMES = ['Maria', 'James', 'Linda', 'Robert', 'Aisha', 'Carlos', 'Mei', 'Olga', 'Samuel', 'Priya']
const SYLLABLES = ['al', 'ber', 'cor', 'dan', 'el', 'far', 'gon', 'hol', 'is', 'jen', 'kor', 'lan', 'mor', 'nes', 'or']
const syllable = (n: number) => SYLLABLES[n % SYLLABLES.length]!
const lastName = (n: number) => {
  const [a, b, c] = [syllable(n), syllable(Math.floor(n / 15)), syllable(Math.floor(n / 225))]
  return a[0]!.toUpperCase() + a.slice(1) + b + c
}

/** How far each of ten orders has come: most are done. */
const OUTCOMES = [
  { outcome: 'negative' },
  { outcome: 'negative' },
  { outcome: 'negative' },
  { outcome: 'negative' },
  { outcome: 'negative' },
  { outcome: 'positive' },
  { outcome: 'testCancelled' },
  { outcome: 'negative', until: 'testing' },
  { outcome: 'negative', until: 'mroReview' },
  null,
]

/**
 * Fills the service with orders of a year, each of another person and sealed as the service does, and with the deliveries,
 * notifications and audit entries that as many orders leave behind. Statistics are left to the database, as in a real one.
 */
export async function fillWithOrders(service: ConsoleService, count: number): Promise<void> {
  const templates: Order[] = []
  for (const outcome of OUTCOMES) {
    const placed = await service.place({ participant: participant(), callback: { url: 'https://hooks.example.com/' } })
    if (outcome) await service.simulate(placed, outcome)
    templates.push((await service.store.orders.find(TENANT, placed.id))!)
  }
  await service.operator('/orders/searches', { method: 'POST', body: { q: 'recorded' } })
  const start = Date.now() - YEAR_MS
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => from + i)
    const copies = numbers.map((n) => copyOf(templates[n % 10]!, n, start + Math.floor((n / count) * YEAR_MS)))
    await insert(service, copies)
    // As a running service does, which never has many changes to count.
    if (from % (10 * AT_ONCE) === 0) await runHousekeeping(service.store, new Date())
  }
  await runHousekeeping(service.store, new Date())
  for (const table of ['events', 'deliveries', 'notifications', 'audit_entries']) await multiply(service, table, count)
}

/** The code of the order with this number. Its digits to the base of 31 are the letters that would be drawn at random. */
export const codeOf = (n: number) => {
  let rest = n
  return makeCode((limit) => {
    const digit = rest % limit
    rest = Math.floor(rest / limit)
    return digit
  })
}

function copyOf(template: Order, n: number, at: number) {
  const id = `ord_${inBase32(at)}${String(n).padStart(16, '0')}`
  const code = codeOf(n)
  const named = { firstName: FIRST_NAMES[n % 10]!, lastName: lastName(Math.floor(n / 10)) }
  const person = { ...template.participant, ...named, email: `person${n}@example.com` }
  const order: Order = { ...template, id, code, participant: person, externalId: `REQ-${n}`, createdAt: new Date(at) }
  return {
    id,
    code,
    at,
    template: template.id,
    sealed: sealOrder(testKeyring, TENANT, order, composeView(order)),
    searchKeys: hashSearchKeys(testKeyring, TENANT, order),
    searchCodes: codeIds(testKeyring, TENANT, order),
  }
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Formats a time as the first ten digits of an id. */
const inBase32 = (at: number) =>
  Array.from({ length: 10 }, (_, k) => DIGITS[Math.floor(at / 32 ** (9 - k)) % 32]).join('')

async function insert({ pool }: ConsoleService, copies: ReturnType<typeof copyOf>[]): Promise<void> {
  // Arrays of arrays must be rectangular in PostgreSQL, so these travel as text.
  const asText = (values: string[]) => `{${values.map((value) => JSON.stringify(value)).join(',')}}`
  await pool`
    with copied as (
      insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, blocking_keys,
        sealed_answer, search_keys, search_codes)
      select o.tenant_id, c.id, c.code, o.company_id, o.location_id, o.status, to_timestamp(c.at / 1000.0),
        to_timestamp(c.at / 1000.0), '{}', c.sealed, c.search_keys::bigint[], c.search_codes::bytea[]
      from unnest(
        ${copies.map(({ template }) => template)}::text[], ${copies.map(({ id }) => id)}::text[],
        ${copies.map(({ code }) => code)}::text[], ${copies.map(({ at }) => at)}::bigint[],
        ${copies.map(({ sealed }) => sealed)}::bytea[],
        ${copies.map(({ searchKeys }) => numbersText(searchKeys))}::text[],
        ${copies.map(({ searchCodes }) => asText(searchCodes))}::text[])
        as c (template, id, code, at, sealed, search_keys, search_codes)
      join orders o on o.tenant_id = ${TENANT} and o.id = c.template
      returning tenant_id, company_id, location_id, id, status, updated_at)
    insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
    select * from copied`
}

/** Copies the newest row of a table, older by a half minute each, so that no page opens what is sealed in them. */
async function multiply({ pool }: ConsoleService, table: string, count: number): Promise<void> {
  const columns = await pool<{ name: string; type: string }[]>`
    select attname as name, atttypid::regtype::text as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`
  const values = columns.map(({ name, type }) => {
    if (name === 'id') return `split_part(t.id, '_', 1) || '_0' || lpad(n::text, 25, '0')`
    if (name === 'state') return `case when t.state = 'waiting' then 'failed' else t.state end`
    return type === 'timestamp with time zone' ? `t.${name} - n * interval '30 seconds'` : `t.${name}`
  })
  const [template] = await pool<{ id: string }[]>`select id from ${identifiers(table)} order by id desc limit 1`
  await pool.transaction(
    (db) =>
      db.script(`insert into ${table} (${columns.map(({ name }) => name).join(', ')}) select ${values.join(', ')}
        from ${table} t, generate_series(1, ${count}) n where t.id = '${template!.id}'`),
    { isUnlimited: true },
  )
}
