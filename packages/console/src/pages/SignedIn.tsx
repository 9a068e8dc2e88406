import { Navigate, useRouterState } from '@tanstack/react-router'
import { Failure } from '../parts/States.tsx'
import { useCurrentSession } from '../shell/session.tsx'
import { Shell } from '../shell/Shell.tsx'

/** The console, or the way to sign in. */
export function SignedIn() {
  const session = useCurrentSession()
  const here = useRouterState({ select: ({ location }) => location.pathname + location.searchStr })
  if (session.data) return <Shell session={session.data} />
  if (session.data === null) return <Navigate to="/sign-in" search={{ to: here }} replace />
  return session.error ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : null
}
