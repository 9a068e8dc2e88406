import { normaliseCode } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import { isSamePerson } from '../../domain/orders/same-person.ts'
import type { Store } from '../../store/store.ts'

/** Which orders are meant: those named by id or code, and with `person` all others of the same people. */
export interface Selection {
  tenantId: string
  orders: readonly string[]
  person: boolean
}

const BATCH = 500

/**
 * Orders that a selection names. People are known by what stands in their orders alone, which is sealed: finding all orders of one
 * reads every order of the tenant.
 */
export async function selectOrders({ tenantId, orders: names, person }: Selection, store: Store): Promise<Order[]> {
  const named = (await Promise.all(names.map((name) => findOrder(tenantId, name, store)))).flat()
  const found = new Map(named.map((order) => [order.id, order]))
  if (!person) return [...found.values()]
  for (let last = ''; ;) {
    const batch = await store.orders.listAfter(tenantId, last, BATCH)
    for (const order of batch) if (named.some((each) => isSamePerson(each, order))) found.set(order.id, order)
    if (batch.length < BATCH) return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    last = batch.at(-1)!.id
  }
}

async function findOrder(tenantId: string, name: string, store: Store): Promise<Order[]> {
  const code = normaliseCode(name)
  const [found = []] = await store.transaction((tx) =>
    tx.orders.lockNamed([code === null ? { tenantId, id: name } : { tenantId, code }]),
  )
  if (found.length === 0) throw refuse('notFound', `Tenant "${tenantId}" has no order "${name}".`)
  return found
}
