import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OrderParticipant } from '@order-testing/client/operator'
import { useEffect, useState } from 'react'
import { plainName } from '../../api/masking.ts'
import { revealParticipant, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { MaskedValue } from '../../parts/MaskedValue.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import css from './order.module.css'

const REVEALED_SECONDS = 60

/** Masked until somebody asks, then shown for a minute. Asking is recorded. */
export function Participant({ read }: { read: ReadOrder }) {
  const words = useWords()
  const mayReveal = useMay('operator.participants.read')
  const { person, left, reveal, hide, error, isBusy } = useReveal(read.order.id)
  const { participant: masked } = read.order
  const canReveal = mayReveal && masked !== null
  useShortcut('v', () => (person ? hide() : reveal()), canReveal)
  if (masked === null)
    return (
      <section className={css.side}>
        <h2>{words.order.participant}</h2>
        <p className={css.quiet}>{words.order.noParticipant}</p>
      </section>
    )
  const lines: [string, string | null, string | null | undefined][] = [
    [words.order.birthDate, masked.birthDate, person?.birthDate],
    ...masked.identifiers.map((each, index): [string, string, string | undefined] => [
      words.order.identifier,
      each.value,
      person?.identifiers?.[index]?.value,
    ]),
    [words.order.phone, masked.phone, person?.phone],
    [words.order.email, masked.email, person?.email],
  ]
  return (
    <section className={css.side} aria-label={words.order.participant}>
      <h2>
        {words.order.participant}
        <small>
          <IconEye size={14} /> {words.order.recorded}
        </small>
      </h2>
      <dl className={css.person}>
        <dt>{words.order.name}</dt>
        <dd>{person ? <MaskedValue masked={null} revealed={fullName(person)} /> : masked.name}</dd>
        {lines.map(([label, hidden, shown]) => (
          <div key={label} className={css.personLine}>
            <dt>{label}</dt>
            <dd>
              <MaskedValue masked={hidden} revealed={shown} />
            </dd>
          </div>
        ))}
      </dl>
      {canReveal && (
        <div className={css.row}>
          <Button
            icon={person ? <IconEyeOff size={15} /> : <IconEye size={15} />}
            keys="v"
            isBusy={isBusy}
            onClick={person ? hide : reveal}
          >
            {person ? words.order.hide : words.order.reveal}
          </Button>
          {person && (
            <span className={css.countdown} role="timer">
              {words.order.seconds(left)}
            </span>
          )}
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className={css.problem}>
          {error}
        </p>
      )}
    </section>
  )
}

const fullName = ({ firstName, middleName, lastName }: OrderParticipant) =>
  plainName([firstName, middleName, lastName].filter(Boolean).join(' '))

function useReveal(id: string) {
  const words = useWords()
  const queries = useQueryClient()
  const [shown, setShown] = useState<{ person: OrderParticipant; until: number }>()
  const [now, setNow] = useState(() => Date.now())
  const read = useMutation({
    mutationFn: () => revealParticipant(id),
    onSuccess: (person) => {
      setNow(Date.now())
      if (person) setShown({ person, until: Date.now() + REVEALED_SECONDS * 1000 })
      // The time line says that it was read.
      void queries.invalidateQueries({ queryKey: ['order'] })
    },
  })
  useEffect(() => {
    if (!shown) return undefined
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= shown.until) setShown(undefined)
    }, 250)
    return () => clearInterval(timer)
  }, [shown])
  return {
    person: shown?.person,
    left: shown ? Math.max(0, Math.ceil((shown.until - now) / 1000)) : 0,
    reveal: () => read.mutate(),
    hide: () => setShown(undefined),
    isBusy: read.isPending,
    error: read.error ? sentenceOf(read.error, words) : undefined,
  }
}
