import { NetworkError, OrderTestingError, TimeoutError } from '@order-testing/client/operator'

export const statusOf = (error: unknown): number | undefined =>
  error instanceof OrderTestingError ? error.status : undefined

export const isUnanswered = (error: unknown): boolean => error instanceof NetworkError || error instanceof TimeoutError

/** A change that was not sent, because the browser is offline. */
export class OfflineError extends OrderTestingError {
  override name = 'OfflineError'
}

/** A change that was sent and not answered: it may have been made. */
export class UnknownOutcomeError extends OrderTestingError {
  override name = 'UnknownOutcomeError'
}

/** A proxy answers 502 and 504 when the service behind it did not answer in time. */
export const mayHaveBeenDone = (error: unknown): error is OrderTestingError =>
  isUnanswered(error) || [502, 504].includes(statusOf(error) ?? 0)

/** What the service said was wrong, for people. */
export function detailOf(error: unknown): string | undefined {
  if (!(error instanceof OrderTestingError)) return error instanceof Error ? error.message : undefined
  return error.problems.map(({ detail }) => detail).join(' ') || undefined
}

/** What was wrong with which part of a request; nothing if it failed otherwise. */
export const problemsOf = (error: unknown): OrderTestingError['problems'] =>
  error instanceof OrderTestingError ? error.problems : []

export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof OrderTestingError ? error.requestId : undefined

/** Whether the service wants a fresh sign-in first. */
export const needsFreshSignIn = (error: unknown): boolean =>
  error instanceof OrderTestingError && error.problems.some(({ pointer }) => pointer === '/session')

/** Whether the service refused this one request, so that others may succeed. */
export const isRefusal = (error: unknown): boolean => [400, 404, 409, 422].includes(statusOf(error) ?? 0)

/** Seconds to wait after a request that came too soon; undefined for other failures. */
export const waitOf = (error: unknown): number | undefined =>
  error instanceof OrderTestingError && error.status === 429 ? (error.retryAfter ?? 1) : undefined

/** Waits when the service asks for it: a request over the limit was not carried out. */
export async function withPatience<T>(
  act: () => Promise<T>,
  { signal, waitAfter = waitOf }: { signal: AbortSignal; waitAfter?: typeof waitOf },
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const seconds = waitAfter(error)
      if (seconds === undefined || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
}
