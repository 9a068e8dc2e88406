import { expect, test, vi } from 'vitest'
import type { Caller } from '../../src/domain/caller.ts'
import { hashSecret } from '../../src/domain/tokens.ts'
import { authentication } from '../../src/http/authentication.ts'
import { Freshness } from '../../src/http/freshness.ts'
import { LastUses } from '../../src/http/last-uses.ts'
import type { Store } from '../../src/store/store.ts'

const CALLER: Caller = {
  tenantId: 'acme',
  tokenId: 'a',
  scopes: new Set(),
  companyIds: [],
  rateLimit: null,
  catalogVersion: '1',
  senders: null,
}
const SECRET = 'the-secret-of-the-one-caller'

const storeWith = (tokens: Partial<Store['tokens']>) => ({ tokens }) as Store

test('a flood of made-up tokens does not make the service forget a genuine one', async () => {
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
  const uses = new LastUses(store, () => {})
  const freshness = new Freshness(() => Promise.resolve('1'))
  const authenticate = authentication({ store, freshness, uses, now: () => new Date() })
  await authenticate(`Bearer ${SECRET}`)
  for (let i = 0; i < 12_000; i++)
    await expect(authenticate(`Bearer made-up-secret-${i}`)).rejects.toMatchObject({
      problems: expect.anything() as [],
    })
  await authenticate(`Bearer ${SECRET}`)
  await uses.stop()
  expect(lookUps).toBe(1)
})

test('the last uses of tokens are recorded after those that are under way, also where these fail', async () => {
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
    const uses = new LastUses(storeWith({ recordUse }), (error) => failures.push(error))
    uses.note(CALLER, new Date())
    await vi.advanceTimersByTimeAsync(5_000)
    uses.note({ ...CALLER, tokenId: 'b' }, new Date())
    const stopped = uses.stop()
    fail!(new Error('The database is away.'))
    await stopped
    expect(failures).toHaveLength(1)
    expect(recorded).toEqual([['a', 'b']])
  } finally {
    vi.useRealTimers()
  }
})
