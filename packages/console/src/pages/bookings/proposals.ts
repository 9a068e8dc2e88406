import type { CatalogClinicOutput, CatalogFileOutput, ClinicDay, OpenBooking } from '@order-testing/client/operator'

/** How far a participant may be sent if the location does not say. */
const USUAL_MILES = 50
/** Clinics that are asked for free times for one booking. */
const MOST_ASKED = 4

/** A booking that needs another clinic, and the clinics that could take it, the nearest first. */
export interface Wanted {
  booking: OpenBooking
  clinics: { clinic: CatalogClinicOutput; miles: number | null }[]
}

export interface Proposal {
  booking: OpenBooking
  /** Null if nobody can take it that day. */
  place: { clinic: CatalogClinicOutput; at: string | null; miles: number | null; zone: string } | null
}

/** Active clinics within fee cap and radius that offer everything the order still needs. */
export function wantedOf(booking: OpenBooking, catalog: CatalogFileOutput): Wanted {
  const { cap, radius } = limitsOf(booking, catalog)
  const from = catalog.clinics.find(({ id }) => id === booking.clinic.id)
  const clinics = catalog.clinics
    .filter(({ id, isActive }) => isActive && id !== booking.clinic.id)
    .filter(({ services }) => booking.services.every(({ serviceId }) => services.includes(serviceId)))
    .filter(({ fee }) => cap === undefined || fee === undefined || fee <= cap)
    .map((clinic) => ({ clinic, miles: milesBetween(from?.coordinates, clinic.coordinates) }))
    .filter(({ miles }) => miles === null || miles <= radius)
    .toSorted((a, b) => (a.miles ?? radius) - (b.miles ?? radius))
  return { booking, clinics: clinics.slice(0, MOST_ASKED) }
}

/**
 * A clinic and time for each booking: the nearest clinic with a free time that day, and there the time closest to the one
 * they had. Places that were proposed to one person are not proposed to the next.
 */
export function propose(wanted: readonly Wanted[], days: ReadonlyMap<string, ClinicDay>, now: Date): Proposal[] {
  const given = new Map<string, number>()
  return wanted.map(({ booking, clinics }) => {
    for (const { clinic, miles } of clinics) {
      const day = days.get(clinic.id)
      const at = day && timeAt(booking, clinic, day, { given, now })
      if (day === undefined || at === undefined) continue
      if (at !== null) given.set(keyOf(clinic.id, at), (given.get(keyOf(clinic.id, at)) ?? 0) + 1)
      return { booking, place: { clinic, at, miles, zone: day.zone } }
    }
    return { booking, place: null }
  })
}

const keyOf = (clinicId: string, at: string) => `${clinicId} ${at}`

/** Null stands for any time, undefined for none. */
function timeAt(
  { appointmentAt }: OpenBooking,
  clinic: CatalogClinicOutput,
  day: ClinicDay,
  { given, now }: { given: ReadonlyMap<string, number>; now: Date },
): string | null | undefined {
  const takesWalkIns = clinic.walkIns ?? day.slots === null
  if (appointmentAt === null && takesWalkIns) return null
  const aim = clockOn(day, appointmentAt ?? day.hours?.[0]?.from)
  if (day.slots !== null) {
    const free = day.slots
      .filter(({ at, capacity, taken }) => taken + (given.get(keyOf(clinic.id, at)) ?? 0) < capacity)
      .filter(({ at }) => Date.parse(at) > now.getTime())
    return free.toSorted((a, b) => Math.abs(Date.parse(a.at) - aim) - Math.abs(Date.parse(b.at) - aim))[0]?.at
  }
  const open = day.hours?.find(({ from, until }) => Date.parse(from) <= aim && aim < Date.parse(until))
  const at = open ? aim : Date.parse(day.hours?.[0]?.from ?? '')
  return Number.isNaN(at) || at <= now.getTime() ? undefined : new Date(at).toISOString()
}

const DAY_MS = 86_400_000

/** The same time of the day, on the day of the clinic. */
function clockOn({ hours, slots }: ClinicDay, at: string | undefined): number {
  const start = Date.parse(slots?.[0]?.at ?? hours?.[0]?.from ?? at ?? '')
  if (at === undefined) return start
  const shift = (((Date.parse(at) - start) % DAY_MS) + DAY_MS) % DAY_MS
  return start + (shift > DAY_MS / 2 ? shift - DAY_MS : shift)
}

interface Placed {
  company: { id: string } | null
  location: { id: string } | null
}

/** A location's settings take precedence over those of its company. */
export function limitsOf({ company, location }: Placed, catalog: CatalogFileOutput) {
  const owner = catalog.companies.find(({ id }) => id === company?.id)
  const place = owner?.locations.find(({ id }) => id === location?.id)
  const settings = { ...owner?.settings, ...place?.settings }
  return { cap: settings.clinicFeeCap, radius: settings.clinicRadiusMiles ?? USUAL_MILES }
}

const EARTH_MILES = 3959
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

interface Point {
  lat: number
  long: number
}

/** Null if a place is unknown. */
export function milesBetween(a: Point | null | undefined, b: Point | null | undefined): number | null {
  if (!a || !b) return null
  const [lat1, lat2] = [toRadians(a.lat), toRadians(b.lat)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const chord = half(lat2 - lat1) + Math.cos(lat1) * Math.cos(lat2) * half(toRadians(b.long - a.long))
  return Math.round(2 * EARTH_MILES * Math.asin(Math.sqrt(chord)))
}
