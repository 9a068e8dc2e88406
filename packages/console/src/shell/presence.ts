import { useCallback, useEffect, useState } from 'react'

/** Since when the browser has no connection; undefined while it has one. */
export function useOfflineSince(): Date | undefined {
  const [since, setSince] = useState<Date | undefined>(navigator.onLine ? undefined : new Date())
  useEffect(() => {
    const [lost, found] = [() => setSince(new Date()), () => setSince(undefined)]
    window.addEventListener('offline', lost)
    window.addEventListener('online', found)
    return () => {
      window.removeEventListener('offline', lost)
      window.removeEventListener('online', found)
    }
  }, [])
  return since
}

const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
const CHECK_MS = 1000

/** Locks after some time without use. Time that the computer slept counts. */
export function useIdleLock(idleSeconds: number): { isLocked: boolean; lock: () => void; unlock: () => void } {
  const [isLocked, setLocked] = useState(false)
  useEffect(() => {
    if (isLocked) return undefined
    let last = Date.now()
    const live = () => {
      last = Date.now()
    }
    const timer = setInterval(() => {
      if (Date.now() - last > idleSeconds * 1000) setLocked(true)
    }, CHECK_MS)
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, live, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, live)
    }
  }, [idleSeconds, isLocked])
  return { isLocked, lock: useCallback(() => setLocked(true), []), unlock: useCallback(() => setLocked(false), []) }
}
