import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clinicDayQuery } from '../../api/bookings.ts'
import { useWords } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'
import { sentenceOf, SlowNotice } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import css from './slots.module.css'

interface Props {
  clinicId: string
  zone: string
  /** A time of the clinic, as a `datetime-local` value; empty for any time. */
  value: string
  /** Whether full slots may be taken, too. */
  mayOverbook: boolean
  onChange: (value: string) => void
  /** Why the service refused the time. */
  error?: string | undefined
}

const SHOWN_DAYS = 7
const DAY_MS = 86_400_000

/** The days of a clinic as chips, and the slots of the chosen day with what is left. */
export function SlotPicker({ clinicId, zone, value, mayOverbook, onChange, error }: Props) {
  const words = useWords()
  const [days] = useState(() => nextDays(zone))
  const [date, setDate] = useState(() => value.slice(0, 10) || days[0]!)
  return (
    <fieldset className={css.picker}>
      <legend>{`${words.book.time}, ${times.zoneName(words, zone)}`}</legend>
      <Choice
        label={words.bookings.days}
        value={date}
        onChange={setDate}
        options={days.map((each) => ({ value: each, label: times.weekday(words, new Date(`${each}T12:00:00`)) }))}
      />
      <Slots {...{ clinicId, zone, date, value, mayOverbook, onChange }} />
      <label className={css.any}>
        <input type="radio" name="slot" checked={value === ''} onChange={() => onChange('')} /> {words.order.anyTime}
      </label>
      {error !== undefined && (
        <p role="alert" className={css.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** The next dates where the clinic is. */
const nextDays = (zone: string): string[] =>
  Array.from({ length: SHOWN_DAYS }, (_, index) =>
    times.toLocal(new Date(Date.now() + index * DAY_MS), zone).slice(0, 10),
  )

function Slots({ clinicId, zone, date, value, mayOverbook, onChange }: Props & { date: string }) {
  const words = useWords()
  const day = useQuery(clinicDayQuery(clinicId, date))
  if (day.error) return <p role="alert">{sentenceOf(day.error, words)}</p>
  if (!day.data) return <SlowNotice />
  const slots = (day.data.slots ?? []).filter(({ at }) => Date.parse(at) > Date.now())
  if (slots.length === 0) return <p className={css.none}>{words.book.noSlots}</p>
  return (
    <div className={css.slots}>
      {slots.map(({ at, capacity, taken }) => {
        const local = times.toLocal(new Date(at), zone)
        const left = Math.max(0, capacity - taken)
        return (
          <label key={at} className={css.slot} data-full={left === 0}>
            <input
              type="radio"
              name="slot"
              checked={value === local}
              disabled={left === 0 && !mayOverbook}
              onChange={() => onChange(local)}
            />
            <b>{times.clockIn(words, new Date(at), zone)}</b>
            <small>{left === 0 ? words.bookings.full : words.book.left(left)}</small>
          </label>
        )
      })}
    </div>
  )
}
