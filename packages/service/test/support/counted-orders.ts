import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../src/domain/access/caller.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { NewOrder } from '../../src/store/orders/insertion.ts'
import type { OrderFilter } from '../../src/store/orders/filter.ts'
import { orderOf } from './orders.ts'
import type { TestDatabase } from './service.ts'

/** The time of the first order; three orders share each of the following times, three seconds apart. */
export const START = Date.parse('2026-03-01T00:00:00.000Z')

/** An order without services, for tests of lists and counts. */
export function orderAt(i: number, { company, status }: { company: string; status: OrderStatus }): Order {
  const at = new Date(START + Math.floor(i / 3) * 3_000)
  return {
    ...ORDER,
    id: makeId('ord', at, randomBytes),
    code: randomBytes(8).toString('hex'),
    company: { id: company, name: company },
    location: { id: `${company}${i % 2}`, name: 'x' },
    status,
    createdAt: at,
    statusUpdatedAt: at,
    updatedAt: at,
    expiresAt: null,
  }
}

const ORDER: Order = { ...orderOf(), services: [], history: [] }

export const toRow = (order: Order): NewOrder => ({
  tenantId: 't',
  order,
  view: { order: '{}', participant: '{}' },
  blockingKeys: [],
})

export const callerOf = (companyIds: string[]) =>
  ({
    tenantId: 't',
    tokenId: 'x',
    scopes: new Set(),
    companyIds,
    catalogVersion: '1',
    senders: null,
    rateLimit: null,
  }) as Caller

/** Adds the tenant of the orders and its companies. */
export async function addCompanies({ pool }: TestDatabase, ids: readonly string[]): Promise<void> {
  await pool`insert into tenants (id, name, record) values ('t', 'T', '{}') on conflict do nothing`
  await pool`
    insert into companies (tenant_id, id, record, name, name_key, package_ids, settings, is_active)
    select 't', id, '{}', id, id, '{}', '{}', true from unnest(${[...ids]}::text[]) as id`
}

/** Expects pages of a list to have exactly the orders that a filter selects, newest first, and their total. */
export async function expectPages(
  { store }: TestDatabase,
  orders: readonly Order[],
  {
    filter,
    isSelected,
    pages,
    companies = ['a', 'b', 'c'],
  }: { filter: Partial<OrderFilter>; isSelected: (order: Order) => boolean; pages: number[]; companies?: string[] },
): Promise<void> {
  const caller = callerOf(companies)
  const selected = orders.filter((order) => isSelected(order)).map(({ id }) => id)
  const expected = selected.toSorted().toReversed()
  for (const page of pages) {
    const found = await store.orderList.page(caller, { limit: 20, page, ...filter })
    expect({ filter, page, total: found.total }).toEqual({ filter, page, total: expected.length })
    expect(found.rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 20, page * 20))
  }
}

/** Counts folded orders anew in chunks of five, and blocks of four chunks, so that a few thousand orders have as many as millions have. */
export async function makeSmallChunks({ pool }: TestDatabase): Promise<void> {
  await pool.script(`
    truncate order_blocks; truncate order_chunks;
    insert into order_chunks (tenant_id, company_id, list, start_key, n)
      select tenant_id, company_id, list, case when part = 0 then '' else min(key) end, count(*)
      from (
        select o.tenant_id, entry.company_id, list, key,
          (row_number() over (partition by o.tenant_id, entry.company_id, list order by key) - 1) / 5 as part
        from orders o cross join lateral (values
          (o.company_id, 'all', id), (o.company_id, 'status ' || status, id), (o.company_id, 'updated', updated_key(updated_at, id)),
          (o.company_id, 'location ' || location_id, id),
          ('', 'all', id), ('', 'status ' || status, id), ('', 'updated', updated_key(updated_at, id))
        ) as entry (company_id, list, key)) numbered
      group by tenant_id, company_id, list, part;
    insert into order_blocks (tenant_id, company_id, list, start_key, n)
      select tenant_id, company_id, list, min(start_key), sum(n)
      from (
        select *, (row_number() over (partition by tenant_id, company_id, list order by start_key) - 1) / 4 as part from order_chunks) c
      group by tenant_id, company_id, list, part`)
}
