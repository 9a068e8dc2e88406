import { useWords } from '../../languages/words.tsx'
import { Failure } from '../../parts/States.tsx'
import css from './orders.module.css'

/** What stands below the last order: that the list could not be refreshed, or that a search found more. */
export function ListEnd({ error, onRetry, isMore }: { error: unknown; onRetry: () => void; isMore: boolean }) {
  const words = useWords()
  if (error) return <Failure error={error} title={words.states.refreshFailed} onRetry={onRetry} />
  if (!isMore) return null
  return (
    <p className={css.more} role="status">
      {words.palette.more}
    </p>
  )
}
