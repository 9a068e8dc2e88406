import { clinicZone } from '../../domain/places/zone-of.ts'
import { localTime } from '../../domain/places/zones.ts'
import type { TimeRow, TimesRequest } from '../../store/bookings/bookings.ts'
import type { Store } from '../../store/store.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Bookings of one day that are looked at, far more than any tenant has. */
const MOST_OF_DAY = 20_000

/** The orders with an appointment on a date in the zone of their clinic, the earliest first. */
export async function idsOfDay(
  { date, ...filter }: { date: string } & Pick<TimesRequest, 'clinicId' | 'isActive'>,
  { bookings }: Pick<Store, 'bookings'>,
  tenantId: string,
): Promise<string[]> {
  const rows = await bookings.timesBetween(tenantId, { ...aroundDate(date), ...filter, most: MOST_OF_DAY })
  return rows.filter((row) => localTime(row.appointmentAt, zoneOf(row)).date === date).map(({ id }) => id)
}

/** Zones are at most fourteen hours ahead of UTC, and twelve behind. */
function aroundDate(date: string) {
  const start = Date.parse(`${date}T00:00Z`)
  return { from: new Date(start - 14 * HOUR_MS), until: new Date(start + DAY_MS + 12 * HOUR_MS) }
}

const zoneOf = ({ lat, long, ...row }: TimeRow) =>
  clinicZone({ ...row, point: lat === null || long === null ? null : { lat, long } }) ?? 'UTC'
