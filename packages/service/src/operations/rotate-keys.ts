import type { Batch, Place } from '../store/resealing.ts'
import type { Store } from '../store/store.ts'
import type { Recorder } from './audit.ts'
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
  auditDetails: number
  /** Copies under older keys that only the owner of the schema may remove. */
  oldAuditDetails: number
  /** Checkpoints of the audit log that only the owner of the schema may sign with the current key. */
  unsignedCheckpoints: number
}

/** The same for a command: every tenant's audit log has it. */
export async function rotateAndRecord(store: Store, record: Recorder): Promise<Renewed> {
  const renewed = await rotateKeys(store)
  await store.transaction(async (tx) => {
    const subject = { type: 'keys', id: store.currentKeyId() }
    for (const { id } of await tx.catalog.tenants())
      await record(id, { action: 'keys.rotate', subject, after: renewed }, tx)
  })
  return renewed
}

/** Brings everything that is sealed or hashed under older keys under the current one, while the service goes on. */
export async function rotateKeys({
  resealing,
  keyChecks,
  auditPruning,
}: Pick<Store, 'resealing' | 'keyChecks' | 'auditPruning'>): Promise<Renewed> {
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
    auditDetails: await renewAll((place) => resealing.auditDetails(place)),
    oldAuditDetails: await resealing.dropOldDetails(),
    unsignedCheckpoints: await auditPruning.resign(),
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
