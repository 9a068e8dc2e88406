import { OperatorApi } from '@order-testing/client/operator'

/**
 * The cookie of the session proves who calls, and the browser adds it by itself. The header shows the service that the call
 * was made by the console and not by a form of another site.
 */
export const api = new OperatorApi({ baseUrl: location.origin, headers: { 'x-console': '1' }, maxRetries: 2 })

/** For lists that are read again and again: that nobody is there must not keep a session alive. */
export const backgroundApi = new OperatorApi({
  baseUrl: location.origin,
  headers: { 'x-console': '1', 'x-background': '1' },
  maxRetries: 2,
})
