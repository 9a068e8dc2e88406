import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { bookingsOfDayQuery, clinicBookingsQuery, clinicDayQuery, strandedQuery } from '../../api/bookings.ts'
import { catalogQuery } from '../../api/catalog.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { Allowed } from '../../shell/Allowed.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { BookHere } from './BookHere.tsx'
import { ClinicList } from './ClinicList.tsx'
import { addDays, isDate, noonOf, today } from './day.ts'
import { DaySheet } from './DaySheet.tsx'
import { RebookPanel } from './RebookPanel.tsx'
import { WeekSheet } from './WeekSheet.tsx'
import { byNeed } from './ranking.ts'
import css from './bookings.module.css'

/** Who comes to which clinic on a day. */
export default function BookingsPage() {
  const words = useWords()
  return (
    <Allowed title={words.bookings.title} scope="operator.orders.read">
      <ClinicBookings />
    </Allowed>
  )
}

function ClinicBookings() {
  const words = useWords()
  usePageTitle(words.bookings.title)
  const { date, chosen, isRebooking, isWeek, go } = usePlace()
  const catalog = useQuery(catalogQuery)
  const booked = useQuery(bookingsOfDayQuery(date))
  const stranded = useQuery(strandedQuery)
  const ranked = useMemo(
    () => byNeed(catalog.data?.clinics ?? [], booked.data ?? [], stranded.data ?? []),
    [catalog.data, booked.data, stranded.data],
  )
  const isReady = catalog.data !== undefined && booked.data !== undefined && stranded.data !== undefined
  const clinic = ranked.find(({ clinic: { id } }) => id === chosen)?.clinic ?? (isReady ? ranked[0]?.clinic : undefined)
  const error = catalog.error ?? booked.error ?? stranded.error
  return (
    <>
      <TopBar title={words.bookings.title}>
        <DayPicker date={date} step={isWeek ? 7 : 1} onChange={(next) => go({ date: next })} />
        <ViewChoice isWeek={isWeek} onChange={(week) => go({ view: week ? 'week' : undefined })} />
      </TopBar>
      {(stranded.data?.length ?? 0) > 0 && (
        <div className={css.notice} data-tone="warn" role="status">
          <IconAlertTriangle size={16} />
          <b>{words.bookings.stranded(stranded.data!.length)}</b> <span>{words.bookings.strandedDetail}</span>
        </div>
      )}
      {error && !isReady ? (
        <Failure error={error} />
      ) : (
        <div className={css.split} data-open={chosen !== undefined}>
          <ClinicList
            ranked={ranked}
            date={date}
            isLoading={!isReady}
            chosen={clinic?.id}
            onOpen={(id) => go({ clinic: id })}
          />
          {clinic && (
            <ClinicColumn
              key={`${clinic.id} ${date}`}
              {...{ clinic, date, isRebooking, isWeek }}
              onBack={() => go({ clinic: undefined })}
              onOpenDay={(day) => go({ clinic: clinic.id, date: day, view: undefined })}
              onRebook={(isOpen) => go({ clinic: clinic.id, rebook: isOpen ? '1' : undefined })}
            />
          )}
        </div>
      )}
    </>
  )
}

/** What the address says, and how to change it. */
function usePlace() {
  const search = useSearch({ from: '/signedIn/bookings' })
  const navigate = useNavigate({ from: '/bookings' })
  const date = isDate(search.date) ? search.date : today()
  const go = (changes: Partial<Record<'date' | 'clinic' | 'rebook' | 'view', string | undefined>>) => {
    const { rebook: _, ...kept } = search
    const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== undefined)
    void navigate({ search: Object.fromEntries(next), replace: true })
  }
  return { date, chosen: search.clinic, isRebooking: search.rebook !== undefined, isWeek: search.view === 'week', go }
}

const SHOWN_DAYS = 7

function ViewChoice({ isWeek, onChange }: { isWeek: boolean; onChange: (isWeek: boolean) => void }) {
  const { bookings } = useWords()
  useShortcut('w', () => onChange(!isWeek))
  return (
    <Choice
      look="segments"
      label={bookings.view}
      value={isWeek ? 'week' : 'day'}
      onChange={(value) => onChange(value === 'week')}
      options={[
        { value: 'day', label: bookings.day },
        { value: 'week', label: bookings.week },
      ]}
    />
  )
}

interface PickerProps {
  date: string
  /** How many days the arrows go. */
  step: number
  onChange: (date: string) => void
}

function DayPicker({ date, step, onChange }: PickerProps) {
  const words = useWords()
  useShortcut('t', () => onChange(today()))
  useShortcut('arrowleft', () => onChange(addDays(date, -step)))
  useShortcut('arrowright', () => onChange(addDays(date, step)))
  const first = date < today() || date >= addDays(today(), SHOWN_DAYS) ? addDays(date, -3) : today()
  const strip = Array.from({ length: SHOWN_DAYS }, (_, index) => addDays(first, index))
  return (
    <>
      <IconButton
        data-keep
        label={step > 1 ? words.bookings.previousWeek : words.bookings.previous}
        onClick={() => onChange(addDays(date, -step))}
      >
        <IconChevronLeft size={16} />
      </IconButton>
      <b data-keep className={css.date}>
        {times.weekday(words, noonOf(date))}
      </b>
      <IconButton
        data-keep
        label={step > 1 ? words.bookings.nextWeek : words.bookings.next}
        onClick={() => onChange(addDays(date, step))}
      >
        <IconChevronRight size={16} />
      </IconButton>
      <Button keys="t" onClick={() => onChange(today())}>
        {words.bookings.today}
      </Button>
      <span className={css.strip}>
        <Choice
          look="segments"
          label={words.bookings.days}
          value={date}
          onChange={onChange}
          options={strip.map((each) => ({ value: each, label: dayName(words.locale, each) }))}
        />
      </span>
    </>
  )
}

const dayName = (locale: string, date: string) =>
  noonOf(date).toLocaleDateString(locale, { weekday: 'short', day: 'numeric' })

interface ColumnProps {
  clinic: ReturnType<typeof byNeed>[number]['clinic']
  date: string
  isRebooking: boolean
  isWeek: boolean
  onOpenDay: (date: string) => void
  onBack: () => void
  onRebook: (isOpen: boolean) => void
}

function ClinicColumn({ isWeek, ...props }: ColumnProps) {
  if (isWeek) return <WeekSheet {...props} />
  return <DayColumn {...props} />
}

function DayColumn({ clinic, date, isRebooking, onBack, onRebook }: Omit<ColumnProps, 'isWeek'>) {
  const [wanted, setWanted] = useState<{ at: string | undefined }>()
  const mayBook = useMay('operator.orders.write', 'operator.participants.write') && clinic.isActive && date >= today()
  const day = useQuery(clinicDayQuery(clinic.id, date))
  const all = useQuery(clinicBookingsQuery(clinic.id))
  const stranded = useQuery(strandedQuery)
  if (day.error && !day.data) return <Failure error={day.error} onRetry={() => void day.refetch()} />
  if (!day.data) return <SlowNotice />
  // A clinic that is off loses all its bookings, not only those of the day.
  const toMove = clinic.isActive
    ? day.data.bookings
    : (stranded.data ?? []).filter((booking) => booking.clinic.id === clinic.id)
  // The panel keeps the bookings that it was opened with.
  const isKnown = clinic.isActive || stranded.data !== undefined
  return (
    <>
      <DaySheet
        clinic={clinic}
        day={day.data}
        walkIns={(all.data ?? []).filter(({ appointmentAt }) => appointmentAt === null)}
        toMove={toMove.length}
        onBack={onBack}
        onRebook={() => onRebook(true)}
        onBook={mayBook ? (at?: string) => setWanted({ at }) : undefined}
      />
      {wanted && <BookHere {...{ clinic }} day={day.data} at={wanted.at} onClose={() => setWanted(undefined)} />}
      {isRebooking && isKnown && <RebookPanel bookings={toMove} date={date} onClose={() => onRebook(false)} />}
    </>
  )
}
