import { setTimeout as sleep } from 'node:timers/promises'
import { wordsOf } from '@order-testing/service/operations/match-order'
import type { Pool } from '@order-testing/service/store/db/pool'
import { Keyring } from '@order-testing/service/store/keyring'
import { orders } from '@order-testing/service/store/orders'
import { BIRTH_DATES, COMPANIES, KEY, orderBody, post, TENANT, type World } from './world.ts'

/** Rows of one statement. */
const BATCH = 50_000
const YEAR_MS = 365 * 86_400_000

export interface Seeded {
  /** Of one of the orders. */
  code: string
  specimenId: string
  /** A time that about half of them were created before. */
  middle: string
}

/** Fills a company with copies of a real order, spread over a year, and waits until they are counted. */
export async function seedOrders(
  { origin, pool, ...tokens }: World,
  { company, count }: { company: 'few' | 'many'; count: number },
): Promise<Seeded> {
  const seeded = (n: number) => ({ code: codeOf(company, n), specimenId: `${company}-specimen-${n}` })
  const start = Date.now() - YEAR_MS
  const known = { ...seeded(10 * Math.floor(count / 20)), middle: new Date(start + YEAR_MS / 2).toISOString() }
  const [there] = await pool`select from orders where tenant_id = ${TENANT} and code = ${known.code}`
  if (there) return known
  const { id } = await post(`${origin}/api/v2/orders`, tokens[company], orderBody(company))
  const births = await birthKeys(pool, id)
  for (let from = 0; from < count; from += BATCH) {
    const to = Math.min(from + BATCH, count) - 1
    await copyOrders(pool, { id, company, start, step: YEAR_MS / count, from, to, births })
  }
  await pool.script('vacuum (analyze) orders')
  await untilCounted(pool)
  await pool.script('vacuum (analyze) order_changes, order_chunks')
  return known
}

/** Until the service has folded all changes into chunks, and split those that have grown too large. */
async function untilCounted(pool: Pool): Promise<void> {
  for (;;) {
    const [left] = await pool<{ is: boolean }[]>`
      select exists (select from order_changes) or exists (select from order_chunks where n >= 2000) as is`
    if (!left?.is) return
    await sleep(500)
  }
}

/** What orders like this one are found by when they are for somebody born on one of the days that bodies name. */
async function birthKeys(pool: Pool, orderId: string): Promise<string[]> {
  const keyring = new Keyring([KEY])
  const order = await orders(pool, keyring).lockVisible({ tenantId: TENANT, companyIds: COMPANIES } as never, orderId)
  return BIRTH_DATES.map((birthDate) => {
    const [, born] = wordsOf({ ...order!, participant: { ...order!.participant, birthDate } })
    return String(keyring.hash(`${TENANT} ${born}`))
  })
}

const codeOf = (company: string, n: number) => `${company.toUpperCase()}-${n}`

interface Copies {
  id: string
  company: string
  start: number
  step: number
  from: number
  to: number
  births: string[]
}

/** Every tenth has a specimen and is scheduled, the others are negative; each is for another person. */
const copyOrders = (pool: Pool, { id, company, start, step, from, to, births }: Copies) => pool`
  with template as (select * from orders where tenant_id = ${TENANT} and id = ${id}),
  made as (
    select n, at, 'ord_' || (
        select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((at >> (5 * k)) & 31)::int + 1, 1), '' order by k desc)
        from generate_series(0, 9) k
      ) || lpad(n::text, 16, '0') as id
    from (select n, (${start}::float8 + n * ${step}::float8)::bigint as at from generate_series(${from}::int, ${to}::int) n) numbered),
  copied as (
    insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at,
      specimen_ids, head, participant, identifiers, content, match_keys)
    select t.tenant_id, m.id, upper(${company}::text) || '-' || n, t.company_id, ${company}::text || '-' || (1 + n % 4),
      case when n % 10 = 0 then 'scheduled' else 'negative' end,
      to_timestamp(at / 1000.0), to_timestamp(at / 1000.0), null,
      case when n % 10 = 0 then array[${company}::text || '-specimen-' || n] else '{}' end,
      replace(t.head, t.id, m.id), t.participant, null, t.content,
      -- Only open orders are matched. At the first location they have the same gate, and a birth date that some share.
      case when n % 10 <> 0 then '{}' else case when n % 4 = 0 then array[t.match_keys[1], (${births}::bigint[])[1 + n / 4 % cardinality(${births}::bigint[])]]
        else array[t.match_keys[1] + n % 4, n::bigint * 8 * 1000003] end
        || array(select (n::bigint * 8 + k) * 1000003 from generate_series(3, cardinality(t.match_keys)) k) end
    from made m cross join template t
    returning tenant_id, company_id, location_id, id, status, updated_at)
  insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
  select * from copied`
