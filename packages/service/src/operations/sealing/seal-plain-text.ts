import { SEALED } from '../../store/resealing.ts'
import type { Place } from '../../store/sealing/pass.ts'
import type { Store } from '../../store/store.ts'
import { blockingKeysOf } from '../matching/match.ts'

/** Batches of one round: requests go on beside it. */
const BATCHES = 20

/** When nothing was left, plain text can only come from a node of an earlier build that is still running. */
const REST_MS = 60_000

/** What a round has done. */
export interface Round {
  sealed: number
  /** Rows that could not be opened, for want of a key. They stay as they are. */
  failed: number
}

/**
 * Seals what earlier builds have kept as plain text, a round at a time. Any number of nodes may do so at once: what one has sealed
 * is left alone by the others.
 */
export function plainTextSealer({ resealing }: Pick<Store, 'resealing'>) {
  const tables = resealing.tables(blockingKeysOf)
  let [table, place]: [number, Place] = [0, []]
  let restUntil = 0
  return async (now: number): Promise<Round> => {
    const round = { sealed: 0, failed: 0 }
    if (now < restUntil) return round
    for (let batches = 0; batches < BATCHES; batches++) {
      const { renewed, failed, next } = await tables[SEALED[table]!](place, { onlyPlain: true, isTolerant: true })
      round.sealed += renewed
      round.failed += failed
      if (!next) table++
      place = next ?? []
      if (table === SEALED.length) {
        ;[table, place] = [0, []]
        restUntil = now + REST_MS
        break
      }
    }
    return round
  }
}

/**
 * Seals the details of audit entries that migration 0019 copied, all of them, and counts them. Takes the owner of the schema. Does
 * nothing with keys that are not those of the database: the service could not open what they sealed.
 */
export async function sealAuditDetails({
  resealing,
  keyChecks,
}: Pick<Store, 'resealing' | 'keyChecks'>): Promise<number> {
  if ((await resealing.countPlainDetails()) === 0 || (await keyChecks.wrong()).length > 0) return 0
  await keyChecks.note()
  const { auditDetails } = resealing.tables(blockingKeysOf)
  let sealed = 0
  for (let place: Place | undefined = []; place;) {
    const batch = await auditDetails(place, { onlyPlain: true })
    sealed += batch.renewed
    place = batch.next
  }
  return sealed
}
