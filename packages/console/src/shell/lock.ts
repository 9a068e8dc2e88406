import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { statusOf } from '../api/failures.ts'
import { lockSession, sessionQuery, type Session } from '../api/session.ts'
import { useIdle } from './presence.ts'
import { useToasts } from './toasts.tsx'

/** An unattended screen is hidden earlier than its session ends. */
const LOCK_SECONDS = 15 * 60
const RETRY_MS = 3000

/** Why this page locked. A page that found its session locked does not know. */
export type LockReason = 'idle' | 'hand'

/**
 * The lock is state of the session, so that it outlives the page and holds for other tabs. The page hides at once, also
 * while the service cannot be told.
 */
export function useLock({ lockedAt, idleSeconds }: Session) {
  const [own, setOwn] = useState<{ reason: LockReason; isTold: boolean }>()
  const isServed = lockedAt !== null
  if (own && isServed && !own.isTold) setOwn({ ...own, isTold: true })
  // Unlocked in another tab.
  if (own?.isTold && !isServed) setOwn(undefined)
  const lockFor = useCallback((reason: LockReason) => setOwn((known) => known ?? { reason, isTold: false }), [])
  useIdle(Math.min(idleSeconds, LOCK_SECONDS), () => isServed || lockFor('idle'))
  return {
    isLocked: own !== undefined || isServed,
    isToldLater: own !== undefined && !own.isTold && !isServed,
    reason: own?.reason,
    lock: useCallback(() => lockFor('hand'), [lockFor]),
    unlock: useCallback(() => setOwn(undefined), []),
  }
}

/** Locks the session of a page that is locked, again and again until the service knows. */
export function useSessionLock(isToldLater: boolean): void {
  const queries = useQueryClient()
  const toasts = useToasts()
  useEffect(() => {
    if (!isToldLater) return undefined
    const closing = new AbortController()
    const { signal } = closing
    let timer: ReturnType<typeof setTimeout>
    const tell = async () => {
      // A locked session can do nothing any more, also not what was confirmed before.
      await toasts.settle()
      try {
        const locked = await lockSession(signal)
        if (!signal.aborted) queries.setQueryData(sessionQuery.queryKey, locked)
      } catch (error) {
        if (statusOf(error) === 401) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
        else if (!signal.aborted) timer = setTimeout(() => void tell(), RETRY_MS)
      }
    }
    void tell()
    return () => {
      closing.abort()
      clearTimeout(timer)
    }
  }, [isToldLater, queries, toasts])
}
