import { Batches } from './batches.ts'
import type { Pool } from './pool.ts'

/** Positions in the write-ahead log of the primary, read after a commit. */
export class WritePositions {
  readonly #reading: Batches<null, bigint>

  constructor(primary: Pool) {
    const read = async (asked: null[]) => {
      // What was committed is flushed, unless commits do not wait for that.
      const { position } = await primary.only<{ position: string }>`
        select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end - '0/0')::text as position`
      return asked.map(() => BigInt(position))
    }
    this.#reading = new Batches(read, { most: Number.POSITIVE_INFINITY, atOnce: 2 })
  }

  /** A position that includes everything committed before the call: one statement for the calls of a turn of the event loop. */
  now(): Promise<bigint> {
    return this.#reading.add(null)
  }
}

/** Positions have a fixed width, so that they compare as text. */
export const formatPosition = (position: bigint): string => position.toString(16).padStart(16, '0')

export const parsePosition = (text: string): bigint => BigInt(`0x${text}`)
