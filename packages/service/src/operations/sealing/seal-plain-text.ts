import type { Place } from '../../store/sealing/pass.ts'
import type { Store } from '../../store/store.ts'
import { blockingKeysOf } from '../matching/match.ts'
import { resealAll } from './rotate-keys.ts'

/** Batches with rows to seal per round, few enough not to slow down requests. */
const BATCHES = 20

/** Pause after nothing was left: new plain text can only come from a node of an earlier build that still runs. */
const REST_MS = 60_000

export interface Round {
  sealed: number
  /** Rows that could not be opened because a key is missing. They stay as they are. */
  failed: number
}

/**
 * Seals plain text of earlier builds, one round per call. Any number of nodes may do so concurrently: each skips what another has
 * sealed.
 */
export function plainTextSealer({ resealing }: Pick<Store, 'resealing'>) {
  const tables = Object.values(resealing.tables(blockingKeysOf))
  let [table, place]: [number, Place] = [0, []]
  let restUntil = 0
  return async (now: number): Promise<Round> => {
    const round = { sealed: 0, failed: 0 }
    if (now < restUntil) return round
    for (let batches = 0; batches < BATCHES;) {
      const { renewed, failed, next } = await tables[table]!(place, { onlyPlain: true, isTolerant: true })
      round.sealed += renewed
      round.failed += failed
      if (renewed + failed > 0) batches++
      if (!next) table++
      place = next ?? []
      if (table === tables.length) {
        ;[table, place] = [0, []]
        restUntil = now + REST_MS
        break
      }
    }
    return round
  }
}

/**
 * Seals all audit details that earlier builds left in plain text, and returns their number. Needs the owner of the schema. Does
 * nothing with keys other than those of the database: the service could not open what they sealed.
 */
export async function sealAuditDetails({
  resealing,
  keyChecks,
}: Pick<Store, 'resealing' | 'keyChecks'>): Promise<number> {
  if ((await resealing.countPlainDetails()) === 0 || (await keyChecks.wrong()).length > 0) return 0
  await keyChecks.note()
  return resealAll(resealing.tables(blockingKeysOf).auditDetails, { onlyPlain: true })
}
