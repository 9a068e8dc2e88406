import { makeId } from '../../domain/ids.ts'
import type { Db } from '../db/db.ts'
import { insertEntries } from './audit.ts'
import { auditChain } from './chain.ts'

interface RecordingOptions {
  osUser: string
  host: string
  tokenId: string
  at: Date
  randomBytes: (count: number) => Uint8Array
}

/**
 * Records migrations in the audit log of every tenant. Links the entries too, since no service may be running to do so. The
 * entries have no details, so no key is needed.
 */
export async function recordMigrations(names: readonly string[], db: Db, options: RecordingOptions): Promise<void> {
  const { at, randomBytes, ...actor } = options
  const tenants = await db.values`select id from tenants order by id`
  const entries = tenants.flatMap((tenantId) =>
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
  await db`${insertEntries(entries)}`
  for (const tenantId of tenants) await auditChain(db).link(tenantId)
}
