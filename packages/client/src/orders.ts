import { changes, type ChangesOptions } from './changes.ts'
import type { Event, Order, OrderCallback, OrderEvent, OrderValidation } from './generated/orders.ts'
import type {
  Callback,
  Cancellation,
  CreateOrder,
  ListEventsQuery,
  ListOrderCallbacksQuery,
  ListOrderEventsQuery,
  ListOrdersQuery,
} from './generated/requests.ts'
import { listOf, pageReader, type List } from './pages.ts'
import { segment, type CallOptions, type Transport } from './transport.ts'

export interface CreateOptions extends CallOptions {
  /** Default: a random key per call. Choose one of your own to repeat a create in another process. */
  idempotencyKey?: string | undefined
}

/** Filters of the order list beside the options of every iteration over changes. */
export type OrderChangesOptions = ChangesOptions & Omit<ListOrdersQuery, 'sort' | 'page' | 'cursor' | 'limit'>

const PATH = '/api/v2/orders'
const EVENTS = '/api/v2/events'

export class Orders {
  readonly #transport: Transport
  readonly callbacks: OrderCallbacks

  constructor(transport: Transport) {
    this.#transport = transport
    this.callbacks = new OrderCallbacks(transport)
  }

  /** Places an order. If an equivalent one exists and matching is on, that order is returned with `matched`. */
  async create(order: CreateOrder, options?: CreateOptions): Promise<Order> {
    return this.#create(PATH, order, options)
  }

  /**
   * Places an order whose callback receives v1 deliveries.
   * @deprecated Use `create`.
   */
  async createV1(order: CreateOrder, options?: CreateOptions): Promise<Order> {
    return this.#create('/api/v1/orders', order, options)
  }

  /** What a create would do, or the errors that it would give. Nothing is written. */
  async validate(order: CreateOrder, options?: CallOptions): Promise<OrderValidation> {
    return this.#transport.send({ method: 'POST', path: `${PATH}/validation`, body: order }, options)
  }

  async get(id: string, options?: CallOptions): Promise<Order> {
    return this.#transport.send({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Orders, newest first; or with `sort` and `cursor`, oldest change first. */
  list(query: ListOrdersQuery = {}, options?: CallOptions): List<Order> {
    return listOf(this.#transport, PATH, query, options)
  }

  /** Cancelling twice has no further effect. */
  async cancel(id: string, cancellation?: Cancellation, options?: CallOptions): Promise<Order> {
    const path = `${pathOf(id)}/cancellation`
    return this.#transport.send({ method: 'PUT', path, body: cancellation }, options)
  }

  /** The events of an order with their deliveries, newest first. */
  events(id: string, query: ListOrderEventsQuery = {}, options?: CallOptions): List<OrderEvent> {
    return listOf(this.#transport, `${pathOf(id)}/events`, query, options)
  }

  /** Sends an event again to the callbacks it was made for, at most once a minute. Never retried. */
  async resendEvent(id: string, eventId: string, options?: CallOptions): Promise<OrderEvent> {
    const path = `${pathOf(id)}/events/${segment(eventId)}/resend`
    return this.#transport.send({ method: 'POST', path, isOnce: true }, options)
  }

  /** Every order that was created or changed, oldest change first; waits for more at the end. */
  changes(options: OrderChangesOptions = {}): AsyncGenerator<{ order: Order; cursor: string }, void, undefined> {
    const sorted = { ...options, sort: 'updatedAt' }
    return changes(this.#transport, sorted, { read: readOrders, give: (order, cursor) => ({ order, cursor }) })
  }

  #create(path: string, body: CreateOrder, { idempotencyKey: key = randomKey(), ...options }: CreateOptions = {}) {
    return this.#transport.send<Order>({ method: 'POST', path, body, key }, options)
  }
}

/** Where the changes of an order are sent. */
export class OrderCallbacks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(orderId: string, query: ListOrderCallbacksQuery = {}, options?: CallOptions): List<OrderCallback> {
    return listOf(this.#transport, `${pathOf(orderId)}/callbacks`, query, options)
  }

  async get(orderId: string, callbackId: string, options?: CallOptions): Promise<OrderCallback> {
    return this.#transport.send({ method: 'GET', path: callbackPath(orderId, callbackId) }, options)
  }

  /** Replaces the callback with the same URL, or adds one. */
  async put(orderId: string, callback: Callback, options?: CallOptions): Promise<OrderCallback> {
    return this.#transport.send({ method: 'PUT', path: `${pathOf(orderId)}/callback`, body: callback }, options)
  }

  /** Ends a callback. Ending it twice has no further effect. */
  async end(orderId: string, callbackId: string, options?: CallOptions): Promise<void> {
    const path = callbackPath(orderId, callbackId)
    return this.#transport.send({ method: 'DELETE', path, reply: 'nothing' }, options)
  }
}

/** The events of all orders. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Events, oldest first, up to the latest. */
  list(query: ListEventsQuery = {}, options?: CallOptions): List<Event> {
    return listOf(this.#transport, EVENTS, query, options)
  }

  /** Every event, oldest first; waits for more at the end. */
  changes(options: ChangesOptions = {}): AsyncGenerator<{ event: Event; cursor: string }, void, undefined> {
    return changes(this.#transport, options, { read: readEvents, give: (event, cursor) => ({ event, cursor }) })
  }
}

const readOrders = pageReader<Order>(PATH)
const readEvents = pageReader<Event>(EVENTS)

const pathOf = (id: string) => `${PATH}/${segment(id)}`
const callbackPath = (orderId: string, callbackId: string) => `${pathOf(orderId)}/callbacks/${segment(callbackId)}`

/** `randomUUID` is missing on pages without TLS. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
