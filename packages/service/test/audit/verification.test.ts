import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditVerification } from '@order-testing/contract/operator'
import { TENANT } from '../orders/given.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'
import { ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { recordEntries, tamper } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())
beforeEach(() =>
  tamper(
    service,
    'delete from audit_entries; delete from audit_links; delete from audit_details; delete from audit_unlinked',
  ),
)

const entries = (count: number) => recordEntries(service, count, { tenantId: TENANT })

/** Verifies the whole chain over HTTP and returns its parts. */
async function verified(query: Record<string, string> = {}): Promise<AuditVerification[]> {
  const parts: AuditVerification[] = []
  for (let next: string | null | undefined; next !== null;) {
    const search = new URLSearchParams({ ...query, ...(next !== undefined && { after: next }) }).toString()
    const { status, text, body } = await operate(service, 'GET', `/audit/verification?${search}`)
    if (status !== 200) throw new Error(`${status} ${text}`)
    const part = body as AuditVerification
    parts.push(part)
    next = part.next
  }
  return parts
}

const faultsIn = (parts: AuditVerification[]) =>
  parts.flatMap(({ faults }) => faults.map(({ kind, seq, entryId }) => `${kind} ${seq ?? entryId}`))

const sum = (parts: AuditVerification[], of: 'links' | 'entries') => parts.reduce((total, part) => total + part[of], 0)

describe('verification of the audit chain over HTTP', () => {
  test('a chain is verified in parts of the requested size, up to its head', async () => {
    await entries(1_300)
    const parts = await verified({ limit: '600' })
    expect(parts.map(({ links }) => links)).toEqual([600, 600, 100, 0, 0, 0])
    expect([sum(parts, 'links'), sum(parts, 'entries'), faultsIn(parts)]).toEqual([1_300, 1_300, []])
    const { body: head } = await operate(service, 'GET', '/audit/head')
    expect(parts[2]!.head).toEqual({ seq: head.seq as number, hash: head.hash as string })
  })

  test('an altered entry is reported once, wherever parts end', async () => {
    const ids = await entries(5)
    await tamper(service, `update audit_entries set subject_id = 'ord_other' where id = '${ids[1]}'`)
    for (const limit of ['1', '2', '3', '2000']) expect(faultsIn(await verified({ limit }))).toEqual(['altered 2'])
    const [{ faults }] = (await verified()) as [AuditVerification]
    expect(faults).toEqual([
      { kind: 'altered', seq: 2, entryId: ids[1], detail: `Entry ${ids[1]} (link 2) was altered.` },
    ])
  })

  test('a link that was replaced with a matching entry is reported, also at the start of a part', async () => {
    await entries(4)
    await tamper(service, `update audit_links set previous_hash = sha256('x') where seq = 3`)
    for (const limit of ['1', '2', '2000']) expect(faultsIn(await verified({ limit }))).toEqual(['altered 3'])
  })

  test('missing links, entries without a link and lost entries are reported', async () => {
    const ids = await entries(9)
    await tamper(
      service,
      `delete from audit_links where seq = 2;
       delete from audit_entries where id in ('${ids[3]}', '${ids[6]}');
       delete from audit_links where entry_id = '${ids[6]}'`,
    )
    const expected = ['missing 2', 'missing 4', 'missing 7', `unlinked ${ids[1]}`, `missing ${ids[6]}`]
    expect(faultsIn(await verified({ limit: '2' }))).toEqual(expected)
  })

  test('a part ends early if it has many faults, and the next parts report the rest', async () => {
    await entries(50)
    await tamper(service, `update audit_entries set action = 'nothing'`)
    const parts = await verified()
    expect(parts.map(({ faults }) => faults.length)).toEqual([20, 20, 10, 0])
  })

  test('a head saved earlier shows that the newest entries were removed', async () => {
    const ids = await entries(6)
    const { seq, hash } = (await operate(service, 'GET', '/audit/head')).body as { seq: number; hash: string }
    const query = { head: `${seq}:${hash}` }
    expect(faultsIn(await verified(query))).toEqual([])
    await tamper(
      service,
      `delete from audit_entries where id > '${ids[3]}'; delete from audit_links where seq > 4; delete from audit_details where entry_id > '${ids[3]}'`,
    )
    expect(faultsIn(await verified())).toEqual([])
    expect(faultsIn(await verified(query))).toEqual(['head 6'])
  })

  test('verification covers only the chain of its own tenant', async () => {
    await entries(2)
    await recordEntries(service, 3, { tenantId: 'another' })
    await tamper(service, `update audit_entries set action = 'nothing' where tenant_id = 'another'`)
    const parts = await verified()
    expect([sum(parts, 'links'), faultsIn(parts)]).toEqual([2, []])
  })

  test.each(['after=17', 'after=link:x', 'head=17', 'limit=0'])('verification refuses %s', async (query) => {
    expect((await operate(service, 'GET', `/audit/verification?${query}`)).status).toBe(400)
  })
})

describe('ots audit check', () => {
  const check = (...args: string[]) =>
    ots(['audit', 'check', ...args], { OTS_URL: service.origin, OTS_TOKEN: OPERATOR })

  test('ots audit check verifies the chain over the API, and exits with 1 after faults', async () => {
    const ids = await entries(4)
    const intact = await check()
    expect(intact).toMatchObject({ code: 0, stderr: '' })
    expect(intact.stdout).toMatch(/^Audit log: intact\. 4 entries, head 4:[0-9a-f]{64}\n$/)
    await tamper(service, `update audit_entries set action = 'nothing' where id = '${ids[2]}'`)
    const altered = await check()
    expect(altered.code).toBe(1)
    expect(altered.stdout).toContain(`Audit log: 1 problem. 4 entries, head 4:`)
    expect(altered.stdout).toContain(`  altered    Entry ${ids[2]} (link 3) was altered.`)
    const json = await check('--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({ links: 4, faults: [{ kind: 'altered', seq: 3 }], next: null })
  })
})
