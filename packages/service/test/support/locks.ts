import { expect } from 'vitest'
import type { Pool } from '../../src/store/db/pool.ts'

/** Waits until this many statements of the database wait for a lock. */
export async function untilWaiting(pool: Pool, count = 1): Promise<void> {
  const waiting = () => pool`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(waiting).toHaveLength(count)
}
