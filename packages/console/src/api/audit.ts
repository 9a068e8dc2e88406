import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ExportAuditQuery, ListAuditQuery } from '@order-testing/client/operator'
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

/** One entry, wherever it is in the log. */
export const auditEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.call('listAudit', { query: { id, limit: 1 } }, { signal })
      return data[0] ?? null
    },
  })

export const auditHeadQuery = queryOptions({
  queryKey: ['audit', 'head'],
  queryFn: ({ signal }) => api.call('readAuditHead', {}, { signal }),
})

/** Reads the entries of a filter as CSV, up to a few hundred at once. */
export const exportAudit = (filters: AuditFilters) => async (part: Pick<ExportAuditQuery, 'limit' | 'before'>) =>
  (await api.call('exportAudit', { query: { ...filters, ...part } })).text()

/** Checks a part of the hash chain: the first one, or the one after another. */
export const verifyAuditPart = (after: string | undefined) =>
  api.call('verifyAudit', { query: after === undefined ? {} : { after } })

/** People and tokens by name, to choose whose entries to see. */
export const actorsQuery = ({ people, tokens }: { people: boolean; tokens: boolean }) =>
  queryOptions({
    queryKey: ['audit', 'actors', people, tokens],
    queryFn: async ({ signal }) => {
      const read = async (name: 'listUsers' | 'listTokens') =>
        (await api.call(name, { query: { limit: 20 } }, { signal })).data.map(({ id, name: called }) => ({
          id,
          name: called ?? id,
        }))
      const found = await Promise.all([people ? read('listUsers') : [], tokens ? read('listTokens') : []])
      return found.flat()
    },
    staleTime: 300_000,
  })
