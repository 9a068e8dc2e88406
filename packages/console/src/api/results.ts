import { queryOptions } from '@tanstack/react-query'
import type { ListResultsQuery } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'
import { READ_ON_PURPOSE } from './orders.ts'

export type ResultState = NonNullable<ListResultsQuery['state']>

export const resultsQuery = (state: ResultState) =>
  queryOptions({
    queryKey: ['results', state],
    queryFn: ({ signal }) => backgroundApi.call('listResults', { query: { state, limit: 20 } }, { signal }),
    refetchInterval: 30_000,
  })

export const resultQuery = (id: string) =>
  queryOptions({
    queryKey: ['result', id],
    queryFn: ({ signal }) => api.call('readResult', { params: { id } }, { signal }),
    ...READ_ON_PURPOSE,
  })

export const readDocument = (id: string) => api.call('readDocument', { params: { id } })

export const assignResult = (id: string, serviceId: string, reason: string) =>
  api.call('assignResult', { params: { id }, body: { serviceId, ...(reason && { reason }) } })

export const dismissResult = (id: string, reason: string) =>
  api.call('dismissResult', { params: { id }, body: { reason } })
