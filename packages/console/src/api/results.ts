import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListResultsQuery } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'
import { READ_ON_PURPOSE } from './orders.ts'

export type ResultState = NonNullable<ListResultsQuery['state']>

export const resultsQuery = (state: ResultState) =>
  infiniteQueryOptions({
    queryKey: ['results', state],
    queryFn: ({ pageParam, signal }) =>
      backgroundApi.call('listResults', { query: { state, limit: 20, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    refetchInterval: 30_000,
  })

export const resultQuery = (id: string) =>
  queryOptions({
    queryKey: ['result', id],
    queryFn: ({ signal }) => api.call('readResult', { params: { id } }, { signal }),
    ...READ_ON_PURPOSE,
  })

/** Messages that are no result reports, or could not be read. They are kept for 30 days. */
export const refusedMessagesQuery = infiniteQueryOptions({
  queryKey: ['refusedMessages'],
  queryFn: ({ pageParam, signal }) =>
    api.call('listRefusedMessages', { query: { limit: 20, page: pageParam } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
})

export const refusedQuery = (id: string) =>
  queryOptions({
    queryKey: ['refusedMessage', id],
    queryFn: ({ signal }) => api.call('readRefusedMessage', { params: { id } }, { signal }),
    ...READ_ON_PURPOSE,
  })

/** Reads the text with its persons in full. The service records the read under the name of who asked. */
export const revealRefused = (id: string) =>
  api.call('readRefusedMessage', { params: { id }, query: { participants: 'full' } })

/** Reads the person of a report in full. The service records the read under the name of who asked. */
export const revealResult = (id: string) => api.call('readResult', { params: { id }, query: { participants: 'full' } })

export const readDocument = (id: string) => api.call('readDocument', { params: { id } })

export interface Assignment {
  serviceId: string
  reason: string
  rememberCode: boolean
}

export const assignResult = (id: string, { serviceId, reason, rememberCode }: Assignment, signal: AbortSignal) => {
  const body = { serviceId, ...(reason && { reason }), ...(rememberCode && { rememberCode }) }
  return api.call('assignResult', { params: { id }, body }, { signal })
}

/** The codes of laboratories, those that operators remembered first. */
export const codesQuery = (origin: 'learned' | 'catalog', page: number) =>
  queryOptions({
    queryKey: ['codes', origin, page],
    queryFn: ({ signal }) =>
      api.call('listLaboratoryCodes', { query: { origin, page, limit: CODES_AT_ONCE } }, { signal }),
  })

export const CODES_AT_ONCE = 20

export const rememberCode = (lab: string, code: string, serviceId: string) =>
  api.call('rememberLaboratoryCode', { params: { lab, code }, body: { serviceId } })
export const forgetCode = (lab: string, code: string) => api.call('forgetLaboratoryCode', { params: { lab, code } })

export const dismissResult = (id: string, reason: string) =>
  api.call('dismissResult', { params: { id }, body: { reason } })
