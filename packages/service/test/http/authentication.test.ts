import { describe, expect, test, vi } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { hashSecret } from '../../src/domain/access/tokens.ts'
import { authentication } from '../../src/http/authentication.ts'
import { Freshness } from '../../src/http/freshness.ts'
import { LastUses } from '../../src/http/last-uses.ts'
import { Lookups } from '../../src/http/limits/lookups.ts'
import { Overloaded } from '../../src/store/db/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { callerOf } from '../support/caller.ts'
import { catalogFile, startService, token } from '../support/service.ts'

const CALLER = callerOf('a')
const SECRET = 'the-secret-of-the-one-caller'

const storeWith = (tokens: Partial<Store['tokens']>) => ({ tokens }) as Store

test('a flood of made-up tokens does not evict a genuine one from the cache', async () => {
  const known = hashSecret(SECRET)
  let lookUps = 0
  const store = storeWith({
    findUsable: (hash) => {
      if (!hash.equals(known)) return Promise.resolve(undefined)
      lookUps++
      return Promise.resolve({ ...CALLER, expiresAt: null })
    },
    recordUse: () => Promise.resolve(),
  })
  const uses = new LastUses(
    store,
    () => new Date(),
    () => {},
  )
  const freshness = new Freshness(() => Promise.resolve('1'))
  const lookups = new Lookups((hash) => store.tokens.findUsable(hash))
  const authenticate = authentication({ lookups, freshness, uses, now: () => new Date() })
  await authenticate(`Bearer ${SECRET}`)
  for (let i = 0; i < 12_000; i++)
    await expect(authenticate(`Bearer made-up-secret-${i}`)).rejects.toMatchObject({
      problems: expect.anything() as [],
    })
  await authenticate(`Bearer ${SECRET}`)
  await uses.stop()
  expect(lookUps).toBe(1)
})

test('a refused secret is accepted once it becomes a token, even on another node', async () => {
  const service = await startService()
  try {
    const secret = 'secret-that-becomes-a-token-later'
    await service.apply(catalogFile('acme'))
    const status = async () => (await service.call(secret, '/api/v2/companies')).status
    expect([await status(), await status()]).toEqual([401, 401])
    // As another node would: nobody tells this one.
    await service.apply(catalogFile('acme', { tokens: [token(secret)] }))
    await expect.poll(status, { interval: 20, timeout: 5_000 }).toBe(200)
  } finally {
    await service.stop()
  }
})

test('a refused secret is cached only for the catalog version at which it was refused', async () => {
  let isToken = false
  let version = '1'
  let lookUps = 0
  const lookups = new Lookups(() => {
    lookUps++
    return Promise.resolve(isToken ? { ...CALLER, expiresAt: null } : undefined)
  })
  const freshness = { current: () => version } as unknown as Freshness
  const uses = { note: () => {} } as unknown as LastUses
  const authenticate = authentication({ lookups, freshness, uses, now: () => new Date() })
  const ask = async () => authenticate(`Bearer ${SECRET}`)
  await expect(ask()).rejects.toThrow(/valid API token/)
  isToken = true
  await expect(ask()).rejects.toThrow(/valid API token/)
  expect(lookUps).toBe(1)
  version = '2'
  expect((await ask()).tokenId).toBe('a')
})

describe('token lookups', () => {
  /** Lookups that end on demand. */
  function slowly() {
    const asked: string[] = []
    const ends: ((token: (Caller & { expiresAt: null }) | undefined) => void)[] = []
    const lookups = new Lookups((hash) => {
      asked.push(hash.toString('hex'))
      return new Promise<(Caller & { expiresAt: null }) | undefined>((resolve) => ends.push(resolve))
    })
    let version = '1'
    const freshness = { current: () => version } as unknown as Freshness
    const uses = { note: () => {} } as unknown as LastUses
    const authenticate = authentication({ lookups, freshness, uses, now: () => new Date() })
    const outcomeOf = async (secret: string) => {
      try {
        return (await authenticate(`Bearer ${secret}`)).tokenId
      } catch (error) {
        return error instanceof Overloaded ? 'overloaded' : 'unauthenticated'
      }
    }
    return { asked, ends, outcomeOf, change: () => (version = '2'), figures: () => lookups.figures }
  }

  test('concurrent lookups of the same secret are shared', async () => {
    const { asked, ends, outcomeOf } = slowly()
    const both = [outcomeOf(SECRET), outcomeOf(SECRET)]
    expect(asked).toHaveLength(1)
    ends[0]!({ ...CALLER, expiresAt: null })
    expect(await Promise.all(both)).toEqual(['a', 'a'])
  })

  test('lookups of made-up secrets are limited, queued, and refused when the queue is full', async () => {
    const { asked, ends, outcomeOf, figures } = slowly()
    const flood = Array.from({ length: 300 }, (_, i) => outcomeOf(`made-up-secret-${i}`))
    expect(asked).toHaveLength(4)
    expect(figures()).toEqual({ running: 4, waiting: 256, refused: 40 })
    for (let i = 0; i < 260; i++) {
      ends[i]!(undefined)
      await expect.poll(() => asked.length, { interval: 1 }).toBe(Math.min(260, i + 5))
    }
    const outcomes = await Promise.all(flood)
    expect(outcomes.filter((each) => each === 'unauthenticated')).toHaveLength(260)
    expect(outcomes.filter((each) => each === 'overloaded')).toHaveLength(40)
    expect(figures()).toMatchObject({ running: 0, waiting: 0 })
  })

  test('lookups of known tokens do not wait behind made-up ones after a catalog change', async () => {
    const { ends, outcomeOf, change } = slowly()
    const first = outcomeOf(SECRET)
    ends[0]!({ ...CALLER, expiresAt: null })
    await first
    const flood = Array.from({ length: 300 }, (_, i) => outcomeOf(`made-up-secret-${i}`))
    change()
    const again = outcomeOf(SECRET)
    ends.at(-1)!({ ...CALLER, expiresAt: null })
    expect(await again).toBe('a')
    expect(await flood[299]).toBe('overloaded')
  })
})

test('last uses of tokens are recorded after a running flush, even if it fails', async () => {
  vi.useFakeTimers()
  try {
    const recorded: string[][] = []
    let fail: (error: Error) => void
    const first = new Promise<void>((_, reject) => (fail = reject))
    const recordUse = vi.fn<Store['tokens']['recordUse']>(async (uses) => {
      if (recordUse.mock.calls.length === 1) await first
      recorded.push(uses.map(({ tokenId }) => tokenId))
    })
    const failures: unknown[] = []
    const uses = new LastUses(
      storeWith({ recordUse }),
      () => new Date(),
      (error) => failures.push(error),
    )
    uses.note(CALLER)
    await vi.advanceTimersByTimeAsync(5_000)
    uses.note({ ...CALLER, tokenId: 'b' })
    const stopped = uses.stop()
    fail!(new Error('The database is away.'))
    await stopped
    expect(failures).toHaveLength(1)
    expect(recorded).toEqual([['a', 'b']])
  } finally {
    vi.useRealTimers()
  }
})

test('the last use of a token is recorded', async () => {
  vi.useFakeTimers({ now: 1_000 })
  try {
    const recordUse = vi.fn<Store['tokens']['recordUse']>().mockResolvedValue()
    const uses = new LastUses(
      storeWith({ recordUse }),
      () => new Date(),
      () => {},
    )
    uses.note(CALLER)
    vi.setSystemTime(3_000)
    uses.note(CALLER)
    await uses.stop()
    expect(recordUse.mock.calls).toEqual([[[{ tenantId: 'acme', tokenId: 'a', at: new Date(3_000) }]]])
  } finally {
    vi.useRealTimers()
  }
})

test('requests that look up a token at the same time get the same caller, and later ones, too', async () => {
  let version = '1'
  const freshness = new Freshness(() => Promise.resolve(version))
  const lookups = new Lookups(() => Promise.resolve({ ...CALLER, expiresAt: null }))
  const uses = new LastUses(
    storeWith({ recordUse: () => Promise.resolve() }),
    () => new Date(),
    () => {},
  )
  const authenticate = authentication({ lookups, freshness, uses, now: () => new Date() })
  const ask = async () => authenticate(`Bearer ${SECRET}`)
  const callers = async () => new Set(await Promise.all([ask(), ask(), ask()]))
  const first = await callers()
  expect(first.size).toBe(1)
  expect(await callers()).toEqual(first)
  version = '2'
  freshness.forget()
  const [changed, ...others] = await callers()
  expect([changed!.catalogVersion, others]).toEqual(['2', []])
  expect(authenticate(`Bearer ${SECRET}`)).toBe(changed)
  await uses.stop()
})
