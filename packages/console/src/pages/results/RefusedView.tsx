import { IconChevronLeft, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { FullRefusedMessage } from '@order-testing/client/operator'
import { refusedQuery, revealRefused } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import { Reveal, useRevealed } from './Reveal.tsx'
import { Segments } from './Segments.tsx'
import { SummaryLines, type SummaryLine } from './SummaryLines.tsx'
import css from './results.module.css'

/** A message that is no result report, or could not be read. */
export function OpenedRefused({ id, onClose }: { id: string; onClose: () => void }) {
  const message = useQuery(refusedQuery(id))
  if (message.error && !message.data) return <Failure error={message.error} onRetry={() => void message.refetch()} />
  if (!message.data) return <SlowNotice />
  return <RefusedView message={message.data} onClose={onClose} />
}

function RefusedView({ message, onClose }: { message: FullRefusedMessage; onClose: () => void }) {
  const words = useWords()
  const { refused } = words.results
  const revealed = useRevealed(message, revealRefused)
  const { text } = revealed.item
  const lines: SummaryLine[] = [
    [words.results.sender, message.sender || words.none],
    [refused.controlId, <code key="id">{message.controlId || words.none}</code>],
    [refused.door, refused.doors[message.door] ?? message.door],
    [refused.answer, <code key="code">{message.code}</code>],
    [refused.token, <code key="token">{message.tokenId}</code>],
    [refused.address, message.address ?? words.none],
    [refused.size, refused.bytes(message.size)],
    [refused.times, String(message.count)],
    [refused.first, <Time key="first" at={message.firstAt} />],
  ]
  return (
    <article className={css.report} aria-label={refused.one}>
      <header>
        <IconButton label={words.actions.back} className={css.back} onClick={onClose}>
          <IconChevronLeft size={18} />
        </IconButton>
        <h2>{refused.one}</h2>
        <p className={css.sub}>
          {message.sender || words.none} · {words.results.received} <Time at={message.lastAt} />
        </p>
      </header>
      <p className={css.why}>
        <IconInfoCircle size={16} />
        <span>
          <b>{refused.why}</b> {message.reason}
        </span>
      </p>
      <SummaryLines lines={lines} />
      {text !== undefined &&
        (text.startsWith('MSH') ? (
          <Segments message={text} isWithheld />
        ) : (
          <pre className={css.raw} tabIndex={0}>
            {text}
          </pre>
        ))}
      {text !== undefined && <Reveal {...revealed} />}
    </article>
  )
}
