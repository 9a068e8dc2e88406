import { parseReference } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { isSamePerson } from '../../domain/orders/same-person.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Store } from '../../store/store.ts'

/** Orders given by id or code; with `person`, also all other orders of the same people. */
export interface Selection {
  tenantId: string
  orders: readonly string[]
  person: boolean
}

export type OrderParts = Pick<Store, 'orders' | 'transaction'>

const BATCH = 500

/** Reads the selected orders. Personal data is sealed, so finding all orders of a person reads every order of the tenant. */
export async function selectOrders(
  { tenantId, orders: names, person }: Selection,
  store: OrderParts,
): Promise<Order[]> {
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

async function findOrder(tenantId: string, name: string, store: OrderParts): Promise<Order[]> {
  const lookup = { tenantId, ...parseReference(name) }
  const [found = []] = await store.transaction((tx) => tx.orders.lockNamed([lookup]))
  if (found.length === 0) throw refuse('notFound', `Tenant "${tenantId}" has no order "${name}".`)
  return found
}
