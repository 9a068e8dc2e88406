import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListDeliveriesQuery, ListReceiversQuery } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'

export type ReceiverSelection = 'attention' | 'recent' | 'v1'

const SELECTIONS: Record<ReceiverSelection, ListReceiversQuery> = {
  attention: { held: 'true' },
  recent: { held: 'true', recent: 'true' },
  v1: { version: 'v1' },
}

export const receiversQuery = (selection: ReceiverSelection) =>
  infiniteQueryOptions({
    queryKey: ['receivers', selection],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call(
        'listReceivers',
        { query: { ...SELECTIONS[selection], limit: 20, page: pageParam } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 15_000,
  })

/** One receiver, healthy or not. */
export const receiverQuery = (origin: string) =>
  queryOptions({
    queryKey: ['receivers', 'one', origin],
    queryFn: async ({ signal }) => {
      const { data } = await backgroundApi.call('listReceivers', { query: { origin } }, { signal })
      return data[0] ?? null
    },
    refetchInterval: 15_000,
  })

/** Active registrations of a receiver that are still on v1, the newest of them. */
export const v1CallbacksQuery = (origin: string) =>
  queryOptions({
    queryKey: ['v1Callbacks', origin],
    queryFn: ({ signal }) =>
      api.call('listCallbacks', { query: { origin, version: 'v1', isActive: true, limit: 20 } }, { signal }),
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
export const replayFailed = (origin: string, signal: AbortSignal) =>
  api.call('replayDeliveries', { body: { origin, state: 'failed' } }, { signal })
export const pauseReceiver = (origin: string) => api.call('pauseReceiver', { body: { origin } })
export const resumeReceiver = (origin: string) => api.call('resumeReceiver', { body: { origin } })
export const probeReceiver = (origin: string) => api.call('probeReceiver', { body: { origin } })
