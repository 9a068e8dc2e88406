import { IconCalendarPlus } from '@tabler/icons-react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Time } from '../../parts/Time.tsx'
import { useOrderActions } from './actions.tsx'
import css from './order.module.css'

export function Booking({ read }: { read: ReadOrder }) {
  const words = useWords()
  const { book, clear, canBook } = useOrderActions()
  const { clinic } = read.order
  return (
    <section className={css.side} aria-label={words.order.booking}>
      <h2>{words.order.booking}</h2>
      {clinic ? (
        <>
          <div className={css.clinicLine}>
            <span>
              <b>{clinic.name}</b>
              <small>{[clinic.address?.city, clinic.address?.state, clinic.phone].filter(Boolean).join(' · ')}</small>
            </span>
            {canBook && (
              <Button keys="b" onClick={book}>
                {words.order.change}
              </Button>
            )}
          </div>
          <p>
            {read.appointmentAt === null ? (
              words.order.anyTime
            ) : (
              <Time at={read.appointmentAt} zone={read.timezone} isReachable />
            )}
          </p>
          {canBook && read.isBooked && (
            <Button look="bare" onClick={clear}>
              {words.order.clear}
            </Button>
          )}
        </>
      ) : (
        <>
          <p className={css.quiet}>{words.order.noBooking}</p>
          {canBook && (
            <Button look="soft" icon={<IconCalendarPlus size={15} />} keys="b" onClick={book}>
              {words.order.book}
            </Button>
          )}
        </>
      )}
    </section>
  )
}
