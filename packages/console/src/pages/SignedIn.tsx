import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { codeOf } from '../api/order-filters.ts'
import { Failure } from '../parts/States.tsx'
import { useCurrentSession } from '../shell/session.tsx'
import { Shell } from '../shell/Shell.tsx'

/** The console, or the way to sign in. */
export function SignedIn() {
  const session = useCurrentSession()
  // Where the person wanted to go: the address changes while they are led to the page for signing in.
  const [wanted] = useState(wantedOf)
  if (session.data) return <Shell session={session.data} />
  if (session.data === null) return <Navigate to="/sign-in" search={wanted} replace />
  return session.error ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : null
}

/** The service leads back here if the sign-in of the company failed, and says why. */
function wantedOf(): { to: string; signInError?: string } {
  const search = new URLSearchParams(location.search)
  const signInError = search.get('signInError')
  search.delete('signInError')
  // The words of a search may name a person, and do not belong into an address.
  if (codeOf(search.get('q') ?? '') === undefined) search.delete('q')
  const to = [location.pathname.replace(/^\/console/, ''), String(search)].filter(Boolean).join('?')
  return { to, ...(signInError !== null && { signInError }) }
}
