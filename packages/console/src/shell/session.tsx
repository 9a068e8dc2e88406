import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { sessionQuery, type Session } from '../api/session.ts'
import { canUse } from './areas.ts'

export const SessionContext = createContext<Session | undefined>(undefined)

/** Who is signed in. Inside the shell somebody always is. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in.')
  return session
}

export function useMay(scope: string): boolean {
  return canUse(useSession().scopes, scope)
}

export const useCurrentSession = () => useQuery(sessionQuery)
