import type { CatalogClinicOutput, CatalogFileOutput, OperatorOrder } from '@order-testing/client/operator'
import type { ListedOrder } from '../../api/masking.ts'
import { isBeforeCheckIn } from '../../parts/statuses.ts'
import { limitsOf, milesBetween } from '../bookings/proposals.ts'

/** A clinic as far as it suits an order. */
export interface Offer {
  clinic: CatalogClinicOutput
  /** From where clinics are looked for; null if that or the clinic's place is unknown. */
  miles: number | null
  /** The services of the order that it does not offer, by name. */
  missing: string[]
  /** Whether it charges more than the location or company pays; undefined without a cap. */
  isOverCap: boolean | undefined
}

export interface Offers {
  offers: Offer[]
  /** What the location or company pays at most. */
  cap: number | undefined
}

/** What an order needs of a clinic. */
export type Needs = Pick<OperatorOrder, 'services' | 'near'> & {
  order: Pick<ListedOrder, 'company' | 'location' | 'services'>
}

/** Active clinics: those with all services first, each group by distance. */
export function offersFor(read: Needs, catalog: CatalogFileOutput): Offers {
  const { cap } = limitsOf(read.order, catalog)
  const wanted = read.services.filter(({ status }) => isBeforeCheckIn(status))
  const nameOf = (id: string) => read.order.services.find((service) => service.id === id)?.name ?? id
  const offers = catalog.clinics
    .filter(({ isActive }) => isActive)
    .map((clinic): Offer => ({
      clinic,
      miles: milesBetween(read.near, clinic.coordinates),
      missing: wanted.filter(({ serviceId }) => !clinic.services.includes(serviceId)).map(({ id }) => nameOf(id)),
      isOverCap: cap === undefined || clinic.fee === undefined ? undefined : clinic.fee > cap,
    }))
    .toSorted(
      (a, b) =>
        Number(a.missing.length > 0) - Number(b.missing.length > 0) ||
        (a.miles ?? Infinity) - (b.miles ?? Infinity) ||
        a.clinic.name.localeCompare(b.clinic.name),
    )
  return { offers, cap }
}
