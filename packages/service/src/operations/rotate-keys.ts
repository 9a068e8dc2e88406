import { SEALED, type Sealed } from '../store/resealing.ts'
import type { Place } from '../store/sealing-pass.ts'
import type { Store } from '../store/store.ts'
import { wordsOf } from './match-order.ts'

/** How many rows of each kind were brought under the current key. */
export type Renewed = Record<Sealed, number>

/** Brings everything that is not sealed with the current key under it, while the service goes on. */
export async function rotateKeys({ resealing, keyChecks }: Pick<Store, 'resealing' | 'keyChecks'>): Promise<Renewed> {
  await keyChecks.note()
  const renewed = Object.fromEntries(SEALED.map((name) => [name, 0])) as Renewed
  const tables = resealing.tables(wordsOf)
  for (const name of SEALED) {
    let place: Place | undefined = []
    while (place) {
      const batch = await tables[name](place)
      renewed[name] += batch.renewed
      place = batch.next
    }
  }
  await keyChecks.forgetOthers()
  return renewed
}
