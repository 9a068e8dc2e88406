import { createRequire } from 'node:module'

const KINDS = [
  'Collection Site',
  'Driver Clinic',
  'Employee Health',
  'Family Practice',
  'Freight Clinic',
  'Laboratory',
  'Medical Center',
  'Physical Therapy',
  'Testing Center',
  'Urgent Care',
  'Walk-In',
  'Workplace Medicine',
]

const SERVICES = ['urine', 'hair', 'oral', 'breath', 'saliva', 'physical', 'audiogram', 'spirometry']

interface City {
  name: string
  state: string
  postalCode: string
  lat: number
  long: number
}

const NOWHERE: City = { name: 'Nowhere', state: '', postalCode: '', lat: 0, long: 0 }

/** Three hundred US cities, distributed like the population; the same on every run. */
export function cities(): City[] {
  const { codes } = createRequire(import.meta.url)('zipcodes') as {
    codes: Record<
      string,
      { zip: string; city: string; state: string; country: string; latitude: number; longitude: number }
    >
  }
  const known = Object.values(codes)
    .filter(({ country, latitude, longitude }) => country === 'US' && latitude > 24 && longitude < -66)
    .toSorted((a, b) => (a.zip < b.zip ? -1 : 1))
  const byName = new Map(known.map((code) => [code.city, code]))
  const all = [...byName.values()]
  return Array.from({ length: 300 }, (_, i) => all[Math.floor((i * all.length) / 300)]!).map((code) => ({
    name: code.city,
    state: code.state,
    postalCode: code.zip,
    lat: code.latitude,
    long: code.longitude,
  }))
}

/** Makes a catalog with many clinics that share words in their names, a third of them the same two. */
export function manyClinics(tenant: string, count: number) {
  const random = sequence(count)
  const around = cities()
  return {
    tenant: { id: tenant, name: `Tenant ${tenant}` },
    services: SERVICES.map((id) => ({ id, name: `Test ${id}`, category: 'drug', type: id, isDot: false })),
    packages: [{ id: 'basic', name: 'Basic', services: ['urine', 'breath'] }],
    clinics: Array.from({ length: count }, (_, n) => {
      const city = around[n % around.length] ?? NOWHERE
      const turn = Math.floor(n / around.length)
      const kind = KINDS[turn % KINDS.length]
      return {
        id: `clinic-${n}`,
        name: (n + turn) % 3 === 0 ? `${city.name} Occupational Health ${kind} ${n}` : `${city.name} ${kind} ${n}`,
        phone: '+16305550100',
        address: { line1: `${n} Main St`, city: city.name, state: city.state, postalCode: city.postalCode },
        coordinates: { lat: city.lat + (random() - 0.5) / 2, long: city.long + (random() - 0.5) / 2 },
        services: SERVICES.filter(() => random() < 0.6),
      }
    }),
    companies: [{ id: 'acme', name: 'Acme', packages: ['basic'] }],
  }
}

/** Pseudorandom numbers from 0 to 1 for a seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
