import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/cli/run/settings.ts'
import { RateLimit } from '../../src/http/limits/rate-limit.ts'
import { callerOf } from '../support/caller.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf, type Answer } from './answers.ts'
import { exampleOf, prairieCatalog, prairieToken, everyOperation } from './walk.ts'

/** Enough to ask for everything once, and for some things again. */
const LIMIT = everyOperation.length + 10

let service: TestService

// A service for each test, because counts cannot be taken back.
beforeEach(async () => {
  service = await startService({ rateLimit: LIMIT })
  await service.apply(
    prairieCatalog('prairie', [
      prairieToken('prairie-secret-one'),
      prairieToken('prairie-secret-two'),
      prairieToken('prairie-secret-own-limit', { rateLimit: 3 }),
      prairieToken('prairie-secret-high-limit', { rateLimit: LIMIT + 5 }),
      prairieToken('prairie-secret-unlimited', { rateLimit: 0 }),
      prairieToken('prairie-secret-companies', { scopes: ['company.list'] }),
    ]),
    prairieCatalog('steppe', [prairieToken('steppe-secret-one', { id: 'prairie-secret-one' })]),
  )
})

afterEach(() => service.stop())

const companies = (secret: string) => service.call(secret, '/api/v2/companies')
const remaining = ({ headers }: Answer) => Number(headers.get('ratelimit-remaining'))

async function use(secret: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect(await companies(secret)).toMatchObject({ status: 200 })
}

test('every answer to a token reports its remaining requests', async () => {
  for (const left of [LIMIT - 1, LIMIT - 2, LIMIT - 3]) {
    const { headers } = await companies('prairie-secret-one')
    expect(headers.get('ratelimit-limit')).toBe(String(LIMIT))
    expect(headers.get('ratelimit-remaining')).toBe(String(left))
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
  }
})

test('requests over the limit are refused until the minute is over', async () => {
  await use('prairie-secret-one', LIMIT)
  const answer = await companies('prairie-secret-one')
  expect(refusalOf(answer)).toBe('429 tooManyRequests')
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
  expect(remaining(answer)).toBe(0)
  expect(answer.headers.get('ratelimit-limit')).toBe(String(LIMIT))

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wait * 1_000 })
  try {
    expect(remaining(await companies('prairie-secret-one'))).toBe(LIMIT - 1)
  } finally {
    vi.useRealTimers()
  }
})

test('requests of a token are counted across all operations, whatever their status', async () => {
  let left = LIMIT
  for (const endpoint of everyOperation) {
    const answer = await service.call('prairie-secret-one', exampleOf(endpoint))
    expect({ name: endpoint.name, left: remaining(answer) }).toEqual({ name: endpoint.name, left: --left })
  }
  expect(remaining(await service.call('prairie-secret-one', { method: 'HEAD', path: '/api/v2/companies' }))).toBe(
    --left,
  )
  expect(remaining(await service.call('prairie-secret-one', '/api/v2/companies/missing'))).toBe(--left)
  expect(remaining(await service.call('prairie-secret-one', '/api/v2/companies?page=0'))).toBe(--left)
  await use('prairie-secret-one', left)
  for (const endpoint of everyOperation)
    expect(refusalOf(await service.call('prairie-secret-one', exampleOf(endpoint)))).toBe('429 tooManyRequests')
})

test("a token's limit does not affect other tokens, not even one with the same id in another tenant", async () => {
  await use('prairie-secret-one', LIMIT)
  expect(refusalOf(await companies('prairie-secret-one'))).toBe('429 tooManyRequests')
  expect(remaining(await companies('prairie-secret-two'))).toBe(LIMIT - 1)
  expect(remaining(await companies('steppe-secret-one'))).toBe(LIMIT - 1)
})

test('a token may have its own limit, lower or higher', async () => {
  await use('prairie-secret-own-limit', 3)
  const answer = await companies('prairie-secret-own-limit')
  expect(refusalOf(answer)).toBe('429 tooManyRequests')
  expect(answer.headers.get('ratelimit-limit')).toBe('3')
  await use('prairie-secret-high-limit', LIMIT + 5)
  expect(refusalOf(await companies('prairie-secret-high-limit'))).toBe('429 tooManyRequests')
})

test('a limit of 0 means no limit', async () => {
  await use('prairie-secret-unlimited', LIMIT + 1)
  const { headers } = await companies('prairie-secret-unlimited')
  expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
})

test('requests that lack a scope do not count', async () => {
  for (let i = 0; i < LIMIT + 1; i++)
    expect(refusalOf(await service.call('prairie-secret-companies', '/api/v2/services'))).toBe('401 insufficientScope')
  expect(remaining(await companies('prairie-secret-companies'))).toBe(LIMIT - 1)
})

test('unknown tokens and unknown paths are not counted', async () => {
  for (const path of ['/api/v2/nothing', '/healthz', '/api/v2/companies/%'])
    expect((await service.call('prairie-secret-one', path)).headers.has('ratelimit-limit')).toBe(false)
  expect((await service.call('nobody-has-this-secret', '/api/v2/companies')).headers.has('ratelimit-limit')).toBe(false)
  expect(remaining(await companies('prairie-secret-one'))).toBe(LIMIT - 1)
})

test('the limit is checked after token and scope, and before query and body', async () => {
  await use('prairie-secret-companies', LIMIT)
  const bad = { method: 'POST', path: '/api/v2/clinics/search?colour=red', body: '{' }
  expect(refusalOf(await service.call('prairie-secret-companies', '/api/v2/companies?page=0'))).toBe(
    '429 tooManyRequests',
  )
  expect(refusalOf(await service.call('prairie-secret-companies', bad))).toBe('401 insufficientScope')
  expect(refusalOf(await service.call('nobody-has-this-secret', '/api/v2/companies'))).toBe('401 unauthenticated')
  await use('prairie-secret-own-limit', 3)
  expect(refusalOf(await service.call('prairie-secret-own-limit', bad))).toBe('429 tooManyRequests')
  const text = { ...bad, headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(300_000) }
  expect(refusalOf(await service.call('prairie-secret-own-limit', text))).toBe('429 tooManyRequests')
})

test('parallel requests cannot exceed the limit', async () => {
  const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => companies('prairie-secret-one')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
})

describe('the setting', () => {
  let off: TestService

  beforeAll(async () => {
    off = await startService({ rateLimit: 0 })
    await off.apply(
      prairieCatalog('prairie', [
        prairieToken('prairie-secret-one'),
        prairieToken('prairie-secret-own', { rateLimit: 1 }),
      ]),
    )
  })

  afterAll(() => off.stop())

  test('the default rate limit is 1,200 requests per minute', () => expect(readConfig({}).rateLimit).toBe(1_200))

  test('the setting 0 leaves only the limits of tokens', async () => {
    for (let i = 0; i < 5; i++)
      expect((await off.call('prairie-secret-one', '/api/v2/companies')).headers.has('ratelimit-limit')).toBe(false)
    expect(await off.call('prairie-secret-own', '/api/v2/companies')).toMatchObject({ status: 200 })
    expect(refusalOf(await off.call('prairie-secret-own', '/api/v2/companies'))).toBe('429 tooManyRequests')
  })
})

test('many other tokens do not reset the count of one', () => {
  const limits = new RateLimit(1)
  const take = (tokenId: string) => limits.take(callerOf(tokenId), { ownHeaders: null })
  take('one')
  for (let i = 0; i < 6_000; i++) take(`other-${i}`)
  expect(() => take('one')).toThrow('Too many requests')
})
