import type { Order, SandboxRequest, WebhookTrouble } from './generated/orders.ts'
import type { ClockAdvance, ListRequestsQuery, Simulation, WebhookTroubleInput } from './generated/requests.ts'
import { listOf, type List } from './pages.ts'
import { segment, type CallOptions, type Transport } from './transport.ts'

/** What only a sandbox can do. In production these calls are not found. */
export class Sandbox {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Moves an order to an outcome, as laboratories and clinics would. */
  async simulate(orderId: string, simulation: Simulation, options?: CallOptions): Promise<Order> {
    return this.#transport.send({ method: 'POST', path: pathOf(orderId, 'simulation'), body: simulation }, options)
  }

  /** Moves the clock of an order: what is due by then happens now. Never retried. */
  async advanceClock(orderId: string, advance: ClockAdvance, options?: CallOptions): Promise<Order> {
    return this.#transport.send(
      { method: 'POST', path: pathOf(orderId, 'clock'), body: advance, isOnce: true },
      options,
    )
  }

  /** Disturbs the next event of an order. */
  async disturb(orderId: string, trouble: WebhookTroubleInput, options?: CallOptions): Promise<WebhookTrouble> {
    return this.#transport.send({ method: 'POST', path: pathOf(orderId, 'webhookTrouble'), body: trouble }, options)
  }

  /** The last requests of the token, newest first. */
  requests(query: ListRequestsQuery = {}, options?: CallOptions): List<SandboxRequest> {
    return listOf(this.#transport, '/api/sandbox/v1/requests', query, options)
  }
}

const pathOf = (orderId: string, action: string) => `/api/sandbox/v1/orders/${segment(orderId)}/${action}`
