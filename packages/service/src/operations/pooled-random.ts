import { randomFillSync } from 'node:crypto'
import type { Random } from './operation.ts'

const POOL = 4096

/** Cryptographic randomness read from the system 4 KiB at a time: a system call per value would cost more than its use. */
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
    // A copy, because refilling overwrites the pool.
    return Buffer.from(this.#pool.subarray(this.#used - count, this.#used))
  }

  /** Discards numbers beyond the last whole multiple of the limit, which would favour low results. */
  below = (limit: number): number => {
    const fair = 2 ** 32 - (2 ** 32 % limit)
    for (;;) {
      const number = this.bytes(4).readUInt32BE()
      if (number < fair) return number % limit
    }
  }
}
