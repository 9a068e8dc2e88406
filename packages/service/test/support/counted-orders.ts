import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../src/domain/access/caller.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { NewOrder } from '../../src/store/orders/insertion.ts'
import type { OrderFilter } from '../../src/store/orders/filter.ts'
import type { TestDatabase } from './service.ts'

/** The time of the first order; three orders share each of the following times, three seconds apart. */
export const START = Date.parse('2026-03-01T00:00:00.000Z')

/** A minimal order for tests of lists and counts. */
export function orderAt(i: number, { company, status }: { company: string; status: OrderStatus }): Order {
  const at = new Date(START + Math.floor(i / 3) * 3_000)
  return {
    id: makeId('ord', at, randomBytes),
    code: randomBytes(8).toString('hex'),
    company: { id: company, name: company },
    location: { id: `${company}${i % 2}`, name: 'x' },
    status,
    services: [],
    participant: {
      firstName: 'A',
      lastName: 'B',
      middleName: null,
      birthDate: null,
      email: null,
      phone: null,
      identifiers: [],
    },
    delivery: { type: 'mobile', phone: '' },
    externalId: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: null,
    appointmentAt: null,
  } as unknown as Order
}

export const toRow = (order: Order): NewOrder => ({
  tenantId: 't',
  order,
  view: { order: '{}', participant: '{}' },
  blockingKeys: [],
})

const callerOf = (companyIds: string[]) =>
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
