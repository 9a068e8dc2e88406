import type { OrderPlaces } from '../../domain/bookings/order-zone.ts'
import type { Order } from '../../domain/orders/order.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { ClinicRow } from '../catalog/clinics.ts'
import { openOrder, contentColumns, type ContentRow } from '../orders/rows.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { eligibleClinics, type ClinicNeeds, type ClinicSearch } from './eligible-clinics.ts'

/** An order whose participant still has to go to its clinic, and whether that clinic is active. */
export interface BookingRow extends Omit<Order, 'clinic'> {
  clinic: { id: string; name: string }
  isActive: boolean
}

/** Where an order takes place, by the ids of the catalog. */
export interface PlacedOrder {
  id: string
  companyId: string | null
  locationId: string | null
  clinicId: string | null
}

export interface PlacedTime {
  id: string
  appointmentAt: Date | null
}

export interface PlacesRow extends OrderPlaces {
  /** Whether the clinic is active; null without a clinic. */
  isActive: boolean | null
}

export interface TakenRequest {
  from: Date
  until: Date
  /** The order that is about to be booked. */
  except: string
}

export interface TimesRequest extends Filter<'clinicId'>, Filter<'isActive', boolean> {
  from: Date
  until: Date
  most: number
}

/** An appointment, and what is known of where its clinic is. */
export interface TimeRow extends Pick<ClinicRow, 'lat' | 'long' | 'address'> {
  id: string
  appointmentAt: Date
  timezone: string | null
}

type BookingFilter = PageRequest & Filter<'clinicId'> & Filter<'isActive', boolean>

export const bookings = (db: Db, keyring: Keyring) => ({
  /** Open bookings by appointment; those without a time come last. */
  async pageOpen(tenantId: string, { clinicId, isActive, ...page }: BookingFilter): Promise<Page<BookingRow>> {
    const { rows, total } = await pageOf<ContentRow & { isActive: boolean }>(db, page, {
      from: sql`
        from orders o join clinics c on c.tenant_id = o.tenant_id and c.id = o.awaited_clinic_id
        where o.tenant_id = ${tenantId} and o.awaited_clinic_id is not null
          ${andEqual({ 'o.awaitedClinicId': clinicId, 'c.isActive': isActive })}`,
      order: sql`o.appointment_at nulls last, o.id`,
      pick: sql`o.id, c.is_active`,
      show: sql`
        select ${contentColumns()}, picked.is_active
        from orders where tenant_id = ${tenantId} and id = picked.id`,
    })
    return { total, rows: rows.map((row) => openBooking(keyring, tenantId, row)) }
  },

  /** The times of open bookings at all clinics or one, from one time to before another, with what is known of where the clinic is. */
  timesBetween: (tenantId: string, { from, until, clinicId, isActive, most }: TimesRequest) => db<TimeRow[]>`
    select o.id, o.appointment_at, c.lat, c.long, c.address, r.record ->> 'timezone' as timezone
    from orders o join clinics c on c.tenant_id = o.tenant_id and c.id = o.awaited_clinic_id
    left join clinic_records r on r.tenant_id = c.tenant_id and r.id = c.id
    where o.tenant_id = ${tenantId} and o.awaited_clinic_id is not null and o.appointment_at is not null
      and o.appointment_at >= ${from} and o.appointment_at < ${until}
      ${andEqual({ 'o.awaitedClinicId': clinicId, 'c.isActive': isActive })}
    order by o.appointment_at, o.id limit ${most}`,

  /** Open bookings by the ids of their orders, in this order. */
  async findOpen(tenantId: string, ids: readonly string[]): Promise<BookingRow[]> {
    const rows = await db<(ContentRow & { isActive: boolean })[]>`
      select ${contentColumns()}, (
        select is_active from clinics c where c.tenant_id = orders.tenant_id and c.id = orders.awaited_clinic_id) as is_active
      from orders where tenant_id = ${tenantId} and id = any(${ids}) and awaited_clinic_id is not null`
    const found = new Map(rows.map((row) => [row.id, openBooking(keyring, tenantId, row)]))
    return ids.flatMap((id) => found.get(id) ?? [])
  },

  async countOpen(tenantId: string, clinicIds: string[]): Promise<number> {
    if (clinicIds.length === 0) return 0
    const { total } = await db.only<{ total: number }>`
      select count(*)::int as total from orders where tenant_id = ${tenantId} and awaited_clinic_id = any(${clinicIds})`
    return total
  },

  /** Makes bookings at a clinic wait for each other until the transaction ends, so that two cannot both take the last place. */
  async lockClinic(tenantId: string, clinicId: string): Promise<void> {
    await db`select pg_advisory_xact_lock(hashtext('order-testing-bookings'), hashtext(${`${tenantId} ${clinicId}`}))`
  },

  /** The times of the open bookings at a clinic, from one time to before another, without those of one order. */
  takenTimes: (tenantId: string, clinicId: string, { from, until, except }: TakenRequest) => db.values<Date>`
      select appointment_at from orders
      where tenant_id = ${tenantId} and awaited_clinic_id = ${clinicId} and id <> ${except}
        and appointment_at >= ${from} and appointment_at < ${until}`,

  /** Where an order takes place: its clinic, if it has one, and its location, else the company. */
  findPlaces: (tenantId: string, { company, location, clinic }: Pick<Order, 'company' | 'location' | 'clinic'>) =>
    db.only<PlacesRow>`
      select c.lat, c.long, c.address as clinic_address, c.is_active, r.record ->> 'timezone' as timezone, coalesce(l.address, y.address) as address
      from (select) as one
      left join clinics c on c.tenant_id = ${tenantId} and c.id = ${clinic?.id ?? null}
      left join clinic_records r on r.tenant_id = c.tenant_id and r.id = c.id
      left join locations l on l.tenant_id = ${tenantId} and l.id = ${location.id}
      left join companies y on y.tenant_id = ${tenantId} and y.id = ${company.id}`,

  /** The same for the orders of a page in one statement, with the time that was booked. */
  placesOf: (tenantId: string, orders: readonly PlacedOrder[]) => db<(PlacesRow & PlacedTime)[]>`
      select given.id, o.appointment_at, c.lat, c.long, c.address as clinic_address, c.is_active,
        r.record ->> 'timezone' as timezone, coalesce(l.address, y.address) as address
      from ${givenRows(orders, { text: ['id', 'companyId', 'locationId', 'clinicId'] })}
      join orders o on o.tenant_id = ${tenantId} and o.id = given.id
      left join clinics c on c.tenant_id = ${tenantId} and c.id = given.clinic_id
      left join clinic_records r on r.tenant_id = c.tenant_id and r.id = c.id
      left join locations l on l.tenant_id = ${tenantId} and l.id = given.location_id
      left join companies y on y.tenant_id = ${tenantId} and y.id = given.company_id`,

  /** Which of these clinics get e-mail about booked times: those with an address, unless the settings of the order's location say no. */
  informedClinics: (
    tenantId: string,
    { company, location }: Pick<Order, 'company' | 'location'>,
    clinicIds: string[],
  ) =>
    db.values`
      select r.id from clinic_records r
      left join companies y on y.tenant_id = ${tenantId} and y.id = ${company.id}
      left join locations l on l.tenant_id = ${tenantId} and l.id = ${location.id}
      where r.tenant_id = ${tenantId} and r.id = any(${clinicIds}) and r.record ->> 'email' is not null
        and coalesce((l.settings ->> 'clinicEmails')::boolean, (y.settings ->> 'clinicEmails')::boolean, true)`,

  eligibleClinics: (tenantId: string, needs: ClinicNeeds, search: ClinicSearch) =>
    eligibleClinics(db, tenantId, needs, search),
})

function openBooking(keyring: Keyring, tenantId: string, row: ContentRow & { isActive: boolean }): BookingRow {
  const order = openOrder(keyring, tenantId, row)
  // `awaited_clinic_id` is set only for orders with a clinic.
  const { id, name } = order.clinic!
  return { ...order, clinic: { id, name }, isActive: row.isActive }
}
