import type { Batch, Place } from '../store/resealing.ts'
import type { Store } from '../store/store.ts'
import { wordsOf } from './match-order.ts'

/** How many of each were brought under the current key. */
export interface Renewed {
  orders: number
  callbacks: number
  deliveries: number
  answers: number
  results: number
  documents: number
  mailbox: number
}

/** Brings everything that is sealed or hashed under older keys under the current one, while the service goes on. */
export async function rotateKeys({ resealing, keyChecks }: Pick<Store, 'resealing' | 'keyChecks'>): Promise<Renewed> {
  await keyChecks.note()
  const renewed = {
    orders: await renewAll((place) => resealing.orders(place, wordsOf)),
    callbacks: await renewAll((place) => resealing.callbacks(place)),
    deliveries: await renewAll((place) => resealing.deliveries(place)),
    answers: await renewAll((place) => resealing.answers(place)),
    results:
      (await renewAll((place) => resealing.results(place))) +
      (await renewAll((place) => resealing.refusedMessages(place))),
    documents: await renewAll((place) => resealing.documents(place)),
    mailbox: await renewAll((place) => resealing.mailbox(place)),
  }
  await keyChecks.forgetOthers()
  return renewed
}

async function renewAll(renew: (place: Place) => Promise<Batch>): Promise<number> {
  let total = 0
  for (let place: Place | undefined = []; place;) {
    const { renewed, next }: Batch = await renew(place)
    total += renewed
    place = next
  }
  return total
}
