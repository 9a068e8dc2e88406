import { useSyncExternalStore } from 'react'

/** What a person chose in this browser. */
interface Settings {
  theme: 'light' | 'dark' | 'system'
  hasSingleKeys: boolean
}

const DEFAULTS: Settings = { theme: 'system', hasSingleKeys: true }
const listeners = new Set<() => void>()
let current: Settings = read()

export const useSettings = (): Settings =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )

export const settings = (): Settings => current

export function change(changes: Partial<Settings>): void {
  current = { ...current, ...changes }
  localStorage.setItem('ots.theme', current.theme)
  localStorage.setItem('ots.singleKeys', String(current.hasSingleKeys))
  for (const listener of listeners) listener()
}

function read(): Settings {
  const theme = localStorage.getItem('ots.theme')
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : DEFAULTS.theme,
    hasSingleKeys: localStorage.getItem('ots.singleKeys') !== 'false',
  }
}
