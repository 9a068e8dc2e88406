import { queryOptions } from '@tanstack/react-query'
import type { RegistrationResponseJSON } from '@simplewebauthn/browser'
import { api } from './client.ts'

export interface OwnSession {
  id: string
  method: string
  createdAt: string
  lastSeenAt: string
  userAgent: string
  address: string
  isCurrent: boolean
}

export interface Passkey {
  id: string
  createdAt: string
  lastUsedAt: string | null
  isSynced: boolean
}

const BASE = '/api/console/v1'

export const ownSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api.send<{ data: OwnSession[] }>({ method: 'GET', path: `${BASE}/sessions` }, { signal }),
})

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => api.send<{ data: Passkey[] }>({ method: 'GET', path: `${BASE}/passkeys` }, { signal }),
})

const remove = (path: string) => api.send<undefined>({ method: 'DELETE', path: `${BASE}${path}`, reply: 'nothing' })

export const endSession = (id: string) => remove(`/sessions/${encodeURIComponent(id)}`)
export const endAllSessions = () => remove('/sessions')
export const removePasskey = (id: string) => remove(`/passkeys/${encodeURIComponent(id)}`)

export async function addPasskey(): Promise<Passkey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const path = `${BASE}/passkeys`
  const optionsJSON = await api.send<Parameters<typeof startRegistration>[0]['optionsJSON']>({
    method: 'POST',
    path: `${path}/options`,
  })
  const body: RegistrationResponseJSON = await startRegistration({ optionsJSON })
  return api.send<Passkey>({ method: 'POST', path, body })
}
