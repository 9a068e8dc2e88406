import { queryOptions } from '@tanstack/react-query'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { api } from './client.ts'
import { statusOf } from './failures.ts'

export interface Session {
  id: string
  user: { id: string; name: string; email: string }
  tenant: { id: string; name: string }
  mode: string
  role: string
  scopes: string[]
  expiresAt: string
  idleSeconds: number
  /** Since when the service refuses everything but a new sign-in. */
  lockedAt: string | null
}

export interface SignInOptions {
  tenantName: string
  mode: string
  hasPasskeys: boolean
  oidc: { name: string } | null
  hasDemo: boolean
}

export interface Invitation {
  email: string
  name: string
  tenantName: string
  role: string
}

const BASE = '/api/console/v1'

/** Null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    api.send<Session>({ method: 'GET', path: `${BASE}/session` }, { signal }).catch((error: unknown) => {
      const status = statusOf(error)
      if (status === 401 || status === 404) return null
      throw error
    }),
  staleTime: 60_000,
  // It may have been locked or unlocked in another tab.
  refetchOnWindowFocus: 'always',
  // Nothing can be shown without it, so it is asked for until the service answers.
  refetchInterval: ({ state }) => (state.error !== null && state.data === undefined ? 3000 : false),
})

export const signInOptionsQuery = queryOptions({
  queryKey: ['signIn'],
  queryFn: ({ signal }) => api.send<SignInOptions>({ method: 'GET', path: `${BASE}/signIn` }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const invitationQuery = (secret: string) =>
  queryOptions({
    queryKey: ['invitation', secret],
    queryFn: ({ signal }) => api.send<Invitation>({ method: 'GET', path: invitationPath(secret) }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

const invitationPath = (secret: string) => `${BASE}/invitations/${encodeURIComponent(secret)}`

export const enterDemo = () => api.send<Session>({ method: 'POST', path: `${BASE}/session/demo` })

/** The browser's part of WebAuthn is loaded when it is needed. */
export async function enterWithPasskey(): Promise<Session> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const path = `${BASE}/session/passkey`
  const optionsJSON = await api.send<Parameters<typeof startAuthentication>[0]['optionsJSON']>({
    method: 'POST',
    path: `${path}/options`,
  })
  const body: AuthenticationResponseJSON = await startAuthentication({ optionsJSON })
  return api.send<Session>({ method: 'POST', path, body })
}

export async function acceptInvitation(secret: string): Promise<Session> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const path = `${invitationPath(secret)}/passkey`
  const optionsJSON = await api.send<Parameters<typeof startRegistration>[0]['optionsJSON']>({
    method: 'POST',
    path: `${path}/options`,
  })
  const body: RegistrationResponseJSON = await startRegistration({ optionsJSON })
  return api.send<Session>({ method: 'POST', path, body })
}

/** Nobody else has an address of this kind. */
export const isDemoOperator = ({ user, mode }: Session) => mode === 'sandbox' && user.email.endsWith('@sandbox.invalid')

export const OIDC_PATH = `${BASE}/session/oidc`

/** Only a new sign-in opens a locked session. */
export const lockSession = (signal: AbortSignal) =>
  api.send<Session>({ method: 'POST', path: `${BASE}/session/lock` }, { signal })

export const signOut = () => api.send<undefined>({ method: 'DELETE', path: `${BASE}/session`, reply: 'nothing' })
