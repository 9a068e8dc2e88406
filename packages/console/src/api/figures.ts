import { queryOptions } from '@tanstack/react-query'
import type { ReadFiguresQuery } from '@order-testing/client/operator'
import { api } from './client.ts'

export const figuresQuery = (query: ReadFiguresQuery) =>
  queryOptions({
    queryKey: ['figures', query],
    queryFn: ({ signal }) => api.call('readFigures', { query }, { signal }),
    staleTime: 60_000,
  })
