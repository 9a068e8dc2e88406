import { NetworkError, OrderTestingError, TimeoutError } from '@order-testing/client/operator'

export const statusOf = (error: unknown): number | undefined =>
  error instanceof OrderTestingError ? error.status : undefined

export const isUnanswered = (error: unknown): boolean => error instanceof NetworkError || error instanceof TimeoutError

/** What the service said was wrong, for people. */
export function detailOf(error: unknown): string | undefined {
  if (!(error instanceof OrderTestingError)) return error instanceof Error ? error.message : undefined
  return error.problems.map(({ detail }) => detail).join(' ') || undefined
}

export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof OrderTestingError ? error.requestId : undefined

/** Whether the service wants a fresh sign-in first. */
export const needsFreshSignIn = (error: unknown): boolean =>
  error instanceof OrderTestingError && error.problems.some(({ pointer }) => pointer === '/session')
