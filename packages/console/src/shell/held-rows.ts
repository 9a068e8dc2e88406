import { useState } from 'react'

interface Held<T> {
  idOf: (row: T) => string
  /** Which list this is: another list starts anew. */
  list: string
  /** Whether somebody has chosen a row, which must not move. */
  isHeld: boolean
  /** Whether the person brought this row here, so that it need not wait. */
  isOwn?: (row: T) => boolean
}

/** Rows that come between those that are shown wait until somebody asks for them. What is read on below is shown at once. */
export function useHeldRows<T>(rows: readonly T[], { idOf, list, isHeld, isOwn }: Held<T>) {
  const [known, setKnown] = useState({ list: '', ids: '' })
  const ids = known.list === list ? new Set(known.ids.split(' ')) : undefined
  const lastKnown = ids ? rows.findLastIndex((row) => ids.has(idOf(row))) : -1
  const isFresh = (row: T, index: number) =>
    isHeld && ids !== undefined && index < lastKnown && !ids.has(idOf(row)) && isOwn?.(row) !== true
  const shown = rows.filter((row, index) => !isFresh(row, index))
  const next = shown.map(idOf).join(' ')
  // As React advises for what follows from the last render: it draws again at once, before anything is seen.
  if (known.list !== list || known.ids !== next) setKnown({ list, ids: next })
  return { shown, fresh: rows.length - shown.length, showFresh: () => setKnown({ list: '', ids: '' }) }
}
