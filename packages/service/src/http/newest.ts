/** A ring of the newest items. */
export class Newest<Item> {
  readonly #most: number
  readonly #kept: Item[] = []
  #added = 0

  constructor(most: number) {
    this.#most = most
  }

  add(item: Item): void {
    this.#kept[this.#added++ % this.#most] = item
  }

  /** Oldest first. */
  list(): Item[] {
    const oldest = this.#added % this.#most
    return this.#added <= this.#most ? [...this.#kept] : [...this.#kept.slice(oldest), ...this.#kept.slice(0, oldest)]
  }
}
