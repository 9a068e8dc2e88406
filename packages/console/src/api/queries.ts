import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { statusOf } from './failures.ts'

/** The client retries reads itself, and knows which failures may pass. */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (statusOf(error) === 401) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Offline, a read fails like any other and is repeated on reconnection: a paused one would look like an empty list.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: false,
        staleTime: 15_000,
        refetchOnWindowFocus: true,
      },
      // A paused change would be sent long after somebody has given it up.
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
