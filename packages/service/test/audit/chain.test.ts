import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashEntry, linkEntries, startChain } from '../../src/domain/audit/chain.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'
import { entryAt, faultsOf, linkAll, recordEntries, tamper } from './given.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(() =>
  tamper(
    database,
    'delete from audit_entries; delete from audit_links; delete from audit_details; delete from audit_unlinked',
  ),
)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const linksIn = (tenantId = 'north') => database.store.auditCheck.linksAfter(tenantId, 0, 100_000)

describe('the audit chain', () => {
  test('every entry is linked to the previous one, in the order of their ids', async () => {
    const ids = await recordEntries(database, 25)
    const links = await linksIn()
    expect(links.map(({ link }) => link.entryId)).toEqual(ids)
    expect(links.map(({ link }) => link)).toEqual(
      linkEntries(
        startChain('north'),
        links.map(({ entry }) => entry!),
      ),
    )
    expect(await database.store.auditChain.tenantsToLink()).toEqual([])
  })

  test('the hashes of the chain can be recomputed independently', () => {
    const entry = {
      tenantId: 'north',
      id: 'aud_1',
      at: '2026-03-04T16:02:40.100000Z',
      tokenId: 'operator',
      osUser: null,
      host: null,
      action: 'order.cancel',
      subjectType: 'order',
      subjectId: 'ord_1',
      detailsHash: null,
      userId: null,
    }
    expect(startChain('north').hash).toBe(sha256('["ots-audit-1","start","north"]'))
    const entryHash = sha256(
      '["ots-audit-1","entry","north","aud_1","2026-03-04T16:02:40.100000Z","operator",null,null,"order.cancel","order","ord_1",null]',
    )
    expect(hashEntry(entry)).toBe(entryHash)
    expect(linkEntries(startChain('north'), [entry]).at(0)?.hash).toBe(
      sha256(`["ots-audit-1","link",1,"${startChain('north').hash}","${entryHash}"]`),
    )
    // Entries of people have one more member, so that all others keep their hashes.
    expect(hashEntry({ ...entry, userId: 'usr_1' })).toBe(
      sha256(
        '["ots-audit-1","entry","north","aud_1","2026-03-04T16:02:40.100000Z","operator",null,null,"order.cancel","order","ord_1",null,"usr_1"]',
      ),
    )
  })

  test('every tenant has its own chain', async () => {
    await recordEntries(database, 4)
    await recordEntries(database, 3, { tenantId: 'south' })
    expect((await linksIn('north')).map(({ link }) => link.seq)).toEqual([1, 2, 3, 4])
    expect((await linksIn('south')).map(({ link }) => link.seq)).toEqual([1, 2, 3])
    expect((await database.store.auditChain.head('south')).seq).toBe(3)
    expect(await database.store.auditChain.head('west')).toEqual({
      ...startChain('west'),
      entryId: null,
      linkedAt: null,
    })
  })

  test('the chain of a tenant whose row was removed is still checked', async () => {
    await recordEntries(database, 1)
    await recordEntries(database, 1, { tenantId: 'south' })
    expect(await database.store.auditCheck.tenants()).toEqual(['north', 'south'])
  })

  test('the chain does not fork while several processes write and link at once', async () => {
    const write = async (from: number) => {
      for (let i = from; i < from + 40; i++) await database.store.audit.append([entryAt(i)])
    }
    const link = async () => {
      for (let i = 0; i < 40; i++) await linkAudit(database.store)
    }
    await Promise.all([write(0), write(100), write(200), link(), link(), link()])
    await linkAll(database)
    expect((await linksIn()).map(({ link: { seq } }) => seq)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
    expect(await faultsOf(database)).toEqual([])
  })

  test('an entry committed late is linked after those that were linked before it', async () => {
    const late = entryAt(0)
    await recordEntries(database, 3)
    await database.store.audit.append([late])
    await linkAll(database)
    expect((await linksIn()).map(({ link }) => link.entryId).at(-1)).toBe(late.id)
    expect(await faultsOf(database)).toEqual([])
  })

  test('an action that was rolled back is not in the chain', async () => {
    const failing = database.store.transaction(async (tx) => {
      await tx.audit.append([entryAt(1)])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await linkAll(database)
    expect(await linksIn()).toEqual([])
  })
})

describe('verifying the audit log', () => {
  test('verification finds no fault in an unchanged log', async () => {
    await recordEntries(database, 2_500)
    const verified = await verifyAudit('north', database.store)
    expect(verified).toMatchObject({ links: 2_500, faultCount: 0, faults: [] })
    expect(verified.head).toMatchObject(
      await database.store.auditChain.head('north').then(({ seq, hash }) => ({ seq, hash })),
    )
  })

  test.each([
    ['an action', `action = 'nothing'`],
    ['a time by a microsecond', `at = at + interval '1 microsecond'`],
    ['a token', `token_id = 'somebody-else'`],
    ['a subject', `subject_id = 'ord_other'`],
    ['a host', `host = 'elsewhere'`],
    ['the hash of details', `details_hash = sha256('other')`],
  ])('verification reports an entry whose %s was altered', async (_what, change) => {
    const ids = await recordEntries(database, 5)
    await tamper(database, `update audit_entries set ${change} where id = '${ids[1]}'`)
    expect((await faultsOf(database)).at(0)).toBe('altered 2')
  })

  test('verification reports a missing entry', async () => {
    const ids = await recordEntries(database, 5)
    await tamper(database, `delete from audit_entries where id = '${ids[2]}'`)
    const { faults } = await verifyAudit('north', database.store)
    expect(faults).toMatchObject([{ kind: 'missing', seq: 3, entryId: ids[2] }])
  })

  test('verification reports the numbers of links that are missing with their entries', async () => {
    const ids = await recordEntries(database, 6)
    await tamper(
      database,
      `delete from audit_entries where id in ('${ids[2]}', '${ids[3]}'); delete from audit_links where seq in (3, 4)`,
    )
    const { faults } = await verifyAudit('north', database.store)
    const withDetails = faults.slice(1).map(({ kind, entryId }) => [kind, ids.indexOf(entryId!)])
    expect(faults[0]).toMatchObject({ kind: 'missing', seq: 3 })
    expect(withDetails.filter(([kind, i]) => kind !== 'missing' || (i !== 2 && i !== 3))).toEqual([])
    expect(faults[0]?.detail).toBe('Links 3 to 4 are missing, with their entries.')
  })

  test('verification finds a log that was deleted as a whole by the details that it left', async () => {
    const ids = await recordEntries(database, 3)
    await tamper(database, 'delete from audit_entries; delete from audit_links; delete from audit_unlinked')
    const { faults } = await verifyAudit('north', database.store)
    expect(faults.length).toBeGreaterThan(0)
    for (const { kind, entryId } of faults) expect([kind, ids.includes(entryId!)]).toEqual(['missing', true])
  })

  test('verification reports an entry whose link was removed', async () => {
    const ids = await recordEntries(database, 4)
    await tamper(database, 'delete from audit_links where seq = 2')
    expect(await faultsOf(database)).toEqual(['missing 2', `unlinked ${ids[1]}`])
  })

  test('verification reports swapped links as reordered', async () => {
    await recordEntries(database, 6)
    await tamper(
      database,
      'update audit_links set seq = 900 where seq = 2; update audit_links set seq = 2 where seq = 5; update audit_links set seq = 5 where seq = 900',
    )
    expect(await faultsOf(database)).toEqual(['reordered 2', 'reordered 5'])
  })

  test('verification reports entries swapped under their links as reordered', async () => {
    const [, second, third] = await recordEntries(database, 4)
    const set = (seq: number, id: string) => `update audit_links set entry_id = '${id}' where seq = ${seq}`
    await tamper(database, `${set(2, 'aside')}; ${set(3, second!)}; ${set(2, third!)}`)
    expect(await faultsOf(database)).toEqual(['reordered 2', 'reordered 3'])
  })

  test('verification looks for the original place of an entry only while faults are listed', async () => {
    await recordEntries(database, 1_200)
    await tamper(database, `update audit_entries set action = 'nothing'`)
    let searches = 0
    database.hear(({ text }) => (searches += text.includes('seq between') ? 1 : 0))
    const { faults, faultCount } = await verifyAudit('north', database.store)
    database.hear(undefined)
    expect([faults.length, faultCount, searches]).toEqual([1_000, 1_200, 1_000])
  })

  test('verification reports an altered link, and a link that was replaced', async () => {
    const ids = await recordEntries(database, 5)
    await tamper(database, `update audit_links set entry_hash = sha256('x') where seq = 2`)
    expect((await faultsOf(database)).at(0)).toBe('altered 2')

    await tamper(database, `delete from audit_links; insert into audit_unlinked select 'north', id from audit_entries`)
    await linkAll(database)
    const [forged] = linkEntries({ seq: 1, hash: (await linksIn()).at(0)!.link.hash }, [
      { ...(await linksIn()).at(1)!.entry!, action: 'nothing' },
    ])
    await tamper(
      database,
      `update audit_entries set action = 'nothing' where id = '${ids[1]}';
       update audit_links set entry_hash = '\\x${forged!.entryHash}', hash = '\\x${forged!.hash}' where seq = 2`,
    )
    expect(await faultsOf(database)).toEqual(['altered 2'])
  })

  test('verification reports an old entry without a link, and ignores recent ones', async () => {
    await recordEntries(database, 2)
    const [old, young] = [entryAt(100), { ...entryAt(101), at: new Date() }]
    await database.store.audit.append([old, young])
    expect(await faultsOf(database)).toEqual([`unlinked ${old.id}`])
    await database.pool`delete from audit_unlinked`
    expect(await faultsOf(database)).toEqual([`unlinked ${old.id}`])
  })

  test('verification reports details that were altered, swapped or removed', async () => {
    const ids = await recordEntries(database, 10)
    const [first, second, third] = [ids[0]!, ids[3]!, ids[6]!]
    await database.pool`delete from audit_details where entry_id = ${first}`
    await database.pool`
      update audit_details set content = (select content from audit_details where entry_id = ${third}) where entry_id = ${second}`
    expect(await faultsOf(database)).toEqual(['details 1', 'details 4'])
  })

  test('verification against a saved head reports the loss of the newest entries', async () => {
    const ids = await recordEntries(database, 6)
    const { seq, hash } = await database.store.auditChain.head('north')
    expect(await faultsOf(database, { head: { seq, hash } })).toEqual([])
    await tamper(database, `delete from audit_entries where id > '${ids[3]}'; delete from audit_links where seq > 4`)
    expect(await faultsOf(database)).toEqual([])
    expect(await faultsOf(database, { head: { seq, hash } })).toEqual(['head 6'])
    await recordEntries(database, 4, { subjectId: 'ord_other' })
    expect(await faultsOf(database, { head: { seq, hash } })).toEqual(['head 6'])
  })

  test('verification reads a log of any length in batches', async () => {
    await recordEntries(database, 6_500)
    let statements = 0
    database.hear(() => statements++)
    expect(await verifyAudit('north', database.store)).toMatchObject({ links: 6_500, faultCount: 0 })
    database.hear(undefined)
    // Links and entries older than ten seconds are each read in four batches and an empty one;
    // one statement reads the checkpoint and one looks for details without an entry.
    expect(statements).toBeLessThanOrEqual(5 + 5 + 1 + 1)
  })
})
