import { useEffect, useRef } from 'react'

const CHECK_MS = 3000

/** Asks the service until it answers, sooner when the network is back, and then calls once. */
export function useServiceBack(isAway: boolean, onBack: () => void): void {
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  })
  useEffect(() => {
    if (!isAway) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const check = () =>
      fetch('/console/', { cache: 'no-store', signal }).then(
        ({ ok }) => {
          if (!ok || signal.aborted) return
          closing.abort()
          latest.current()
        },
        () => undefined,
      )
    void check()
    const timer = setInterval(() => void check(), CHECK_MS)
    signal.addEventListener('abort', () => clearInterval(timer))
    window.addEventListener('online', () => void check(), { signal })
    return () => closing.abort()
  }, [isAway])
}

/** A page that cannot be loaded at all must not reload for ever. */
const AGAIN_AFTER_MS = 60_000
const RELOADED = 'console.reloadedAt'

/** Browsers keep that a file could not be loaded, so only a new page tries again. */
export function reloadAtMostOncePerMinute(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < AGAIN_AFTER_MS) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  location.reload()
}
