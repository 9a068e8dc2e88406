import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ListAuditQuery } from '@order-testing/client/operator'
import { api } from './client.ts'

export type AuditFilters = Omit<ListAuditQuery, 'limit' | 'page'>

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      api.call('listAudit', { query: { ...filters, limit: 20, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  })

export const auditHeadQuery = queryOptions({
  queryKey: ['audit', 'head'],
  queryFn: ({ signal }) => api.call('readAuditHead', {}, { signal }),
})
