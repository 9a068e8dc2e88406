import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

interface Named {
  id: string
  name: string
}

/** An order whose participant has still to go to its clinic. */
export interface BookingRow {
  id: string
  code: string
  status: string
  company: Named
  location: Named
  clinic: Named
  isActive: boolean
  /** As it is presented. */
  appointmentAt: string | null
  expiresAt: Date | null
}

export interface BookingFilter extends PageRequest {
  clinicId?: string | undefined
  isActive?: boolean | undefined
}

/** Open bookings, by the clinic that awaits the participant. */
export const bookings = (db: Db) => ({
  /** The next appointment first, then those who come at any time. */
  pageOpen: (tenantId: string, { clinicId, isActive, ...page }: BookingFilter): Promise<Page<BookingRow>> =>
    pageOf<BookingRow>(db, page, {
      from: sql`
        from orders o join clinics c on c.tenant_id = o.tenant_id and c.id = o.awaited_at
        where o.tenant_id = ${tenantId} and o.awaited_at is not null
          ${clinicId === undefined ? sql`` : sql`and o.awaited_at = ${clinicId}`}
          ${isActive === undefined ? sql`` : isActive ? sql`and c.is_active` : sql`and not c.is_active`}`,
      order: sql`o.content ->> 'appointmentAt' collate "C" nulls last, o.id`,
      pick: sql`o.id, c.is_active`,
      show: sql`
        select id, code, status, expires_at, content -> 'company' as company, content -> 'location' as location,
          jsonb_build_object('id', content #> '{clinic,id}', 'name', content #> '{clinic,name}') as clinic,
          content ->> 'appointmentAt' as appointment_at, picked.is_active
        from orders where tenant_id = ${tenantId} and id = picked.id`,
    }),

  async countOpen(tenantId: string, clinicIds: string[]): Promise<number> {
    if (clinicIds.length === 0) return 0
    const [row] = await db<{ total: number }[]>`
      select count(*)::int as total from orders where tenant_id = ${tenantId} and awaited_at = any(${clinicIds})`
    return row!.total
  },
})
