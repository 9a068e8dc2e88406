import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { readPulses, type Pulse } from '../api/live.ts'
import { sessionQuery } from '../api/session.ts'

interface Live {
  isConnected: boolean
  pulse: Pulse | undefined
}

const Context = createContext<Live>({ isConnected: true, pulse: undefined })

export const useLive = () => useContext(Context)

const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1000, 30_000]

/** Follows what changes while the console is shown, and lets pages read again what is no longer true. */
export function LiveArea({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [live, setLive] = useState<Live>({ isConnected: true, pulse: undefined })
  const refresh = useRefresh(queries)
  useEffect(() => {
    const closing = new AbortController()
    let isLost = false
    const onPulse = (pulse: Pulse) => {
      if (isLost) void readFailedAgain(queries)
      isLost = false
      refresh(pulse)
      setLive({ isConnected: true, pulse })
    }
    const onLost = () => {
      isLost = true
      setLive((last) => ({ ...last, isConnected: false }))
    }
    const onSignedOut = () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    void follow(closing.signal, { onPulse, onLost, onSignedOut })
    return () => closing.abort()
  }, [queries, refresh])
  return <Context value={live}>{children}</Context>
}

interface Listener {
  onPulse: (pulse: Pulse) => void
  onLost: () => void
  onSignedOut: () => void
}

/** Connects again and again, at once after a stream that ended in order, and ever later after failures. */
async function follow(signal: AbortSignal, { onPulse, onLost, onSignedOut }: Listener): Promise<void> {
  let wait = FIRST_WAIT_MS
  const heard = (pulse: Pulse) => {
    wait = FIRST_WAIT_MS
    onPulse(pulse)
  }
  while (!signal.aborted) {
    const end = await readPulses(signal, heard).catch(() => 'failed' as const)
    if (signal.aborted) return
    if (end === 'signedOut') return onSignedOut()
    if (end === 'failed') onLost()
    await pause(end === 'failed' ? wait * (0.75 + Math.random() / 2) : FIRST_WAIT_MS, signal)
    wait = Math.min(LONGEST_WAIT_MS, wait * 2)
  }
}

/** Ends early when the network is back. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    window.addEventListener('online', go)
    signal.addEventListener('abort', go, { once: true })
  })

/** Lists of orders are read again at most this often, however many orders change. */
const ORDERS_EVERY_MS = 5000
/** A list that was scrolled further down would be read again with too many requests. */
const MOST_PAGES = 3

function useRefresh(queries: QueryClient): (pulse: Pulse) => void {
  const last = useRef<Pulse>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const [refresh] = useState(() => (pulse: Pulse) => {
    const before = last.current
    last.current = pulse
    if (!before) return
    const isOther = (name: keyof Pulse) => before[name] !== pulse[name]
    if (isOther('tasks')) void queries.invalidateQueries({ queryKey: ['tasks'] })
    if (isOther('results')) void queries.invalidateQueries({ queryKey: ['results'] })
    if (isOther('receivers')) void queries.invalidateQueries({ queryKey: ['receivers'] })
    if (isOther('orders') && timer.current === undefined)
      timer.current = setTimeout(() => {
        timer.current = undefined
        void refreshOrders(queries)
      }, ORDERS_EVERY_MS)
  })
  return refresh
}

/** What failed while the service was away loads by itself when it is back. */
const readFailedAgain = (queries: QueryClient) =>
  queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })

const refreshOrders = (queries: QueryClient) =>
  queries.invalidateQueries({
    queryKey: ['orders'],
    predicate: ({ state }) => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) <= MOST_PAGES,
  })
