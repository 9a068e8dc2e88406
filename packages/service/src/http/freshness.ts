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
  #forgottenAt = Number.NEGATIVE_INFINITY
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

  /** What was changed here counts here at once. */
  forget(): void {
    this.#forgottenAt = this.#clock()
    this.#checkedAt = Number.NEGATIVE_INFINITY
    this.#checking = undefined
  }

  async #check(): Promise<string> {
    const askedAt = this.#clock()
    try {
      const version = await this.#read()
      // Of before something was changed here: good for who asked then, and for nobody else.
      if (askedAt < this.#forgottenAt) return version
      this.#version = version
      this.#checkedAt = askedAt
      return version
    } finally {
      if (askedAt >= this.#forgottenAt) this.#checking = undefined
    }
  }
}
