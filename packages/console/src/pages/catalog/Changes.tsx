import { IconBuildingOff, IconCalendarX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CatalogChanges, CatalogClinicOutput } from '@order-testing/client/operator'
import { Link } from '@tanstack/react-router'
import { clinicBookingsQuery } from '../../api/bookings.ts'
import { useWords } from '../../languages/words.tsx'
import { Time } from '../../parts/Time.tsx'
import list from '../../shell/list.module.css'
import { isOpenAt } from './hours.ts'
import css from './catalog.module.css'

const MOST_SHOWN = 50
const RANKS = ['deactivate', 'change', 'add']
const TONES: Record<string, string> = { add: 'good', change: 'warn', deactivate: 'bad' }

/** What applying a file would do. */
export function Changes({ changes }: { changes: CatalogChanges }) {
  const { catalog } = useWords()
  const total = changes.added + changes.changed + changes.deactivated
  // First what can do harm: of many, the rest is not listed.
  const ordered = changes.changes.toSorted((a, b) => RANKS.indexOf(a.action) - RANKS.indexOf(b.action))
  return (
    <section className={list.section} aria-label={catalog.difference}>
      <h3>
        {catalog.difference} <small>{catalog.changes(total)}</small>
      </h3>
      <ul className={css.changes}>
        {ordered.slice(0, MOST_SHOWN).map(({ kind, id, name, action, members }) => (
          <li key={`${kind} ${id}`}>
            <span data-tone={TONES[action]} className={css.action}>
              {catalog.actions[action] ?? action}
            </span>{' '}
            {name} <code>{members.join(', ')}</code>
          </li>
        ))}
      </ul>
      {changes.changes.length > MOST_SHOWN && <p>{catalog.more(changes.changes.length - MOST_SHOWN)}</p>}
      {changes.openBookings > 0 && (
        <p className={css.affected} data-tone="warn">
          <IconCalendarX size={16} /> {catalog.openBookings(changes.openBookings)}
        </p>
      )}
      {changes.openOrders > 0 && (
        <p className={css.affected} data-tone="warn">
          <IconBuildingOff size={16} /> {catalog.openOrders(changes.openOrders)}
        </p>
      )}
    </section>
  )
}

/** The bookings that a changed clinic could not keep. */
export function Affected({ clinic }: { clinic: CatalogClinicOutput }) {
  const { catalog } = useWords()
  const bookings = useQuery(clinicBookingsQuery(clinic.id)).data ?? []
  const affected = bookings.flatMap((booking) => {
    if (!clinic.isActive) return [{ booking, why: catalog.clinicOff }]
    const { appointmentAt } = booking
    return appointmentAt !== null && !isOpenAt(clinic, appointmentAt) ? [{ booking, why: catalog.closedThen }] : []
  })
  return (
    <section className={list.section} aria-label={catalog.whoIsAffected}>
      <h3>
        {catalog.whoIsAffected} <small>{catalog.affected(affected.length)}</small>
      </h3>
      {affected.slice(0, MOST_SHOWN).map(({ booking, why }) => (
        <p key={booking.orderId} className={css.booking}>
          <Link to="/orders/$code" params={{ code: booking.code }}>
            <code>{booking.code}</code>
          </Link>
          {booking.appointmentAt !== null && <Time at={booking.appointmentAt} />}
          <span data-tone="warn">{why}</span>
        </p>
      ))}
    </section>
  )
}
