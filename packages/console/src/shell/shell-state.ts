import { createContext, useContext } from 'react'

interface ShellState {
  openPalette: () => void
  openShortcuts: () => void
  lock: () => void
}

export const ShellContext = createContext<ShellState | undefined>(undefined)

export function useShell(): ShellState {
  const state = useContext(ShellContext)
  if (!state) throw new Error('Used outside the shell.')
  return state
}
