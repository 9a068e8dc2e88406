import type { Pulse } from '../store/tasks/pulse.ts'

interface FeedOptions {
  read: (tenantId: string) => Promise<Pulse>
  onFailure: (error: unknown) => void
  everyMs?: number
}

type Listener = (pulse: Pulse) => void

/**
 * Tells listeners of a tenant what has changed. A tenant is asked for only while somebody listens, once for all of them:
 * the cost does not grow with the number of operators.
 */
export class LiveFeed {
  readonly #options: FeedOptions
  readonly #tenants = new Map<string, { listeners: Set<Listener>; last: Pulse | undefined; timer: NodeJS.Timeout }>()

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Calls the listener with the current state, and with each later one. Returns a function that ends it. */
  listen(tenantId: string, listener: Listener): () => void {
    const tenant = this.#tenants.get(tenantId) ?? this.#begin(tenantId)
    tenant.listeners.add(listener)
    if (tenant.last) listener(tenant.last)
    return () => {
      tenant.listeners.delete(listener)
      if (tenant.listeners.size > 0 || this.#tenants.get(tenantId) !== tenant) return
      clearTimeout(tenant.timer)
      this.#tenants.delete(tenantId)
    }
  }

  #begin(tenantId: string) {
    const tenant = {
      listeners: new Set<Listener>(),
      last: undefined as Pulse | undefined,
      timer: setTimeout(() => {}, 0),
    }
    this.#tenants.set(tenantId, tenant)
    const look = async () => {
      try {
        const pulse = await this.#options.read(tenantId)
        if (JSON.stringify(pulse) !== JSON.stringify(tenant.last)) {
          tenant.last = pulse
          for (const listener of tenant.listeners) listener(pulse)
        }
      } catch (error) {
        this.#options.onFailure(error)
      }
      if (this.#tenants.get(tenantId) === tenant)
        tenant.timer = setTimeout(() => void look(), this.#options.everyMs ?? 1_000)
    }
    void look()
    return tenant
  }
}
