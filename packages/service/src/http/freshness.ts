/** How long what a node remembers of tokens and catalog may go unchecked. */
const MAX_AGE_MS = 500

/**
 * Knows the version of the catalog well enough to say whether a remembered answer still holds.
 * It asks the database at most twice a second, and only when somebody wants to know; when the
 * database cannot be asked, nothing that was remembered is used.
 */
export class Freshness {
  #version = ''
  #checkedAt = Number.NEGATIVE_INFINITY
  #checking: Promise<string> | undefined
  readonly #read: () => Promise<string>
  readonly #clock: () => number

  constructor(read: () => Promise<string>, clock: () => number = () => performance.now()) {
    this.#read = read
    this.#clock = clock
  }

  /** The version, at once where it was asked for a moment ago. */
  current(): string | Promise<string> {
    if (this.#clock() - this.#checkedAt < MAX_AGE_MS) return this.#version
    this.#checking ??= this.#check()
    return this.#checking
  }

  async #check(): Promise<string> {
    const askedAt = this.#clock()
    try {
      this.#version = await this.#read()
      this.#checkedAt = askedAt
      return this.#version
    } finally {
      this.#checking = undefined
    }
  }
}
