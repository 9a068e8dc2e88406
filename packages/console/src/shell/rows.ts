import { useState } from 'react'
import { useShortcut } from './keyboard.tsx'

interface Rows<T> {
  rows: readonly T[]
  /** The id of what is open beside the list. */
  opened: string | undefined
  idOf: (row: T) => string
  onOpen: (id: string | undefined) => void
}

/** J, K and the arrows move, Enter opens beside the list, Escape closes. An open panel follows the row. */
export function useRows<T>({ rows, opened, idOf, onOpen }: Rows<T>): { at: number; setAt: (at: number) => void } {
  const [moved, setMoved] = useState<{ id: string; at: number }>()
  // The row is followed when others come and go; if it goes, the next one takes its place.
  const found = rows.findIndex((row) => idOf(row) === (moved?.id ?? opened))
  const at = found >= 0 || !moved ? found : Math.min(moved.at, rows.length - 1)
  const setAt = (next: number) => {
    if (rows[next]) setMoved({ id: idOf(rows[next]), at: next })
  }
  const move = (step: number) => {
    leaveControl()
    const next = Math.max(0, Math.min(rows.length - 1, at + step))
    setAt(next)
    if (opened !== undefined && rows[next]) onOpen(idOf(rows[next]))
  }
  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  useShortcut('arrowdown', () => move(1))
  useShortcut('arrowup', () => move(-1))
  useShortcut('enter', () => rows[at] && onOpen(idOf(rows[at])))
  useShortcut('escape', () => onOpen(undefined), opened !== undefined)
  return { at, setAt }
}

/** A chip or a tab with the focus would take Enter, which opens the row from now on. */
export function leaveControl(): void {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && !focused.closest('aside, [data-at=true]')) focused.blur()
}
