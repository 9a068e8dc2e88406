import type { RowSelectionState } from '@tanstack/react-table'
import { useState } from 'react'

/** With a row added or removed. */
export function toggled(selection: RowSelectionState, id: string): RowSelectionState {
  const { [id]: was, ...others } = selection
  return was ? others : { ...others, [id]: true }
}

/** With all rows from one to another. */
export function withRange(
  selection: RowSelectionState,
  ids: readonly string[],
  from: number,
  to: number,
): RowSelectionState {
  const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ...selection, ...chosen(range) }
}

export const chosen = (ids: readonly string[]): RowSelectionState =>
  Object.fromEntries(ids.map((id) => [id, true as const]))

const NOTHING = { rows: {} as RowSelectionState, isAll: false, last: '' }

/** The selected rows, and whether all orders of the filter are meant. Another filter selects nothing. */
export function useSelection(list: string, ids: readonly string[]) {
  const [state, setState] = useState<{ list: string; rows: RowSelectionState; isAll: boolean; last: string }>()
  const { rows, isAll, last } = state?.list === list ? state : NOTHING
  const set = (next: RowSelectionState, latest = last, all = false) =>
    setState({ list, rows: next, isAll: all, last: latest })
  return {
    rows,
    isAll,
    /** Keeps what the table or an action has chosen. */
    set: (next: RowSelectionState) => set(next),
    clear: () => set({}, ''),
    selectAll: () => set(chosen(ids), last, true),
    toggle: (id: string) => set(toggled(rows, id), id),
    /** From the row that was chosen last. */
    extendTo: (id: string) => {
      const from = ids.indexOf(last)
      const to = ids.indexOf(id)
      set(from < 0 ? { ...rows, [id]: true } : withRange(rows, ids, from, to), id)
    },
  }
}
