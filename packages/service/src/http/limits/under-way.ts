/** Knows its place among those that are under way. */
export interface Placed {
  placeUnderWay: number
}

/**
 * Requests that are under way, in an array, because a `Set` or `Map` keeps finished requests in memory: it replaces its table as items
 * come and go, and each old table points to the next. As soon as the collector has moved one of them to the old space, all later
 * ones live until that is collected, with every request that was in them. With this array, half as many bytes survive while orders are
 * read (`npm run bench -- read`, with `--trace-gc-nvp`). To be replaced by a `Set` when V8 empties the tables that it replaces.
 */
export class UnderWay<Item extends Placed> {
  readonly #items: Item[] = []

  add(item: Item): void {
    item.placeUnderWay = this.#items.push(item) - 1
  }

  /** The last one takes its place. */
  delete(item: Item): void {
    if (this.#items[item.placeUnderWay] !== item) return
    const last = this.#items.pop()!
    if (last === item) return
    last.placeUnderWay = item.placeUnderWay
    this.#items[last.placeUnderWay] = last
  }

  list(): Item[] {
    return [...this.#items]
  }
}
