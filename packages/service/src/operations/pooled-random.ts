import { randomFillSync } from 'node:crypto'
import type { Random } from './operation.ts'

const POOL = 4096

/** Randomness from a pool: asking the system for a few bytes at a time takes longer than using them. */
export class PooledRandom implements Random {
  readonly #pool = Buffer.allocUnsafe(POOL)
  #used = POOL

  bytes = (count: number): Buffer => {
    if (count > POOL) return randomFillSync(Buffer.allocUnsafe(count))
    if (this.#used + count > POOL) {
      randomFillSync(this.#pool)
      this.#used = 0
    }
    this.#used += count
    // A copy: the pool is filled anew under whoever keeps what was taken.
    return Buffer.from(this.#pool.subarray(this.#used - count, this.#used))
  }

  /** Numbers beyond the last whole multiple of the limit are thrown away: they would favour the low ones. */
  below = (limit: number): number => {
    const fair = 2 ** 32 - (2 ** 32 % limit)
    for (;;) {
      const number = this.bytes(4).readUInt32BE()
      if (number < fair) return number % limit
    }
  }
}
