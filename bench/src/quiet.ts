import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '@order-testing/service/store/db/pool'
import { figures } from '@order-testing/service/store/figures/figures'
import { Keyring } from '@order-testing/service/store/sealing/keyring'
import { KEY } from './world.ts'

/**
 * Waits until the service has done what follows from earlier orders. It works on that for some seconds in the background, and what
 * is measured next would pay for it.
 */
async function waitUntilQuiet(pool: Pool): Promise<void> {
  await waitUntilFolded(pool)
  const { behind } = figures(pool, new Keyring([KEY]))
  await until('figures that are kept', async () => (await behind(1)).length === 0)
}

/** Does something on a quiet service. */
export const whenQuiet = (pool: Pool, work: () => Promise<number>) => async (): Promise<number> => {
  await waitUntilQuiet(pool)
  return work()
}

/** Waits until the service has folded all changes into chunks and split those that are too large. */
export const waitUntilFolded = (pool: Pool): Promise<void> =>
  until('changes that are folded', async () => {
    const [left] = await pool<{ is: boolean }[]>`
      select exists (select from order_changes) or exists (select from order_chunks where n >= 2000) as is`
    return !left?.is
  })

const PATIENCE_MS = 300_000

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = Date.now(); !(await isSo()); await sleep(100))
    if (Date.now() - begun > PATIENCE_MS) throw new Error(`Waited five minutes for ${what}.`)
}
