import { useEffect, useRef } from 'react'
import { settings } from './settings.ts'

interface Shortcut {
  keys: string
  run: (event: KeyboardEvent) => void
}

/** The latest comes first: a panel answers before the list beneath it. */
const shortcuts: Shortcut[] = []
/** How long `G` waits for its letter. */
const SEQUENCE_MS = 1500
let begun: { stroke: string; at: number } | undefined

/** Runs while the component is shown. Keys are written `j`, `shift+t`, `mod+k` or, one after the other, `g o`. */
export function useShortcut(keys: string, run: (event: KeyboardEvent) => void, isActive = true): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!isActive) return undefined
    const shortcut = { keys, run: (event: KeyboardEvent) => latest.current(event) }
    shortcuts.unshift(shortcut)
    return () => void shortcuts.splice(shortcuts.indexOf(shortcut), 1)
  }, [keys, isActive])
}

/** Listens once for the whole console. */
export function useKeyboard(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const stroke = strokeOf(event)
  if (stroke === undefined || !mayFire(event, stroke)) return
  const isWaiting = begun !== undefined && event.timeStamp - begun.at < SEQUENCE_MS
  const sequence = isWaiting ? shortcuts.find(({ keys }) => keys === `${begun!.stroke} ${stroke}`) : undefined
  begun = undefined
  const found = sequence ?? shortcuts.find(({ keys }) => keys === stroke)
  if (found) {
    event.preventDefault()
    found.run(event)
  } else if (shortcuts.some(({ keys }) => keys.startsWith(`${stroke} `))) {
    begun = { stroke, at: event.timeStamp }
  }
}

/** Single keys never fire in fields and dialogs, and can be switched off. */
function mayFire(event: KeyboardEvent, stroke: string): boolean {
  if (stroke.startsWith('mod+')) return true
  const target = event.target as HTMLElement
  if (target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]'))
    return false
  if (stroke === 'escape') return true
  // Enter presses the button or link that has the focus.
  if (stroke === 'enter') return !target.closest('button, a')
  return settings().hasSingleKeys && !event.altKey && !event.ctrlKey && !event.metaKey
}

function strokeOf(event: KeyboardEvent): string | undefined {
  const key = event.key.toLowerCase()
  if (['shift', 'control', 'meta', 'alt'].includes(key)) return undefined
  if (event.metaKey || event.ctrlKey) return `mod+${key}`
  // `?` and `/` are typed with Shift on some keyboards.
  return event.shiftKey && /^[a-z]$/.test(key) ? `shift+${key}` : key
}
