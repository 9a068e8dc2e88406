import { BIRTH_DATES, NAMES } from './people.ts'
import type { WrittenOrder } from '@order-testing/service/store/orders/writing'

export type Order = WrittenOrder['order']

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Companies of the benchmark tenant, besides those with their own tokens. */
export const COMPANY_COUNT = 1_000

/** Three of ten orders are of the first company, the others are spread evenly. */
export const companyOf = (n: number): number => (n % 10 < 3 ? 0 : 1 + ((n * 7_919) % (COMPANY_COUNT - 1)))

export const locationOf = (n: number): string => `c-${companyOf(n)}-${1 + (Math.floor(n / 10) % 4)}`

export const externalIdOf = (n: number): string => `ext-${n}`

export const specimenIdOf = (n: number): string => `S${String(n).padStart(9, '0')}-1`

/** Of 25 orders one is open and one positive; the others are negative. */
export const isOpen = (n: number): boolean => n % 25 === 0

/** Never equals a code of the service, which has no zeros: these begin with one after the U. */
export const codeOf = (n: number): string => {
  const text = n.toString(32).toUpperCase().padStart(7, '0')
  return `U${text.slice(0, 3)}-${text.slice(3)}`
}

/** A copy of an order for another person, company and time; the n-th of a year with `total` orders. */
export function madeOrder(template: Order, n: number, total: number): Order {
  const createdAt = new Date(Math.floor(Date.now() - YEAR_MS + (n / total) * (YEAR_MS - DAY_MS)))
  const id = `ord_${inBase32(createdAt.getTime(), 10)}${inBase32(n, 16)}`
  const company = `c-${companyOf(n)}`
  const status = isOpen(n) ? template.status : n % 25 === 1 ? 'positive' : 'negative'
  const after = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000)
  const services = template.services.map((service, i): Order['services'][number] => {
    const common = { ...service, id: `${id.replace('ord', 'osv')}_${i + 1}` }
    if (isOpen(n))
      return { ...common, statusUpdatedAt: createdAt, history: [{ status: service.status, at: createdAt }] }
    const steps = [service.status, 'scheduled', 'checkedIn', 'collected', 'receivedAtLab', 'testing'] as const
    const result = i === 0 ? (status as 'positive' | 'negative') : 'negative'
    const history = [...steps, result].map((step, k) => ({ status: step, at: after(k * 4) }))
    const specimenId = `S${String(n).padStart(9, '0')}-${i + 1}`
    return { ...common, status: result, statusUpdatedAt: history.at(-1)!.at, specimenId, history }
  })
  const updatedAt = isOpen(n) ? createdAt : after(24)
  const [first, last] = [NAMES[n % NAMES.length]!, NAMES[Math.floor(n / NAMES.length) % NAMES.length]!]
  return {
    ...template,
    id,
    code: codeOf(n),
    company: { id: company, name: company },
    location: { id: locationOf(n), name: locationOf(n) },
    services,
    participant: {
      ...template.participant,
      firstName: first,
      lastName: `${last}${NAMES[Math.floor(n / NAMES.length ** 2) % NAMES.length]!.toLowerCase()}`,
      birthDate: BIRTH_DATES[(n * 31) % BIRTH_DATES.length]!,
      email: `person${n}@example.com`,
      phone: `+1630555${String(n % 10_000).padStart(4, '0')}`,
      identifiers: [{ type: 'employeeId', value: String(n), issuingCountry: null, issuingState: null }],
    },
    externalId: externalIdOf(n),
    status,
    createdAt,
    updatedAt,
    statusUpdatedAt: updatedAt,
    expiresAt: isOpen(n) ? new Date(Date.now() + 30 * DAY_MS) : template.expiresAt && after(720),
    history: [{ status: template.status, at: createdAt }, ...(isOpen(n) ? [] : [{ status, at: updatedAt }])],
  }
}

const inBase32 = (value: number, digits: number): string => {
  let text = ''
  for (let rest = value; text.length < digits; rest = Math.floor(rest / 32)) text = DIGITS[rest % 32]! + text
  return text
}
