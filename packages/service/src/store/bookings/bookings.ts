import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import { openOrder, contentColumns, type ContentRow } from '../orders/rows.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { eligibleClinics, type ClinicNeeds, type ClinicSearch } from './eligible-clinics.ts'

/** An order whose participant still has to go to its clinic, and whether that clinic is active. */
export interface BookingRow extends Omit<Order, 'clinic'> {
  clinic: { id: string; name: string }
  isActive: boolean
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
    const open = (row: ContentRow & { isActive: boolean }): BookingRow => {
      const order = openOrder(keyring, tenantId, row)
      // `awaited_clinic_id` is set only for orders with a clinic.
      const { id, name } = order.clinic!
      return { ...order, clinic: { id, name }, isActive: row.isActive }
    }
    return { total, rows: rows.map((row) => open(row)) }
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
