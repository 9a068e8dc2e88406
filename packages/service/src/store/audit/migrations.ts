import { makeId } from '../../domain/ids.ts'
import { auditChain } from './chain.ts'
import { insertionOf } from './audit.ts'
import type { Db } from '../db/db.ts'

interface Recording {
  osUser: string
  host: string
  tokenId: string
  at: Date
  randomBytes: (count: number) => Uint8Array
}

/**
 * Records migrations in every tenant's audit log, and links them: no service may be running that would. They have no details,
 * so no key is needed.
 */
export async function recordMigrations(names: readonly string[], db: Db, recording: Recording): Promise<void> {
  const { at, randomBytes, ...actor } = recording
  const tenants = await db<{ id: string }[]>`select id from tenants order by id`
  const entries = tenants.flatMap(({ id: tenantId }) =>
    names.map((name) => ({
      ...actor,
      tenantId,
      id: makeId('aud', at, randomBytes),
      at,
      action: 'schema.migrate',
      subjectType: 'migration',
      subjectId: name,
      detailsHash: null,
    })),
  )
  if (entries.length === 0) return
  await db`${insertionOf(entries)}`
  for (const { id } of tenants) await auditChain(db).link(id)
}
