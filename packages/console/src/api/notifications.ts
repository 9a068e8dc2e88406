import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListMessagesQuery, ListSuppressionsQuery } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'

export type NotificationFilters = Omit<ListMessagesQuery, 'limit' | 'page'>

export const notificationsQuery = (filters: NotificationFilters) =>
  infiniteQueryOptions({
    queryKey: ['notifications', filters],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call('listMessages', { query: { ...filters, limit: 20, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 30_000,
  })

export const notificationQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification', id],
    queryFn: ({ signal }) => api.call('readMessage', { params: { id } }, { signal }),
  })

export const resendNotification = (id: string, signal?: AbortSignal) =>
  api.call('resendMessage', { params: { id } }, { signal })

/** What it would say now. Each read is recorded, so it is read once, when somebody asks. */
export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification', id, 'preview'],
    queryFn: ({ signal }) => api.call('previewMessage', { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export type SuppressionFilters = Omit<ListSuppressionsQuery, 'limit' | 'page' | 'addresses'>

export const suppressionsQuery = (filters: SuppressionFilters) =>
  infiniteQueryOptions({
    queryKey: ['suppressions', filters],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        'listSuppressions',
        { query: { ...filters, addresses: 'masked', limit: 20, page: pageParam } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  })

export const removeSuppression = (id: string, signal: AbortSignal) =>
  api.call('removeSuppression', { params: { id } }, { signal })
