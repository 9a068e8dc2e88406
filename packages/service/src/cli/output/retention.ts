import type { Erasure } from '../../operations/retention/erase-person.ts'

/** One line per order: what will be, or was, erased. */
export function erasureText(erasures: readonly Erasure[], tense: 'planned' | 'done'): string {
  return erasures.map((erasure) => `Order ${erasure.code} ${TEXTS[tense][erasure.outcome](erasure)}`).join('\n')
}

/** Nothing of the order is erased. */
export const isUntouched = ({ outcome }: Erasure) => outcome in UNTOUCHED

type Text = (erasure: Erasure) => string

const kept = ({ section, until }: Erasure) =>
  `the record of the test is kept until ${until?.toISOString().slice(0, 10)} (${section}).`

const UNTOUCHED: Pick<Record<Erasure['outcome'], Text>, 'held' | 'open'> = {
  held: () => 'is under legal hold: nothing is erased.',
  open: () => 'is still open: cancel it first, or wait for its result.',
}

const TEXTS: Record<'planned' | 'done', Record<Erasure['outcome'], Text>> = {
  planned: {
    ...UNTOUCHED,
    erased: () => 'will be erased.',
    reduced: (erasure) => `will lose notifications, events and links; ${kept(erasure)}`,
  },
  done: {
    ...UNTOUCHED,
    erased: () => 'is erased.',
    reduced: (erasure) => `has lost notifications, events and links; ${kept(erasure)}`,
  },
}
