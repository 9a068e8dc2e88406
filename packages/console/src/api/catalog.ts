import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

/** Companies, clinics and services. Large, so it is read when a field needs it, and kept for long. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: ({ signal }) => api.call('exportCatalog', {}, { signal }),
  staleTime: 10 * 60_000,
})
