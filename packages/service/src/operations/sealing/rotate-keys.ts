import { SEALED, type Sealed } from '../../store/resealing.ts'
import type { Place } from '../../store/sealing/pass.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { wordsOf } from '../matching/match.ts'

/** How many rows of each kind were brought under the current key. */
export interface Renewed extends Record<Sealed, number> {
  /** Copies under older keys that only the owner of the schema may remove. */
  oldAuditDetails: number
  /** Checkpoints of the audit log that are not signed with the current key: the owner of the schema may, with the keys they have. */
  unsignedCheckpoints: number
}

/** The same for a command: every tenant's audit log has it. */
export async function rotateAndRecord(store: Store, record: AuditRecorder): Promise<Renewed> {
  const renewed = await rotateKeys(store)
  await store.transaction(async (tx) => {
    const subject = { type: 'keys', id: store.currentKeyId() }
    for (const { id } of await tx.catalog.tenants())
      await record(id, { action: 'keys.rotate', subject, after: renewed }, tx)
  })
  return renewed
}

/** Brings everything that is not sealed with the current key under it, while the service goes on. */
export async function rotateKeys({
  resealing,
  keyChecks,
  auditPruning,
}: Pick<Store, 'resealing' | 'keyChecks' | 'auditPruning'>): Promise<Renewed> {
  await keyChecks.note()
  const counts = Object.fromEntries(SEALED.map((name) => [name, 0])) as Record<Sealed, number>
  const tables = resealing.tables(wordsOf)
  for (const name of SEALED) {
    let place: Place | undefined = []
    while (place) {
      const batch = await tables[name](place)
      counts[name] += batch.renewed
      place = batch.next
    }
  }
  const renewed = {
    ...counts,
    oldAuditDetails: await resealing.dropOldDetails(),
    unsignedCheckpoints: await auditPruning.resign(),
  }
  await keyChecks.forgetOthers()
  return renewed
}
