import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { UserChange, UserInvitation } from '@order-testing/client/operator'
import { api } from './client.ts'

export const peopleQuery = infiniteQueryOptions({
  queryKey: ['people'],
  queryFn: ({ pageParam, signal }) => api.call('listUsers', { query: { limit: 20, page: pageParam } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
})

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => api.call('readUser', { params: { id } }, { signal }),
  })

/** Roles are part of the release, so they are read once. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => api.call('listRoles', { query: { limit: 20 } }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const ROLES = ['administrator', 'coordinator', 'support', 'auditor'] as const
export type RoleId = (typeof ROLES)[number]

export const invitePerson = (body: UserInvitation, signal: AbortSignal) => api.call('inviteUser', { body }, { signal })
export const reinvitePerson = (id: string) => api.call('reinviteUser', { params: { id } })
export const changePerson = (id: string, body: UserChange) => api.call('updateUser', { params: { id }, body })
export const signOutPerson = (id: string) => api.call('signOutUser', { params: { id } })
