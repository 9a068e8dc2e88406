import { IconChevronLeft } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import type { CatalogClinicOutput } from '@order-testing/client/operator'
import { clinicDayQuery } from '../../api/bookings.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { noonOf, today } from './day.ts'
import { Places } from './Places.tsx'
import { hoursOf, weekOf, type Cell } from './week.ts'
import css from './bookings.module.css'

interface Props {
  clinic: CatalogClinicOutput
  date: string
  onBack: () => void
  onOpenDay: (date: string) => void
}

/** A week of a clinic by hours: what is booked, free and closed. */
export function WeekSheet({ clinic, date, onBack, onOpenDay }: Props) {
  const words = useWords()
  const dates = weekOf(date)
  const days = useQueries({ queries: dates.map((each) => clinicDayQuery(clinic.id, each)) })
  const error = days.find((day) => day.error && !day.data)?.error
  const read = days.flatMap(({ data }) => data ?? [])
  const rows = read.length === dates.length ? hoursOf(read) : []
  if (error) return <Failure error={error} />
  return (
    <article className={css.sheet} aria-label={clinic.name}>
      <header className={css.sheetHead}>
        <IconButton label={words.actions.back} className={css.back} onClick={onBack}>
          <IconChevronLeft size={18} />
        </IconButton>
        <div>
          <h2>{clinic.name}</h2>
          <p>{words.bookings.weekDetail}</p>
        </div>
      </header>
      {read.length < dates.length && <SlowNotice />}
      {/* On small screens it scrolls, and keys must reach it. */}
      <div className={css.weekFrame} tabIndex={0} role="region" aria-label={words.bookings.week}>
        <table className={css.week}>
          <thead>
            <tr>
              <td />
              {dates.map((each, index) => (
                <th key={each} scope="col" data-today={each === today()}>
                  <button type="button" onClick={() => onOpenDay(each)}>
                    {noonOf(each).toLocaleDateString(words.locale, { weekday: 'short', day: 'numeric' })}
                  </button>
                  <small>{days[index]!.data && words.bookings.count(days[index]!.data.bookings.length, null)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ hour, cells }) => (
              <tr key={hour}>
                <th scope="row">{hourName(words, hour)}</th>
                {cells.map((cell, index) => (
                  <td key={dates[index]} data-closed={!cell.isOpen} className={css.hour}>
                    <HourCell cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {read.length === dates.length && rows.length === 0 && <p className={css.quiet}>{words.bookings.nothingThen}</p>}
    </article>
  )
}

function HourCell({ cell: { isOpen, places, booked } }: { cell: Cell }) {
  const { bookings } = useWords()
  if (places && isOpen) return <Places {...places} />
  if (booked > 0) return <small>{bookings.count(booked, null)}</small>
  return <small>{isOpen ? bookings.open : bookings.closed}</small>
}

const hourName = ({ locale }: Words, hour: number) =>
  new Date(2026, 0, 1, hour).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
