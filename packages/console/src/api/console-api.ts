import { OperatorApi, type Call, type CallOptions, type TransportOptions } from '@order-testing/client/operator'
import { mayHaveBeenDone, OfflineError, UnknownOutcomeError } from './failures.ts'

/** Requests that only read, although their method says otherwise: what they ask for has no place in an address. */
const READS = new Set(['/api/operator/v1/orders/searches', '/api/operator/v1/catalog/diff'])

/** Sends a change now or never: nothing waits for the network, so nothing is sent after somebody has left it unchanged. */
export class ConsoleApi extends OperatorApi {
  readonly #isOnline: () => boolean

  constructor({ isOnline, ...options }: TransportOptions & { isOnline: () => boolean }) {
    super(options)
    this.#isOnline = isOnline
  }

  override async send<T>(call: Call, options?: CallOptions): Promise<T> {
    if (call.method === 'GET' || READS.has(call.path)) return super.send<T>(call, options)
    const what = `${call.method} ${call.path}`
    if (!this.#isOnline()) throw new OfflineError(`${what} was not sent: the browser is offline`)
    try {
      return await super.send<T>(call, options)
    } catch (error) {
      if (!mayHaveBeenDone(error)) throw error
      const { requestId, idempotencyKey } = error
      throw new UnknownOutcomeError(`${what} was sent and not answered`, { requestId, idempotencyKey })
    }
  }
}
