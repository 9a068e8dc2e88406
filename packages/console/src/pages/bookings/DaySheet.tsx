import { IconAlertTriangle, IconArrowsExchange, IconChevronLeft, IconPlus, IconPrinter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CatalogClinicOutput, ClinicDay, OpenBooking } from '@order-testing/client/operator'
import { nameOf } from '../../api/bookings.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { linesOf, noonOf, type Line } from './day.ts'
import { Places } from './Places.tsx'
import css from './bookings.module.css'

interface Props {
  clinic: CatalogClinicOutput
  day: ClinicDay
  walkIns: OpenBooking[]
  /** How many bookings can be rebooked from here. */
  toMove: number
  onBack: () => void
  onRebook: () => void
  /** Books a slot; absent where nothing can be booked. */
  onBook: ((at?: string) => void) | undefined
}

/** A day of a clinic from morning to evening, and below it who may come at any time. */
export function DaySheet({ clinic, day, walkIns, toMove, onBack, onRebook, onBook }: Props) {
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
          <p className={css.printed}>{times.weekday(words, noonOf(day.date))}</p>
          <p>{describe(clinic, day, words)}</p>
        </div>
        <span className={css.actions}>
          <PrintButton />
          {toMove > 0 && <RebookButton count={toMove} onRebook={onRebook} />}
          {onBook && <NewButton onNew={() => onBook()} />}
        </span>
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
        <DayLine key={line.at} line={line} zone={day.zone} isAtRisk={isAtRisk} onBook={onBook} />
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
  const mayWrite = useMay('operator.orders.write', 'operator.participants.write')
  useShortcut('r', onRebook, mayWrite)
  if (!mayWrite) return null
  return (
    <Button keys="r" icon={<IconArrowsExchange size={15} />} onClick={onRebook}>
      {words.bookings.rebook(count)}
    </Button>
  )
}

/** Prints the sheet alone. Names stay masked: paper lies around. */
function PrintButton() {
  const words = useWords()
  useShortcut('p', () => window.print())
  return (
    <Button keys="p" icon={<IconPrinter size={15} />} onClick={() => window.print()}>
      {words.bookings.print}
    </Button>
  )
}

function NewButton({ onNew }: { onNew: () => void }) {
  const words = useWords()
  useShortcut('n', onNew)
  return (
    <Button keys="n" look="filled" icon={<IconPlus size={15} />} onClick={onNew}>
      {words.bookings.newTitle}
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

interface LineProps extends Pick<Props, 'onBook'> {
  line: Line
  zone: string
  isAtRisk: boolean
}

function DayLine({ line, zone, isAtRisk, onBook }: LineProps) {
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
        {isClosed ? <small>{words.bookings.closed}</small> : line.places && <Places {...line.places} />}
      </span>
      <span className={css.cards}>
        {line.bookings.map((booking) => (
          <BookingCard key={booking.orderId} {...{ booking, zone }} isAtRisk={isAtRisk || isClosed} />
        ))}
        {onBook && isFree(line) && (
          <button
            type="button"
            className={css.bookHere}
            aria-label={words.bookings.bookAt(clock(line.at))}
            onClick={() => onBook(line.at)}
          >
            <IconPlus size={14} /> {words.bookings.bookHere}
          </button>
        )}
      </span>
    </div>
  )
}

const isFree = ({ places, at }: Line) =>
  places !== null && places.taken < places.capacity && Date.parse(at) > Date.now()

function BookingCard({ booking, zone, isAtRisk }: { booking: OpenBooking; zone: string; isAtRisk: boolean }) {
  const words = useWords()
  const tests = booking.packages.join(', ') || booking.services[0]?.name
  const time = booking.appointmentAt && times.clockIn(words, new Date(booking.appointmentAt), zone)
  return (
    <Link to="/orders/$code" params={{ code: booking.code }} className={css.card} data-risk={isAtRisk}>
      <span>
        <code>{booking.code}</code> {nameOf(booking)}
      </span>
      <small>{[time, tests ?? booking.company.name].filter(Boolean).join(' · ')}</small>
    </Link>
  )
}
