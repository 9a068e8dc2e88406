import { QueryCache, QueryClient } from '@tanstack/react-query'
import { statusOf } from './failures.ts'

/** The client retries reads itself, and knows which failures may pass. */
export function createQueries(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (statusOf(error) === 401) onSignedOut()
      },
    }),
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}
