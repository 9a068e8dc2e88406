import { OperatorApi } from '@order-testing/client/operator'

/**
 * The cookie of the session proves who calls, and the browser adds it by itself. The header shows the service that the call
 * was made by the console and not by a form of another site.
 */
export const api = new OperatorApi({ baseUrl: location.origin, headers: { 'x-console': '1' }, maxRetries: 2 })
