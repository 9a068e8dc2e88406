import type { CatalogClinicOutput, OpenBooking } from '@order-testing/client/operator'

export interface RankedClinic {
  clinic: CatalogClinicOutput
  /** Booked this day. */
  booked: number
  /** Bookings that must move, because the clinic is off. */
  stranded: number
}

/** Clinics that are off but booked come first, then the busiest. Clinics that are off without bookings are left out. */
export function byNeed(
  clinics: readonly CatalogClinicOutput[],
  ofDay: readonly OpenBooking[],
  stranded: readonly OpenBooking[],
): RankedClinic[] {
  const count = (bookings: readonly OpenBooking[]) => {
    const counts = new Map<string, number>()
    for (const { clinic } of bookings) counts.set(clinic.id, (counts.get(clinic.id) ?? 0) + 1)
    return counts
  }
  const [booked, left] = [count(ofDay), count(stranded)]
  return clinics
    .map((clinic) => ({ clinic, booked: booked.get(clinic.id) ?? 0, stranded: left.get(clinic.id) ?? 0 }))
    .filter((each) => each.clinic.isActive || each.booked + each.stranded > 0)
    .toSorted((a, b) => b.stranded - a.stranded || b.booked - a.booked || a.clinic.name.localeCompare(b.clinic.name))
}
