import { Tooltip } from '@mantine/core'
import { useWords } from '../languages/words.tsx'
import * as times from './times.ts'
import css from './parts.module.css'

const { moment, day, clock, exactClock, short } = times
const FORMATS = { moment, day, clock, exactClock, short }

/** A time with a dotted underline: hover or focus shows UTC. */
export function Time({ at, as = 'moment' }: { at: string; as?: keyof typeof FORMATS }) {
  const words = useWords()
  const date = new Date(at)
  return (
    <Tooltip label={<TimeDetail at={date} />} events={{ hover: true, focus: true, touch: true }}>
      <time className={css.time} dateTime={at} tabIndex={-1}>
        {FORMATS[as](words, date)}
      </time>
    </Tooltip>
  )
}

function TimeDetail({ at }: { at: Date }) {
  const words = useWords()
  return (
    <span className={css.timeDetail}>
      {words.recordedIn} <b>{times.inUtc(at)}</b>
      <br />
      {times.zoneName(words)} <b>{`${times.weekday(words, at)}, ${times.exactClock(words, at)}`}</b>
    </span>
  )
}
