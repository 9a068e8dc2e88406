import { expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import type { Db } from '../../src/store/db/db.ts'
import { orderFacts, referenceCache } from '../../src/store/orders/facts.ts'
import { callerOf } from '../support/caller.ts'

function counted() {
  let reads = 0
  const only = async () => ({ locations: [], packages: [], hasBackgroundTexts: ++reads > 0 })
  const cache = referenceCache()
  const facts = orderFacts({ only } as unknown as Db, cache)
  const find = (caller: Caller) => facts.findCandidates(caller, { id: 'hq' }, { id: 'basic' })
  return { cache, find, reads: () => reads }
}

const MANY = Array.from({ length: 1_000 }, (_, i) => `company-${i}`)
const seeing = (companyIds: string[], changed: Partial<Caller> = {}) => ({ ...callerOf('one'), companyIds, ...changed })

test('the references of a caller are read once, until the catalog changes', async () => {
  const { find, reads } = counted()
  await find(seeing(MANY))
  await find(seeing(MANY))
  expect(reads()).toBe(1)
  await find(seeing([...MANY], { catalogVersion: '2' }))
  expect(reads()).toBe(2)
})

test('references are read apart for a caller that sees other companies, or is of another tenant', async () => {
  const { find, reads } = counted()
  const scopes = [MANY, MANY.slice(1), MANY.slice(0, 1), MANY.slice(1, 2), []]
  for (const companyIds of scopes) await find(seeing(companyIds))
  expect(reads()).toBe(scopes.length)
  await find(seeing(MANY.slice(0, 1), { tenantId: 'globex' }))
  expect(reads()).toBe(scopes.length + 1)
})

test('references are read once for all requests that are narrowed to a company', async () => {
  const { find, reads } = counted()
  await find(seeing(['company-1']))
  await find(seeing(['company-1']))
  expect(reads()).toBe(1)
})

test('references are cached without the names of a thousand companies', async () => {
  const { cache, find } = counted()
  await find(seeing(MANY))
  expect(cache.calculatedSize).toBeLessThan(1_000)
})
