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

/** Whether the person has one of the scopes. */
export function useMay(...any: string[]): boolean {
  const { scopes } = useSession()
  return any.some((scope) => canUse(scopes, scope))
}

export const useCurrentSession = () => useQuery(sessionQuery)
