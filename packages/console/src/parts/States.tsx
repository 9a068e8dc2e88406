import { IconCheck, IconCopy, IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode } from 'react'
import { problemsOf, requestIdOf, statusOf } from '../api/failures.ts'
import { useWords } from '../languages/words.tsx'
import { Button } from './Button.tsx'
import { sortRefusal, type SortedRefusal } from './refusals.ts'
import { sentenceOf } from './sentences.ts'
import * as times from './times.ts'
import css from './parts.module.css'

export { sentenceOf }

/** What is there when nothing is there. */
export function Empty({
  title,
  detail,
  icon,
  tone = 'good',
  children,
}: {
  title: string
  detail: string
  tone?: 'good' | 'neutral'
  icon?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={css.state}>
      <span className={css.stateIcon} data-tone={tone}>
        {icon ?? <IconCheck size={30} stroke={2} />}
      </span>
      <h2>{title}</h2>
      <p>{detail}</p>
      {children !== undefined && <div className={css.stateActions}>{children}</div>}
    </div>
  )
}

interface FailureProps {
  error: unknown
  onRetry?: () => void
  title?: string
  /** In place of the words for the error. */
  detail?: string | undefined
}

/** Says what happened, that nothing was changed, and how to ask about it. */
export function Failure({ error, onRetry, title, detail: given }: FailureProps) {
  const words = useWords()
  const [at] = useState(() => new Date())
  const requestId = requestIdOf(error)
  const detail = given ?? sentenceOf(error, words)
  const report = [detail, requestId, at.toISOString(), location.href].filter(Boolean).join('\n')
  return (
    <div className={css.state} role="alert">
      <span className={css.stateIcon} data-tone="bad">
        <IconPlugConnectedX size={26} stroke={1.75} />
      </span>
      <h2>{title ?? words.states.failed}</h2>
      <p>{detail}</p>
      <div className={css.stateActions}>
        {onRetry && (
          <Button look="filled" size="form" onClick={onRetry}>
            {words.actions.tryAgain}
          </Button>
        )}
        <Button size="form" icon={<IconCopy size={15} />} onClick={() => void navigator.clipboard.writeText(report)}>
          {words.actions.copyDetails}
        </Button>
      </div>
      <code>{[requestId, times.exactClock(words, at)].filter(Boolean).join(' · ')}</code>
    </div>
  )
}

/** The problems of a refused form, each beside its field. */
export function useRefusal(error: unknown, shown: readonly string[], zone?: string): SortedRefusal {
  const words = useWords()
  const sorted = sortRefusal(problemsOf(error), shown, { words, zone })
  const isExplained = problemsOf(error).length > 0 && statusOf(error) !== 403 && (statusOf(error) ?? 500) < 500
  if (!error || isExplained) return sorted
  return { at: () => undefined, rest: sentenceOf(error, words, zone) }
}

/** Says so if loading takes long. */
export function SlowNotice() {
  const words = useWords()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 3000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className={css.slow} role="status">
      {isSlow ? (
        <>
          <span className={css.spinner} /> {words.states.slow}
        </>
      ) : (
        <span className="hidden-visually">{words.states.loading}</span>
      )}
    </p>
  )
}

/** A grey bar in place of a text that is not there yet. */
export const Bone = ({ width, height = 9 }: { width: number | string; height?: number }) => (
  <span data-bone className={css.bone} style={{ width, height }} />
)
