import { useEffect, useRef, useState } from 'react'

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

/** When the console was used last in any tab, as all of them share a session. */
const SEEN = 'console.seenAt'
const NOTED_EVERY_MS = 5000

/** Calls after some time without use in any tab. Time that the computer slept counts. */
export function useIdle(idleSeconds: number, onIdle: () => void): void {
  const latest = useRef(onIdle)
  useEffect(() => {
    latest.current = onIdle
  })
  useEffect(() => {
    let last = Date.now()
    let noted = 0
    const live = () => {
      last = Date.now()
      if (last - noted < NOTED_EVERY_MS) return
      noted = last
      localStorage.setItem(SEEN, String(last))
    }
    const timer = setInterval(() => {
      const seen = Math.max(last, Math.min(Date.now(), Number(localStorage.getItem(SEEN))))
      if (Date.now() - seen > idleSeconds * 1000) latest.current()
    }, CHECK_MS)
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, live, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, live)
    }
  }, [idleSeconds])
}
