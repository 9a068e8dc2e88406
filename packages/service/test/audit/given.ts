import { randomBytes } from 'node:crypto'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { verifyAudit, type VerifyOptions } from '../../src/operations/audit/verify.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { AuditRow } from '../../src/store/audit/audit.ts'
import type { TestDatabase } from '../support/service.ts'

/** Old enough that a link is expected. */
const LONG_AGO = Date.parse('2026-03-01T00:00:00.000Z')

/** Makes an entry a second after the previous one; a test states only what matters. */
export function entryAt(i: number, members: Partial<AuditRow> = {}): AuditRow {
  const at = new Date(LONG_AGO + i * 1_000)
  return {
    tenantId: 'north',
    id: makeId('aud', at, randomBytes),
    at,
    tokenId: 'operator',
    action: 'order.read',
    subjectType: 'order',
    subjectId: `ord_${i}`,
    reason: null,
    before: null,
    after: null,
    ...members,
  }
}

/** Records and links entries, every third with details, and returns their ids in order. */
export async function recordEntries(
  { store }: TestDatabase,
  count: number,
  members: Partial<AuditRow> = {},
): Promise<string[]> {
  const entries = Array.from({ length: count }, (_, i) =>
    entryAt(i, { ...(i % 3 === 0 && { action: 'order.cancel', reason: 'Placed twice.' }), ...members }),
  )
  for (let i = 0; i < count; i += 1_000) await store.audit.append(entries.slice(i, i + 1_000))
  await linkAll({ store })
  return entries.map(({ id }) => id)
}

export async function linkAll({ store }: Pick<TestDatabase, 'store'>): Promise<void> {
  while (await linkAudit(store));
}

/** Changes rows that the service never changes. */
export const tamper = async ({ pool }: TestDatabase, statement: string) => {
  const tables = ['audit_entries', 'audit_links']
  const triggers = (how: string) => tables.map((table) => `alter table ${table} ${how} trigger user`).join(';')
  await pool.script(`begin; ${triggers('disable')}; ${statement}; ${triggers('enable')}; commit`)
}

/** Verifies the log and returns its faults as `altered 3`. */
export async function faultsOf({ store }: Pick<TestDatabase, 'store'>, options: VerifyOptions = {}) {
  const { faults } = await verifyAudit('north', store, { recheckAfterMs: 0, ...options })
  return faults.map(({ kind, seq, entryId }) => `${kind} ${seq ?? entryId}`)
}
