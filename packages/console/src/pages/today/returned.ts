import { useEffect, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let returned: string | undefined

/** Undo brings this task back: it is shown at once, and selected. */
export function bringBack(id: string | undefined): void {
  returned = id
  for (const listener of listeners) listener()
}

/** The task that Undo has brought back, until it is selected. */
export const useReturned = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => returned,
  )

/** Selects the returned task as soon as the list has it. */
export function useSelectReturned(at: number, onSelect: (at: number) => void): void {
  useEffect(() => {
    if (at < 0) return
    onSelect(at)
    bringBack(undefined)
  }, [at, onSelect])
}
