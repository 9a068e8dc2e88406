import { IconAlertTriangle, IconArrowsExchange, IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CatalogClinicOutput, ClinicDay, OpenBooking } from '@order-testing/client/operator'
import { bookedOrderQuery } from '../../api/bookings.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { linesOf, type Line } from './day.ts'
import css from './bookings.module.css'

interface Props {
  clinic: CatalogClinicOutput
  day: ClinicDay
  walkIns: OpenBooking[]
  /** How many bookings can be rebooked from here. */
  toMove: number
  onBack: () => void
  onRebook: () => void
}

/** A day of a clinic from morning to evening, and below it who may come at any time. */
export function DaySheet({ clinic, day, walkIns, toMove, onBack, onRebook }: Props) {
  const words = useWords()
  const { bookings } = words
  const isAtRisk = !clinic.isActive
  const lines = linesOf(day)
  return (
    <article className={css.sheet} aria-label={clinic.name}>
      <header className={css.sheetHead}>
        <IconButton label={words.actions.back} className={css.back} onClick={onBack}>
          <IconChevronLeft size={18} />
        </IconButton>
        <div>
          <h2>{clinic.name}</h2>
          <p>{describe(clinic, day, words)}</p>
        </div>
        {toMove > 0 && <RebookButton count={toMove} onRebook={onRebook} />}
      </header>
      {isAtRisk && (
        <p className={css.notice} data-tone="warn">
          <IconAlertTriangle size={16} /> <b>{bookings.inactive}</b>
        </p>
      )}
      <div className={css.sectionHead}>
        <h3>{day.slots === null ? bookings.planned : bookings.appointments}</h3>
        {day.slots !== null && <Legend />}
      </div>
      {day.hours === null && <p className={css.quiet}>{bookings.unknownHours}</p>}
      {lines.map((line) => (
        <DayLine key={line.at} line={line} zone={day.zone} isAtRisk={isAtRisk} />
      ))}
      {day.bookings.length === 0 && <p className={css.quiet}>{bookings.nothing}</p>}
      {day.isMore && <p className={css.quiet}>{bookings.more}</p>}
      <section aria-label={bookings.walkIns}>
        <div className={css.sectionHead}>
          <h3>
            {bookings.walkIns} <small>{walkIns.length}</small>
          </h3>
        </div>
        <p className={css.quiet}>{walkIns.length === 0 ? bookings.noWalkIns : bookings.walkInsDetail}</p>
        <div className={css.walkIns}>
          {walkIns.map((booking) => (
            <BookingCard key={booking.orderId} booking={booking} zone={day.zone} isAtRisk={isAtRisk} />
          ))}
        </div>
      </section>
    </article>
  )
}

function RebookButton({ count, onRebook }: { count: number; onRebook: () => void }) {
  const words = useWords()
  const mayWrite = useMay('operator.orders.write')
  useShortcut('r', onRebook, mayWrite)
  if (!mayWrite) return null
  return (
    <Button keys="r" icon={<IconArrowsExchange size={15} />} className={css.rebook} onClick={onRebook}>
      {words.bookings.rebook(count)}
    </Button>
  )
}

function describe({ address, phone, slots, walkIns }: CatalogClinicOutput, day: ClinicDay, words: Words): string {
  return [
    [address?.city, address?.state].filter(Boolean).join(', '),
    phone,
    slots && day.slots !== null ? words.bookings.slots(Number(slots.minutes), slots.capacity) : words.bookings.noSlots,
    walkIns === true && words.bookings.walkInsToo,
    times.zoneName(words, day.zone),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Legend() {
  const { legend } = useWords().bookings
  return (
    <span className={css.legend} aria-hidden="true">
      <i className={css.box} data-taken="true" /> {legend.booked}
      <i className={css.box} /> {legend.free}
      <i className={css.box} data-closed="true" /> {legend.closed}
    </span>
  )
}

/** More boxes than this cannot be counted at a glance. */
const MOST_BOXES = 8

function DayLine({ line, zone, isAtRisk }: { line: Line; zone: string; isAtRisk: boolean }) {
  const words = useWords()
  const isClosed = line.kind === 'closed'
  const clock = (at: string) => times.clockIn(words, new Date(at), zone)
  return (
    <div className={css.line} data-kind={line.kind} role="group" aria-label={clock(line.at)}>
      <span className={css.time}>
        {clock(line.at)}
        {isClosed && line.until !== line.at && <small>– {clock(line.until)}</small>}
      </span>
      <span className={css.places}>
        {line.places && line.places.capacity <= MOST_BOXES && (
          <span className={css.boxes} aria-hidden="true">
            {Array.from({ length: line.places.capacity }, (_, index) => (
              <i key={index} className={css.box} data-taken={index < line.places!.taken} />
            ))}
          </span>
        )}
        <small>{isClosed ? words.bookings.closed : line.places && freeText(line.places, words)}</small>
      </span>
      <span className={css.cards}>
        {line.bookings.map((booking) => (
          <BookingCard key={booking.orderId} {...{ booking, zone }} isAtRisk={isAtRisk || isClosed} />
        ))}
      </span>
    </div>
  )
}

function freeText({ capacity, taken }: { capacity: number; taken: number }, { bookings }: Words): string {
  if (taken > capacity) return bookings.over(taken - capacity)
  return taken === capacity ? bookings.full : bookings.free(capacity - taken)
}

function BookingCard({ booking, zone, isAtRisk }: { booking: OpenBooking; zone: string; isAtRisk: boolean }) {
  const words = useWords()
  const order = useQuery(bookedOrderQuery(booking.code)).data
  const tests = order?.packages.map(({ name }) => name).join(', ') || order?.services[0]?.name
  const time = booking.appointmentAt && times.clockIn(words, new Date(booking.appointmentAt), zone)
  return (
    <Link to="/orders/$code" params={{ code: booking.code }} className={css.card} data-risk={isAtRisk}>
      <span>
        <code>{booking.code}</code> {order?.participant?.name}
      </span>
      <small>{[time, tests ?? booking.company.name].filter(Boolean).join(' · ')}</small>
    </Link>
  )
}
