import { composeView } from '../../src/domain/orders/view.ts'
import { sealOrder } from '../../src/store/orders/rows.ts'
import { testKeyring, type TestDatabase } from './service.ts'

interface Name {
  id: string
  code: string
}

/** Rows per statement. */
const AT_ONCE = 1_000

/** Adds copies of an order with other ids and codes, sealed as the service would. */
export async function copyOrder(database: TestDatabase, tenantId: string, id: string, names: Name[]): Promise<void> {
  const template = (await database.store.orders.find(tenantId, id))!
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const copies = names.slice(from, from + AT_ONCE).map((name) => {
      const order = { ...template, ...name }
      return { ...name, sealed: sealOrder(testKeyring, tenantId, order, composeView(order)) }
    })
    await database.pool`
      insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, expires_at, due_at,
        awaited_clinic_id, appointment_at, specimen_keys, blocking_keys, sealed_answer)
      select o.tenant_id, c.id, c.code, o.company_id, o.location_id, o.status, o.created_at, o.updated_at, o.expires_at, o.due_at,
        o.awaited_clinic_id, o.appointment_at, o.specimen_keys, o.blocking_keys, c.sealed
      from orders o cross join unnest(
        ${copies.map((copy) => copy.id)}::text[], ${copies.map(({ code }) => code)}::text[],
        ${copies.map(({ sealed }) => sealed)}::bytea[]) as c (id, code, sealed)
      where o.tenant_id = ${tenantId} and o.id = ${id}`
  }
}
