import type { CatalogAddress } from '@order-testing/contract'
import type { Named } from '@order-testing/contract/agencies'
import { zoneOfOrder, zoneOfPlaces } from '../../domain/bookings/order-zone.ts'
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

/** What a list tells of the times of an order. */
export interface OrderTimes {
  timezone: string
  appointmentAt: string | null
}

/** The places of an order, as the order or its view has them. */
interface Placed {
  id: string
  company: Pick<Named, 'id'> | null
  location: Pick<Named, 'id'> | null
  clinic: (Pick<Named, 'id'> & { address: CatalogAddress | null }) | null
  participant: { address: CatalogAddress | null } | null
}

/** The zones and appointments of the orders of a page, with one query, by their ids. */
export async function findTimes(
  orders: readonly Placed[],
  { tx, tenantId }: { tx: Pick<Transaction, 'bookings'>; tenantId: string },
): Promise<Map<string, OrderTimes>> {
  if (orders.length === 0) return new Map()
  const rows = await tx.bookings.placesOf(
    tenantId,
    orders.map(({ id, company, location, clinic }) => ({
      id,
      companyId: company?.id ?? null,
      locationId: location?.id ?? null,
      clinicId: clinic?.id ?? null,
    })),
  )
  const placed = new Map(orders.map((order) => [order.id, order]))
  return new Map(
    rows.map(({ id, appointmentAt, ...places }) => {
      const { clinic, participant } = placed.get(id)!
      const timezone = zoneOfPlaces(places, { clinic, address: participant?.address ?? null })
      return [id, { timezone, appointmentAt: appointmentAt?.toISOString() ?? null }]
    }),
  )
}
