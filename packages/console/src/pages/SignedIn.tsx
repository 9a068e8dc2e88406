import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '../parts/States.tsx'
import { useCurrentSession } from '../shell/session.tsx'
import { Shell } from '../shell/Shell.tsx'

/** The console, or the way to sign in. */
export function SignedIn() {
  const session = useCurrentSession()
  // Where the person wanted to go: the address changes while they are led to the page for signing in.
  const [here] = useState(() => location.pathname.replace(/^\/console/, '') + location.search)
  if (session.data) return <Shell session={session.data} />
  if (session.data === null) return <Navigate to="/sign-in" search={{ to: here }} replace />
  return session.error ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : null
}
