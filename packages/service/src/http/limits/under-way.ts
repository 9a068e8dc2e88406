/** Knows its place among those that are under way. */
export interface Placed {
  place: number
}

/**
 * Requests that are under way. In place of a `Set` or `Map`: they replace their tables as items come and go, and each table points to
 * the next. As soon as the collector has moved one to the old space, all later ones live until that is collected, with every request
 * that was in them. Without them, half as many bytes survive while orders are read (`npm run bench -- read`, with
 * `--trace-gc-nvp`). To be removed when V8 empties the tables that it replaces.
 */
export class UnderWay<Item extends Placed> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    item.place = this.#items.push(item) - 1
  }

  /** The last one takes its place. */
  delete(item: Item): void {
    if (this.#items[item.place] !== item) return
    const last = this.#items.pop()!
    if (last === item) return
    last.place = item.place
    this.#items[last.place] = last
  }

  list(): Item[] {
    return [...this.#items]
  }
}
