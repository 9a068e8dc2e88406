import { queryOptions } from '@tanstack/react-query'
import type { CatalogFile, CatalogFileOutput } from '@order-testing/client/operator'
import { api } from './client.ts'

/** Companies, clinics and services. Large, so it is read when a field needs it, and kept for long. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: ({ signal }) => api.call('exportCatalog', {}, { signal }),
  staleTime: 10 * 60_000,
})

/** A file that was read is a file that can be sent. */
const asFile = (file: CatalogFile | CatalogFileOutput) => file as CatalogFile

/** What applying a file would change. Files are large, so the key stands for it. */
export const diffQuery = (file: CatalogFile | CatalogFileOutput, key: string) =>
  queryOptions({
    queryKey: ['catalogDiff', key],
    queryFn: ({ signal }) => api.call('diffCatalog', { body: asFile(file) }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Refused if the catalog is no longer what the difference was shown for. */
export const applyCatalog = (file: CatalogFile | CatalogFileOutput, basedOn: string, signal: AbortSignal) =>
  api.call('applyCatalog', { query: { basedOn }, body: asFile(file) }, { signal })

/** Where the clinics are, and the outlines of the country. */
export const mapQuery = queryOptions({
  queryKey: ['catalog', 'map'],
  queryFn: ({ signal }) => api.call('readClinicMap', {}, { signal }),
  staleTime: 10 * 60_000,
})
