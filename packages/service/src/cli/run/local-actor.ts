import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { LOCAL_TOKEN_ID, recordAsLocal, type LocalActor, type AuditRecorder } from '../../operations/audit/audit.ts'
import { PooledRandom } from '../../operations/pooled-random.ts'
import { recordMigrations } from '../../store/audit/migrations.ts'
import type { Db } from '../../store/db/db.ts'

/** The user and host of this process, for the audit log. */
export function localActor(): LocalActor {
  return { osUser: userName(), host: hostname() }
}

/** Records what this process does to the database without a token. */
export const recorder = (): AuditRecorder =>
  recordAsLocal(localActor(), { now: () => new Date(), random: new PooledRandom() })

/** Records migrations in the transaction that applies them. */
export const recordApplied = (names: string[], db: Db): Promise<void> =>
  recordMigrations(names, db, { ...localActor(), tokenId: LOCAL_TOKEN_ID, at: new Date(), randomBytes })

/** In a container, the user may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
