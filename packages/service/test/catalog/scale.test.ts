import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, token, type TestService } from '../support/service.ts'
import { cities, manyClinics } from './many-clinics.ts'

const MANY = 50_000
const FEW = 500
const SMALL = 'small-secret-full-scope'
const LARGE = 'large-secret-full-scope'

const large = { ...manyClinics('large', MANY), tokens: [token(LARGE)] }
const small = { ...manyClinics('small', FEW), tokens: [token(SMALL)] }

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const say = (line: string) => process.stdout.write(`${line}\n`)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

describe('50,000 clinics in a catalog file', () => {
  let loading: number

  test('loading 50,000 clinics takes no longer for each of them than loading 2,500 does', async () => {
    await service.apply(small)
    const some = await timed(() => service.apply(manyClinics('some', MANY / 20)))
    loading = await timed(() => service.apply(large))
    say(`50,000 clinics loaded in ${(loading / 1000).toFixed(1)} s, 2,500 in ${(some / 1000).toFixed(1)} s`)
    // Twenty times as many, and as much again for what a busy machine does beside it.
    expect(loading).toBeLessThan(40 * some)
    expect((await service.call(LARGE, '/api/v2/clinics')).body.total).toBe(MANY)
  })

  test('one changed clinic among 50,000 is found much faster than all are loaded, and writes one row', async () => {
    const states = async () =>
      new Map(
        (
          await service.pool<{ id: string; state: string }[]>`
          select id, c.xmin || ' ' || r.xmin as state from clinics c join clinic_records r using (tenant_id, id)
          where tenant_id = 'large'`
        ).map(({ id, state }) => [id, state]),
      )
    const before = await states()
    const clinics = large.clinics.map((clinic, i) => (i === 777 ? { ...clinic, phone: '+16305550199' } : clinic))
    const comparing = await timed(() => service.apply({ ...large, clinics }))
    say(`50,000 clinics compared in ${(comparing / 1000).toFixed(1)} s`)
    expect(comparing).toBeLessThan(loading / 2)
    const after = await states()
    expect([...after].filter(([id, state]) => before.get(id) !== state).map(([id]) => id)).toEqual(['clinic-777'])
  })
})

type Call = { path: string; method?: string; body?: object }

const around = cities()
const near = (i: number) => ({ postalCode: around[(i * 37) % 300]?.postalCode })
const search = (body: object): Call => ({ path: '/api/v2/clinics/search', method: 'POST', body })
/** A city name without one of its letters. */
const misspelt = (i: number) => {
  const name = around[(i * 41) % 300]?.name ?? ''
  const at = 2 + (i % Math.max(1, name.length - 3))
  return name.slice(0, at) + name.slice(at + 1)
}

/** Typical searches. */
const SEARCHES: Record<string, (i: number) => Call> = {
  'near a ZIP code': (i) => search({ near: near(i) }),
  'near a ZIP code, with services': (i) => search({ near: near(i), serviceIds: ['urine', 'hair'] }),
  'near a ZIP code, with a package': (i) => search({ near: near(i), packageId: 'basic' }),
  'misspelt city and a common word': (i) => search({ query: `${misspelt(i)} ocupational` }),
  'misspelt city and kind': (i) => search({ query: `${misspelt(i)} urgnt care` }),
  'misspelt word near a ZIP code': (i) => search({ near: near(i), query: 'ocupational' }),
}

/** Searches that match or skip a large part of all clinics. They take longer, because totals are exact. */
const WORST: Record<string, (i: number, pages: number) => Call> = {
  'one word that a third share': (i) =>
    search({ query: ['occupational', 'ocupational', 'helth'][i % 3], page: 1 + (i % 5) }),
  'words of which no clinic has all': (i) => search({ query: `occupational zebra clinic ${misspelt(i)}` }),
  'the beginning of many words': (i) => search({ query: 'cab'[i % 3] }),
  '500 miles around New York': (i) =>
    search({ near: { coordinates: { lat: 40.7 + (i % 10) / 10, long: -74 } }, radiusMiles: 500, page: 1 + (i % 9) }),
  'a rare word within 500 miles': (i) => search({ near: near(i), radiusMiles: 500, query: misspelt(i) }),
  'the last pages of the list': (i, pages) => ({ path: `/api/v2/clinics?page=${pages - i}` }),
  'the list by part of a name': (i) => ({
    path: `/api/v2/clinics?name=${['clinic', 'health', 'linic'][i % 3]}&page=${1 + i}`,
  }),
  'the list by a letter': (i) => ({ path: `/api/v2/clinics?name=${'abcdefghijklmnop'[i]}` }),
}

/** Measures calls in milliseconds, alternating between the catalogs, so that load affects both. */
async function measure(make: (i: number, pages: number) => Call, rounds: number) {
  const times = { small: [] as number[], large: [] as number[] }
  const totals = { small: 0, large: 0 }
  // The first rounds warm up. Their requests are not repeated, because responses of lists are cached.
  for (let i = rounds + 4; i >= 0; i--) {
    for (const [size, secret, pages] of [
      ['small', SMALL, FEW / 20],
      ['large', LARGE, MANY / 20],
    ] as const) {
      let start = performance.now()
      const ask = () => service.call(secret, { method: 'GET', ...make(i, pages) })
      let { status, body } = await ask()
      // Retry if the disk stalls for longer than the request deadline.
      while (status === 503) {
        start = performance.now()
        ;({ status, body } = await ask())
      }
      if (i < rounds) times[size].push(performance.now() - start)
      if (status !== 200) throw new Error(JSON.stringify(body))
      totals[size] += body.total
    }
  }
  return { times, totals }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const figures = (name: string, { small: few, large: many }: { small: number[]; large: number[] }) =>
  `${name.padEnd(34)} ${median(few).toFixed(1).padStart(6)} ms ${median(many).toFixed(1).padStart(6)} ms  ×${(median(many) / median(few)).toFixed(1)}`

describe('searching 50,000 clinics', () => {
  test('searching 50,000 clinics takes less than four times as long as searching 500', async () => {
    const all = { small: [] as number[], large: [] as number[] }
    for (const [name, make] of Object.entries(SEARCHES)) {
      const { times, totals } = await measure(make, 21)
      say(figures(name, times))
      expect(totals.large).toBeGreaterThan(totals.small)
      all.small.push(...times.small)
      all.large.push(...times.large)
    }
    say(figures('all of these', all))
    expect(median(all.large) / median(all.small)).toBeLessThan(4)
  })

  test('a search that matches many of 50,000 clinics stays fast', async () => {
    for (const [name, make] of Object.entries(WORST)) {
      const { times } = await measure(make, 11)
      say(figures(name, times))
      expect(median(times.large) / median(times.small)).toBeLessThan(30)
    }
  })
})
