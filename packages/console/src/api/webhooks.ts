import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListDeliveriesQuery } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'

export const receiversQuery = queryOptions({
  queryKey: ['receivers'],
  queryFn: ({ signal }) => backgroundApi.call('listReceivers', { query: { held: 'true', limit: 20 } }, { signal }),
  refetchInterval: 15_000,
})

export type DeliveryFilters = Omit<ListDeliveriesQuery, 'limit' | 'page'>

export const deliveriesQuery = (filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', filters],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call('listDeliveries', { query: { ...filters, limit: 20, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 30_000,
  })

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => api.call('readDelivery', { params: { id } }, { signal }),
  })

export const replayDelivery = (id: string) => api.call('replayDelivery', { params: { id } })
export const replayFailed = (origin: string) => api.call('replayDeliveries', { body: { origin, state: 'failed' } })
export const pauseReceiver = (origin: string) => api.call('pauseReceiver', { body: { origin } })
export const resumeReceiver = (origin: string) => api.call('resumeReceiver', { body: { origin } })
