import { useWords } from '../../languages/words.tsx'
import css from './bookings.module.css'

/** More boxes than this cannot be counted at a glance. */
const MOST_BOXES = 8

/** A box for each place, filled if it is taken, and how many are free. */
export function Places({ capacity, taken }: { capacity: number; taken: number }) {
  const { bookings } = useWords()
  const over = taken - capacity
  return (
    <>
      {capacity <= MOST_BOXES && (
        <span className={css.boxes} aria-hidden="true">
          {Array.from({ length: capacity }, (_, index) => (
            <i key={index} className={css.box} data-taken={index < taken} />
          ))}
        </span>
      )}
      <small>{over > 0 ? bookings.over(over) : over === 0 ? bookings.full : bookings.free(-over)}</small>
    </>
  )
}
