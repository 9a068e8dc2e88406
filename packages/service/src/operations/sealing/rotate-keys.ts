import type { Sealed } from '../../store/resealing.ts'
import type { Pass, Place, RenewBatch } from '../../store/sealing/pass.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { blockingKeysOf } from '../matching/match.ts'
import type { OnProgress } from '../progress.ts'

/** How many rows of each kind were resealed. */
export interface Renewed extends Record<Sealed, number> {
  /** Copies of audit details under older keys that are left; only the owner of the schema may remove them. */
  oldAuditDetails: number
  /** Audit checkpoints that are not signed with the current key; only the owner of the schema may sign them. */
  unsignedCheckpoints: number
}

/** Rotates the keys and records it in every tenant's audit log. */
export async function rotateAndRecord(
  store: Pick<Store, 'resealing' | 'keyChecks' | 'auditPruning' | 'transaction'>,
  record: AuditRecorder,
  onProgress?: OnProgress,
): Promise<Renewed> {
  const renewed = await rotateKeys(store, onProgress)
  await store.transaction(async (tx) => {
    const subject = { type: 'keys', id: store.keyChecks.currentId() }
    for (const { id } of await tx.catalog.tenants())
      await record(id, { action: 'keys.rotate', subject, after: renewed }, tx)
  })
  return renewed
}

/** Reseals everything that is not under the current key, while the service runs. */
export async function rotateKeys(
  { resealing, keyChecks, auditPruning }: Pick<Store, 'resealing' | 'keyChecks' | 'auditPruning'>,
  onProgress?: OnProgress,
): Promise<Renewed> {
  await keyChecks.note()
  const counts: Record<string, number> = {}
  for (const [name, renewBatch] of Object.entries(resealing.tables(blockingKeysOf)))
    counts[name] = await resealAll(renewBatch, {}, (done) => onProgress?.({ kind: name, done }))
  const renewed = {
    ...(counts as Record<Sealed, number>),
    oldAuditDetails: await resealing.dropOldDetails(),
    unsignedCheckpoints: await auditPruning.resign(),
  }
  await keyChecks.forgetOthers()
  return renewed
}

/** Reseals a table in batches and returns the number of rows; `onBatch` gets the number so far. */
export async function resealAll(
  renewBatch: RenewBatch,
  pass?: Pass,
  onBatch?: (renewed: number) => void,
): Promise<number> {
  let renewed = 0
  for (let place: Place | undefined = []; place;) {
    const batch = await renewBatch(place, pass)
    renewed += batch.renewed
    onBatch?.(renewed)
    place = batch.next
  }
  return renewed
}
