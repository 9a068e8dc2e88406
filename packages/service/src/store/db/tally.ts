/** Amounts by name, and their total. Names with nothing are forgotten. */
export class Tally {
  readonly #amounts = new Map<string, number>()
  total = 0

  of(name: string): number {
    return this.#amounts.get(name) ?? 0
  }

  add(name: string, amount: number): void {
    const sum = this.of(name) + amount
    if (sum > 0) this.#amounts.set(name, sum)
    else this.#amounts.delete(name)
    this.total += amount
  }
}
