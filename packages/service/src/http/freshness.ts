/** How long cached tokens and catalog data may be used without a check. */
const MAX_AGE_MS = 500

/**
 * Tracks the catalog version, to tell whether cached data is still valid. It asks the database at most twice a second, and
 * only on demand. If the database does not answer, cached data is not used.
 */
export class Freshness {
  #version = ''
  #checkedAt = Number.NEGATIVE_INFINITY
  #forgottenAt = Number.NEGATIVE_INFINITY
  #checking: Promise<string> | undefined
  readonly #read: () => Promise<string>
  readonly #clock: () => number

  constructor(read: () => Promise<string>, clock: () => number = () => performance.now()) {
    this.#read = read
    this.#clock = clock
  }

  /** The version; synchronous if it was checked recently. */
  current(): string | Promise<string> {
    if (this.#clock() - this.#checkedAt < MAX_AGE_MS) return this.#version
    this.#checking ??= this.#check()
    return this.#checking
  }

  /** Makes local changes take effect on this node at once. */
  forget(): void {
    this.#forgottenAt = this.#clock()
    this.#checkedAt = Number.NEGATIVE_INFINITY
    this.#checking = undefined
  }

  async #check(): Promise<string> {
    const askedAt = this.#clock()
    try {
      const version = await this.#read()
      // The read began before a local change: return it, but do not cache it.
      if (askedAt < this.#forgottenAt) return version
      this.#version = version
      this.#checkedAt = askedAt
      return version
    } finally {
      if (askedAt >= this.#forgottenAt) this.#checking = undefined
    }
  }
}
