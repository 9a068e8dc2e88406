import { Tooltip } from '@mantine/core'
import { useWords } from '../languages/words.tsx'
import * as times from './times.ts'
import css from './parts.module.css'

const { moment, day, clock, exactClock, short, inZone } = times
const FORMATS = { moment, day, clock, exactClock, short, inZone }

interface Props {
  at: string
  as?: keyof typeof FORMATS
  /** The zone of the order or clinic that the time belongs to; without one, that of the browser. */
  zone?: string | undefined
  /** Whether it can be reached by Tab. */
  isReachable?: boolean
}

/** A time with a dotted underline: hover or focus shows UTC. */
export function Time({ at, as = 'moment', zone = times.ZONE, isReachable = false }: Props) {
  const words = useWords()
  const date = new Date(at)
  return (
    <Tooltip label={<TimeDetail at={date} zone={zone} />} events={{ hover: true, focus: true, touch: true }}>
      <time className={css.time} dateTime={at} tabIndex={isReachable ? 0 : -1}>
        {FORMATS[as](words, date, zone)}
      </time>
    </Tooltip>
  )
}

function TimeDetail({ at, zone }: { at: Date; zone: string }) {
  const words = useWords()
  return (
    <span className={css.timeDetail}>
      {words.recordedIn} <b>{times.inUtc(at)}</b>
      <br />
      {times.zoneName(words, zone)} <b>{`${times.weekday(words, at, zone)}, ${times.exactClock(words, at, zone)}`}</b>
    </span>
  )
}
