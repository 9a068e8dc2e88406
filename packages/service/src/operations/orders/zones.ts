import type { CatalogAddress } from '@order-testing/contract'
import { zoneOfOrder } from '../../domain/bookings/order-zone.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Transaction } from '../../store/store.ts'

/** The zone in which the times of an order are shown (ruling 56). `address` replaces that of the participant. */
export async function findZone(
  order: Order,
  { tx, tenantId }: { tx: Pick<Transaction, 'bookings'>; tenantId: string },
  address: CatalogAddress | null = order.participant.address,
): Promise<string> {
  return zoneOfOrder(await tx.bookings.findPlaces(tenantId, order), order, address)
}
