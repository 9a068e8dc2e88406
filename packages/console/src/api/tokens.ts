import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { SenderChange, TokenChange, TokenRequest } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'

export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam, signal }) => api.call('listTokens', { query: { limit: 20, page: pageParam } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
})

export const tokenQuery = (id: string) =>
  queryOptions({
    queryKey: ['token', id],
    queryFn: ({ signal }) => api.call('readToken', { params: { id } }, { signal }),
  })

export const tokenRequestsQuery = (id: string, onlyRefused: boolean) =>
  infiniteQueryOptions({
    queryKey: ['token', id, 'requests', onlyRefused],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call(
        'listTokenRequests',
        { params: { id }, query: { limit: 20, page: pageParam, ...(onlyRefused && { refused: true }) } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 15_000,
  })

/** The senders of one token; more than a page of them is not to be expected. */
export const sendersQuery = (tokenId: string) =>
  queryOptions({
    queryKey: ['token', tokenId, 'senders'],
    queryFn: ({ signal }) => api.call('listSenders', { query: { tokenId, limit: 20 } }, { signal }),
  })

export const editSender = (tokenId: string, body: SenderChange, signal: AbortSignal) =>
  api.call('editSender', { params: { id: tokenId }, body }, { signal })

export const createToken = (body: TokenRequest, signal: AbortSignal) => api.call('createToken', { body }, { signal })
export const editToken = (id: string, body: TokenChange, signal: AbortSignal) =>
  api.call('editToken', { params: { id }, body }, { signal })

/** Callbacks that the token registered need an answer: they go on, or end with it. */
export const revokeToken = (id: string, callbacks: 'keep' | 'end' | undefined, signal: AbortSignal) =>
  api.call('revokeToken', { params: { id }, query: callbacks === undefined ? {} : { callbacks } }, { signal })
