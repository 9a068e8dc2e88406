export interface Toast {
  id: number
  text: string
  tone: 'good' | 'bad'
  /** Seconds until it goes. */
  left: number
  onUndo?: (() => void) | undefined
  /** What is done when the time for Undo is over. */
  onEnd?: (() => void) | undefined
}

const MOST_SHOWN = 3

/** Adds a toast. Of more than three, the oldest go, except those with something that is still to be done. */
export function withToast(shown: readonly Toast[], toast: Toast): Toast[] {
  const all = [...shown, toast]
  const settled = all.filter(({ onEnd }) => onEnd === undefined)
  const dropped = new Set(settled.slice(0, Math.max(0, all.length - MOST_SHOWN)))
  dropped.delete(toast)
  return all.filter((each) => !dropped.has(each))
}

/** The toast that the key for Undo is about. */
export const newestUndoable = (shown: readonly Toast[]): Toast | undefined =>
  shown.findLast(({ onUndo }) => onUndo !== undefined)
