import { randomBytes } from 'node:crypto'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { verifyAudit, type VerifyOptions } from '../../src/operations/audit/verify.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { AuditRow } from '../../src/store/audit/audit.ts'
import type { TestDatabase } from '../support/service.ts'

/** Old enough to have a link. */
const LONG_AGO = Date.parse('2026-03-01T00:00:00.000Z')

/** An entry, of which a test states only what matters; each is a second after the one before. */
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

/** Records so many entries and links them; every third has details. Gives their ids in order. */
export async function recorded(
  { store }: TestDatabase,
  count: number,
  members: Partial<AuditRow> = {},
): Promise<string[]> {
  const entries = Array.from({ length: count }, (_, i) =>
    entryAt(i, { ...(i % 3 === 0 && { action: 'order.cancel', reason: 'Placed twice.' }), ...members }),
  )
  for (let i = 0; i < count; i += 1_000) await store.audit.note(entries.slice(i, i + 1_000))
  await linkAll({ store })
  return entries.map(({ id }) => id)
}

export async function linkAll({ store }: Pick<TestDatabase, 'store'>): Promise<void> {
  while (await linkAudit(store));
}

/** Changes what the service would never change. */
export const tamper = async ({ pool }: TestDatabase, statement: string) => {
  const tables = ['audit_entries', 'audit_links']
  const triggers = (how: string) => tables.map((table) => `alter table ${table} ${how} trigger user`).join(';')
  await pool.script(`begin; ${triggers('disable')}; ${statement}; ${triggers('enable')}; commit`)
}

/** What a check of the log finds, each fault in a line: `altered 3`. */
export async function faultsOf({ store }: Pick<TestDatabase, 'store'>, options: VerifyOptions = {}) {
  const { faults } = await verifyAudit('north', store, { recheckAfterMs: 0, ...options })
  return faults.map(({ kind, seq, entryId }) => `${kind} ${seq ?? entryId}`)
}
