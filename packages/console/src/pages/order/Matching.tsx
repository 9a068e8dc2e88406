import { useState } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Time } from '../../parts/Time.tsx'
import { matchesOf, pointsOf, type Match } from './matches.ts'
import css from './order.module.css'

/** Requests that were answered with this order instead of a new one, and why. */
export function Matching({ read }: { read: ReadOrder }) {
  const words = useWords()
  const [shown, setShown] = useState<Match>()
  const matches = matchesOf(read.timeline)
  if (matches.length === 0) return null
  return (
    <section className={css.side} aria-label={words.matching.title}>
      <h2>
        {words.matching.title} <small>{matches.length}</small>
      </h2>
      {matches.slice(0, 3).map((match) => (
        <p key={match.at}>
          {words.matching.again} <Time at={match.at} zone={read.timezone} isReachable />.{' '}
          {words.matching.score(match.score, match.minScore)}{' '}
          <Button look="bare" onClick={() => setShown(match)}>
            {words.matching.compare}
          </Button>
        </p>
      ))}
      {shown && <Comparison read={read} match={shown} onClose={() => setShown(undefined)} />}
    </section>
  )
}

/** What was asked for, how it compares with what was found, and which rule decided. */
function Comparison({ read, match, onClose }: { read: ReadOrder; match: Match; onClose: () => void }) {
  const words = useWords()
  const { fields, kinds, caps } = words.matching
  return (
    <Dialog
      title={words.matching.dialog}
      subtitle={
        <>
          <code className={css.dialogCode}>{read.order.code}</code> ·{' '}
          {words.matching.score(match.score, match.minScore)}
        </>
      }
      onClose={onClose}
      size={640}
      footer={
        <Button size="form" keys="escape" onClick={onClose}>
          {words.actions.close}
        </Button>
      }
    >
      <table className={css.comparison}>
        <thead>
          <tr>
            <th scope="col">{words.matching.member}</th>
            <th scope="col">{words.matching.asked}</th>
            <th scope="col">{words.matching.found}</th>
            <th scope="col">{words.matching.points}</th>
          </tr>
        </thead>
        <tbody>
          {match.parts.map((part) => (
            <tr key={part.field}>
              <th scope="row">{fields[part.field] ?? part.field}</th>
              <td data-kind={part.kind}>{kinds[part.kind] ?? part.kind}</td>
              <td>{onFile(read, part.field, words)}</td>
              <td>{words.matching.of(pointsOf(part), part.weight)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <b>{words.matching.decided}</b>{' '}
        {match.caps.length === 0
          ? words.matching.noLimit
          : match.caps.map(({ reason, limit }) => `${caps[reason] ?? reason} (${limit}).`).join(' ')}{' '}
        {words.matching.threshold(match.score, match.minScore, words.matching.profiles[match.profile] ?? match.profile)}
      </p>
      <p className={css.quiet}>{words.matching.notKept}</p>
    </Dialog>
  )
}

/** The masked value of the order. */
function onFile({ order: { participant } }: ReadOrder, field: string, words: Words): string {
  if (participant === null) return words.none
  const values: Record<string, string | null> = {
    first: participant.name.split(' ').slice(0, -1).join(' '),
    last: participant.name.split(' ').at(-1) ?? null,
    birthDate: participant.birthDate,
    identifiers: participant.identifiers.map(({ value }) => value).join(', '),
    email: participant.email,
    phone: participant.phone,
  }
  return values[field] ?? words.matching.hidden
}
