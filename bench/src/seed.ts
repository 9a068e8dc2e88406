import { setTimeout as sleep } from 'node:timers/promises'
import { blockingKeysOf } from '@order-testing/service/operations/matching/match'
import { connect, type Pool } from '@order-testing/service/store/db/pool'
import { Keyring } from '@order-testing/service/store/sealing/keyring'
import { composeView } from '@order-testing/service/domain/orders/view'
import { sealOrder } from '@order-testing/service/store/orders/rows'
import { orders } from '@order-testing/service/store/orders/orders'
import { BIRTH_DATES, COMPANIES, KEY, orderBody, post, TENANT, type World } from './world.ts'

/** Rows per statement. */
const BATCH = 2_000
const YEAR_MS = 365 * 86_400_000

export interface Seeded {
  /** The code of one of the orders. */
  code: string
  specimenId: string
  /** A time before which about half of them were created. */
  middle: string
}

/** Fills a company with copies of a real order, spread over a year, and waits until the counts are folded. */
export async function seedOrders(
  { origin, pool, databaseUrl, ...tokens }: World,
  { company, count }: { company: 'few' | 'many'; count: number },
): Promise<Seeded> {
  const identify = (n: number) => ({ code: codeOf(company, n), specimenId: `${company}-specimen-${n}` })
  const start = Date.now() - YEAR_MS
  const known = { ...identify(10 * Math.floor(count / 20)), middle: new Date(start + YEAR_MS / 2).toISOString() }
  const [there] = await pool`select from orders where tenant_id = ${TENANT} and code = ${known.code}`
  if (there) return known
  const { id } = await post(`${origin}/api/v2/orders`, tokens[company], orderBody(company))
  const template = await readTemplate(pool, id)
  const births = birthKeys(template)
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => from + i)
    const copies = numbers.map((n) => makeCopy(template, company, n, Math.floor(start + n * (YEAR_MS / count))))
    await insertCopies(pool, { id, company, copies, births })
  }
  await vacuum(databaseUrl, 'orders, blocking_keys')
  await waitUntilFolded(pool)
  await vacuum(databaseUrl, 'order_changes, order_chunks')
  return known
}

/** Uses its own connection, without the statement timeout of the service. */
async function vacuum(databaseUrl: string, tables: string): Promise<void> {
  const pool = connect(databaseUrl, { max: 1, silenceMs: Number.POSITIVE_INFINITY })
  await pool.script('set statement_timeout = 0')
  await pool.script(`vacuum (analyze) ${tables}`)
  await pool.end()
}

/** Waits until the service has folded all changes into chunks and split those that are too large. */
async function waitUntilFolded(pool: Pool): Promise<void> {
  for (;;) {
    const [left] = await pool<{ is: boolean }[]>`
      select exists (select from order_changes) or exists (select from order_chunks where n >= 2000) as is`
    if (!left?.is) return
    await sleep(500)
  }
}

const keyring = new Keyring([KEY])

type Order = Parameters<typeof blockingKeysOf>[0]

async function readTemplate(pool: Pool, orderId: string): Promise<Order> {
  const order = await orders(pool, keyring).lockVisible({ tenantId: TENANT, companyIds: COMPANIES } as never, orderId)
  if (!order) throw new Error('Order not found.')
  return order
}

/** The blocking keys of this order for each birth date that order bodies use. */
const birthKeys = (order: Order): string[] =>
  BIRTH_DATES.map((birthDate) => {
    const [, born] = blockingKeysOf({ ...order, participant: { ...order.participant, birthDate } })
    return String(keyring.hash(`${TENANT} ${born}`))
  })

const codeOf = (company: string, n: number) => `${company.toUpperCase()}-${n}`

interface Copy {
  n: number
  at: number
  id: string
  specimenKey: string
  answer: string
  content: string
}

/** Copies the order under another id, sealed as the service does. */
function makeCopy(template: Order, company: string, n: number, at: number): Copy {
  const id = `ord_${inBase32(at)}${String(n).padStart(16, '0')}`
  const order = { ...template, id }
  const sealed = sealOrder(keyring, TENANT, order, composeView(order))
  const [answer, content] = [sealed.sealedAnswer.toString('hex'), sealed.sealedContent.toString('hex')]
  const specimenKey = String(keyring.hash(`${TENANT} specimen ${company}-specimen-${n}`))
  return { n, at, id, specimenKey, answer, content }
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Formats a time as the first ten digits of an id. */
const inBase32 = (at: number) =>
  Array.from({ length: 10 }, (_, k) => DIGITS[Math.floor(at / 32 ** (9 - k)) % 32]).join('')

interface Copies {
  id: string
  company: string
  copies: Copy[]
  births: string[]
}

/** Every tenth order is scheduled and has a specimen, the others are negative; each is for a different person. */
const insertCopies = (pool: Pool, { id, company, copies, births }: Copies) => pool`
  with template as (select * from orders where tenant_id = ${TENANT} and id = ${id}),
  made as (
    select * from unnest(${copies.map(({ n }) => n)}::int[], ${copies.map(({ at }) => at)}::bigint[],
      ${copies.map((copy) => copy.id)}::text[], ${copies.map(({ specimenKey }) => specimenKey)}::bigint[],
      ${copies.map(({ answer }) => answer)}::text[],
      ${copies.map(({ content }) => content)}::text[]) as made (n, at, id, specimen_key, answer, content)),
  copied as (
    insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at,
      specimen_keys, sealed_answer, sealed_content, blocking_keys)
    select t.tenant_id, m.id, upper(${company}::text) || '-' || n, t.company_id, ${company}::text || '-' || (1 + n % 4),
      case when n % 10 = 0 then 'scheduled' else 'negative' end,
      to_timestamp(at / 1000.0), to_timestamp(at / 1000.0), null,
      case when n % 10 = 0 then array[m.specimen_key] else '{}' end,
      decode(m.answer, 'hex'), decode(m.content, 'hex'),
      -- Only open orders are matched. Those at the first location share a blocking key, and some a birth date.
      case when n % 10 <> 0 then '{}' else case when n % 4 = 0 then array[t.blocking_keys[1], (${births}::bigint[])[1 + n / 4 % cardinality(${births}::bigint[])]]
        else array[t.blocking_keys[1] + n % 4, n::bigint * 8 * 1000003] end
        || array(select (n::bigint * 8 + k) * 1000003 from generate_series(3, cardinality(t.blocking_keys)) k) end
    from made m cross join template t
    returning tenant_id, company_id, location_id, id, status, updated_at)
  insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
  select * from copied`
