import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openOrder, contentColumns, type ContentRow } from '../orders/rows.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { eligibleClinics, type ClinicNeeds, type ClinicSearch } from './eligible-clinics.ts'

/** An order whose participant still has to go to its clinic. */
export interface BookingRow extends Pick<Order, 'id' | 'company' | 'location' | 'appointmentAt' | 'expiresAt'> {
  code: string
  status: string
  clinic: { id: string; name: string }
  /** Whether the clinic is active. */
  isActive: boolean
}

type BookingFilter = PageRequest & Filter<'clinicId'> & Filter<'isActive', boolean>

type Row = ContentRow & Pick<BookingRow, 'code' | 'status' | 'expiresAt' | 'isActive'>

export const bookings = (db: Db, keyring: Keyring) => ({
  /** Open bookings by appointment; those without a time come last. */
  async pageOpen(tenantId: string, { clinicId, isActive, ...page }: BookingFilter): Promise<Page<BookingRow>> {
    const { rows, total } = await pageOf<Row>(db, page, {
      from: sql`
        from orders o join clinics c on c.tenant_id = o.tenant_id and c.id = o.awaited_clinic_id
        where o.tenant_id = ${tenantId} and o.awaited_clinic_id is not null
          ${andEqual({ 'o.awaitedClinicId': clinicId, 'c.isActive': isActive })}`,
      order: sql`o.appointment_at nulls last, o.id`,
      pick: sql`o.id, c.is_active`,
      show: sql`
        select ${contentColumns()}, code, status, expires_at, picked.is_active
        from orders where tenant_id = ${tenantId} and id = picked.id`,
    })
    return { total, rows: rows.map((row) => toBooking(row, openOrder(keyring, tenantId, row))) }
  },

  async countOpen(tenantId: string, clinicIds: string[]): Promise<number> {
    if (clinicIds.length === 0) return 0
    const { total } = await db.only<{ total: number }>`
      select count(*)::int as total from orders where tenant_id = ${tenantId} and awaited_clinic_id = any(${clinicIds})`
    return total
  },

  eligibleClinics: (tenantId: string, needs: ClinicNeeds, search: ClinicSearch) =>
    eligibleClinics(db, tenantId, needs, search),
})

const toBooking = (
  { id, code, status, expiresAt, isActive }: Row,
  { company, location, clinic, appointmentAt }: Order,
) => ({
  id,
  code,
  status,
  company,
  location,
  // `awaited_clinic_id` is set only for orders with a clinic.
  clinic: { id: clinic!.id, name: clinic!.name },
  isActive,
  appointmentAt,
  expiresAt,
})
