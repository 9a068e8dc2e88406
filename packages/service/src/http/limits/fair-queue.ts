/** Who waits. Tenants take turns, and so do the tokens of a tenant. */
export interface Party {
  tenantId: string
  tokenId: string
}

interface Waiting<Item> {
  tokens: Map<string, Item[]>
  size: number
}

/**
 * A bounded queue that serves tenants in turn, and within a tenant its tokens. When it is full, the newest item of the
 * party with the most waiting items is dropped.
 */
export class FairQueue<Item> {
  readonly #limit: number
  readonly #tenants = new Map<string, Waiting<Item>>()
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  get isFull(): boolean {
    return this.#size >= this.#limit
  }

  /** Adds an item and returns the one dropped for it, which may be the item itself. */
  add({ tenantId, tokenId }: Party, item: Item): Item | undefined {
    const dropped = this.isFull ? this.#makeRoom(tenantId, tokenId) : undefined
    if (dropped === 'none') return item
    const tenant = this.#tenants.get(tenantId) ?? { tokens: new Map<string, Item[]>(), size: 0 }
    this.#tenants.set(tenantId, tenant)
    const items = tenant.tokens.get(tokenId) ?? []
    tenant.tokens.set(tokenId, items)
    items.push(item)
    tenant.size++
    this.#size++
    return dropped?.item
  }

  /** Whether an item of this party would be accepted, possibly by dropping another. */
  takes({ tenantId, tokenId }: Party): boolean {
    return !this.isFull || this.#crowd(tenantId, tokenId) !== undefined
  }

  /** The next item of a party that may be served. Its tenant and token move to the end of the queue. */
  next(isServed: (party: Party) => boolean = () => true): Item | undefined {
    for (const [tenantId, tenant] of this.#tenants) {
      for (const [tokenId, items] of tenant.tokens) {
        if (!isServed({ tenantId, tokenId })) continue
        const item = items.shift()!
        this.#tenants.delete(tenantId)
        tenant.tokens.delete(tokenId)
        if (items.length > 0) tenant.tokens.set(tokenId, items)
        if (--tenant.size > 0) this.#tenants.set(tenantId, tenant)
        this.#size--
        return item
      }
    }
    return undefined
  }

  /** Removes and returns the items that are not kept. */
  remove(isKept: (item: Item) => boolean): Item[] {
    const removed: Item[] = []
    for (const [tenantId, tenant] of this.#tenants) {
      for (const [tokenId, items] of tenant.tokens) {
        const kept = items.filter((item) => isKept(item) || !removed.push(item))
        if (kept.length > 0) tenant.tokens.set(tokenId, kept)
        else tenant.tokens.delete(tokenId)
        tenant.size -= items.length - kept.length
      }
      if (tenant.size === 0) this.#tenants.delete(tenantId)
    }
    this.#size -= removed.length
    return removed
  }

  #makeRoom(tenantId: string, tokenId: string): { item: Item } | 'none' {
    const crowd = this.#crowd(tenantId, tokenId)
    if (!crowd) return 'none'
    const [owner, name, items] = crowd
    const item = items.pop()!
    const tenant = this.#tenants.get(owner)!
    if (items.length === 0) tenant.tokens.delete(name)
    if (--tenant.size === 0) this.#tenants.delete(owner)
    this.#size--
    return { item }
  }

  /** The longest queue of the tenant with the most waiting items, if longer than the newcomer's would become. */
  #crowd(tenantId: string, tokenId: string): [string, string, Item[]] | undefined {
    const owner = largest(this.#tenants, ({ size }) => size)
    if (!owner) return undefined
    const own = this.#tenants.get(tenantId)
    if (owner[0] !== tenantId && (own?.size ?? 0) + 1 >= owner[1].size) return undefined
    const [name, items] = largest(owner[1].tokens, ({ length }) => length)!
    if (owner[0] === tenantId && (own?.tokens.get(tokenId)?.length ?? 0) + 1 >= items.length) return undefined
    return [owner[0], name, items]
  }
}

function largest<V>(all: Map<string, V>, sizeOf: (value: V) => number): [string, V] | undefined {
  let found: [string, V] | undefined
  for (const entry of all) if (!found || sizeOf(entry[1]) > sizeOf(found[1])) found = entry
  return found
}
