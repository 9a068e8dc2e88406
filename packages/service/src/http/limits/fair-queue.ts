/** Who waits. Tenants take turns, and so do the tokens of a tenant. */
export interface Party {
  tenantId: string
  tokenId: string
}

export const nameOf = ({ tenantId, tokenId }: Party) => `${tenantId}\n${tokenId}`

/**
 * A bounded queue that serves tenants in turn, and within a tenant its tokens. When it is full, the newest item of the
 * party with the most waiting items is dropped.
 */
export class FairQueue<Item> {
  readonly #limit: number
  /** Items by tenant and token, the least recently served first. No map and no list is empty. */
  readonly #tenants = new Map<string, Map<string, Item[]>>()
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
  add(party: Party, item: Item): Item | undefined {
    const crowd = this.isFull ? this.#findCrowd(party) : undefined
    if (this.isFull && !crowd) return item
    const dropped = crowd && this.#dropNewest(crowd)
    const tokens = this.#tenants.get(party.tenantId) ?? new Map<string, Item[]>()
    const items = tokens.get(party.tokenId) ?? []
    items.push(item)
    this.#tenants.set(party.tenantId, tokens.set(party.tokenId, items))
    this.#size++
    return dropped
  }

  /** Whether an item of this party would be accepted, possibly by dropping another. */
  takes(party: Party): boolean {
    return !this.isFull || this.#findCrowd(party) !== undefined
  }

  /** The next item of a party that may be served. Its tenant and token move to the end of the queue. */
  next(isServed: (party: Party) => boolean = () => true): Item | undefined {
    for (const [tenantId, tokens] of this.#tenants) {
      for (const [tokenId, items] of tokens) {
        if (!isServed({ tenantId, tokenId })) continue
        const item = items.shift()!
        this.#tenants.delete(tenantId)
        tokens.delete(tokenId)
        if (items.length > 0) tokens.set(tokenId, items)
        if (tokens.size > 0) this.#tenants.set(tenantId, tokens)
        this.#size--
        return item
      }
    }
    return undefined
  }

  /** Removes and returns the items that are not kept. */
  remove(isKept: (item: Item) => boolean): Item[] {
    const removed: Item[] = []
    for (const [tenantId, tokens] of this.#tenants) {
      for (const [tokenId, items] of tokens) {
        const kept = items.filter((item) => isKept(item) || !removed.push(item))
        if (kept.length > 0) tokens.set(tokenId, kept)
        else tokens.delete(tokenId)
      }
      if (tokens.size === 0) this.#tenants.delete(tenantId)
    }
    this.#size -= removed.length
    return removed
  }

  #dropNewest({ tenantId, tokenId }: Party): Item {
    const tokens = this.#tenants.get(tenantId)!
    const items = tokens.get(tokenId)!
    const item = items.pop()!
    if (items.length === 0) tokens.delete(tokenId)
    if (tokens.size === 0) this.#tenants.delete(tenantId)
    this.#size--
    return item
  }

  /** The token with the most items of the tenant with the most, if that is more than the newcomer would have. */
  #findCrowd({ tenantId, tokenId }: Party): Party | undefined {
    const [owner, tokens] = largest(this.#tenants, countItems) ?? []
    if (owner === undefined || !tokens) return undefined
    const own = this.#tenants.get(tenantId)
    if (owner !== tenantId && (own ? countItems(own) : 0) + 1 >= countItems(tokens)) return undefined
    const [name, items] = largest(tokens, ({ length }) => length)!
    if (owner === tenantId && (tokens.get(tokenId)?.length ?? 0) + 1 >= items.length) return undefined
    return { tenantId: owner, tokenId: name }
  }
}

const countItems = (tokens: Map<string, unknown[]>) => [...tokens.values()].reduce((sum, { length }) => sum + length, 0)

function largest<V>(all: Map<string, V>, sizeOf: (value: V) => number): [string, V] | undefined {
  let found: [string, V] | undefined
  for (const entry of all) if (!found || sizeOf(entry[1]) > sizeOf(found[1])) found = entry
  return found
}
