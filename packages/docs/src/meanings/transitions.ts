import { SERVICE_STATUSES, type OrderStatus, type ServiceStatus } from '@order-testing/contract'
import type { OrderService } from '@order-testing/service/domain/orders/order'
import {
  goesToLaboratory,
  isSpecimenTest,
  moveService,
  needsReview,
  nextStatuses,
  publicStateOf,
  resultsOf,
  type ServiceKind,
} from '@order-testing/service/domain/orders/service-life'
import { hasResult, isBeforeCheckIn, isOpen, orderStatus } from '@order-testing/service/domain/orders/statuses'

/** Kinds of services that differ in what may follow. */
const KINDS = {
  'DOT drug tests': kind('drug', 'urine', { isDot: true }),
  'other drug tests with a medical review': kind('drug', 'urine', { requiresMro: true }),
  'laboratory drug tests without a medical review': kind('drug', 'urine'),
  'instant drug tests with a medical review': kind('drug', 'instantUrine', { requiresMro: true }),
  'instant drug tests without a medical review': kind('drug', 'instantUrine'),
  'breath alcohol tests': kind('alcohol', 'breath'),
  'saliva alcohol tests': kind('alcohol', 'saliva'),
  'health examinations': kind('occupationalHealth', 'physical'),
  'background checks': kind('background', 'criminal'),
} as const satisfies Record<string, ServiceKind>

export type KindName = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS) as KindName[]

/** What may come next for services of a kind, besides `cancelled`, `integrationError` and `expired`. */
export interface Following {
  /** Each status with the kinds that may enter it. */
  statuses: Map<ServiceStatus, KindName[]>
  /** The kinds that may enter any result of their category. */
  anyResult: KindName[]
  /** The kinds that can be in the status at all. */
  kinds: KindName[]
}

const EVER_POSSIBLE = new Set<ServiceStatus>(['cancelled', 'integrationError', 'expired'])

export function followingOf(status: ServiceStatus): Following {
  const kinds = KIND_NAMES.filter((name) => reachable(KINDS[name]).has(status))
  const anyResult = kinds.filter((name) => canGetAnyResult(name, status))
  const statuses = new Map<ServiceStatus, KindName[]>()
  for (const name of kinds) {
    for (const next of stepsOf(KINDS[name], status)) {
      if (!EVER_POSSIBLE.has(next)) statuses.set(next, [...(statuses.get(next) ?? []), name])
    }
  }
  const isCovered = (next: ServiceStatus, names: KindName[]) =>
    hasResult(next) && names.every((name) => anyResult.includes(name))
  return { statuses: new Map([...statuses].filter(([next, names]) => !isCovered(next, names))), anyResult, kinds }
}

/** The statuses of an order that may follow, if services are not cancelled one by one. */
export function orderFollowing(): Map<OrderStatus, Set<OrderStatus>> {
  const following = new Map<OrderStatus, Set<OrderStatus>>()
  const add = (before: OrderStatus, after: OrderStatus) => {
    if (before !== after) following.set(before, (following.get(before) ?? new Set()).add(after))
  }
  const others = [[], ...SERVICE_STATUSES.filter((status) => status !== 'cancelled').map((status) => [status])]
  for (const [before, after] of publicSteps()) {
    for (const other of others) add(orderStatus([before, ...other], null), orderStatus([after, ...other], null))
  }
  for (const before of following.keys()) {
    if (isOpen(before)) add(before, 'cancelled')
    if (isBeforeCheckIn(before)) add(before, 'expired')
  }
  return following
}

/** A way through the statuses; throws if a step is not allowed. */
export function wayOf(name: KindName, statuses: readonly [ServiceStatus, ...ServiceStatus[]]): string {
  let service = startOf(KINDS[name], statuses[0])
  for (const status of statuses.slice(1)) service = moveService(service, status, START)
  return service.history.map(({ status }) => `\`${status}\``).join(' → ')
}

export const resultsOfKind = (name: KindName): ServiceStatus[] =>
  resultsOf(KINDS[name]).filter((status) => hasResult(status))

function kind(category: string, type: string, { isDot = false, requiresMro = false } = {}): ServiceKind {
  return { category, type, isDot, requiresMro }
}

const START = new Date(0)

const startOf = (of: ServiceKind, status: ServiceStatus): OrderService => ({
  ...of,
  id: '',
  serviceId: '',
  name: '',
  lab: null,
  status,
  statusUpdatedAt: START,
  specimenId: null,
  courierServiceName: null,
  trackingNumber: null,
  history: [{ status, at: START }],
  screens: [],
})

/** The allowed steps, without those that the table has for services whose specimen nobody collects. */
function stepsOf(of: ServiceKind, status: ServiceStatus): ServiceStatus[] {
  const next = nextStatuses(startOf(of, status))
  return isSpecimenTest(of) ? next : next.filter((each) => each !== 'collected')
}

function canGetAnyResult(name: KindName, status: ServiceStatus): boolean {
  const next = stepsOf(KINDS[name], status)
  return resultsOfKind(name).every((result) => next.includes(result))
}

function reachable(of: ServiceKind): Set<ServiceStatus> {
  const found = new Set<ServiceStatus>(['ordered', 'linkSent', 'scheduled', 'integrationError'])
  for (const status of found) for (const next of stepsOf(of, status)) found.add(next)
  return found
}

/** Every step of a service that readers can see, of any kind. */
function publicSteps(): [ServiceStatus, ServiceStatus][] {
  const steps = new Map<string, [ServiceStatus, ServiceStatus]>()
  for (const name of KIND_NAMES) {
    const seen = new Set<string>()
    const waiting = (['ordered', 'linkSent', 'scheduled'] as const).map((status) => startOf(KINDS[name], status))
    for (const service of waiting) {
      const before = publicStateOf(service).status
      for (const next of nextStatuses(service)) {
        if (next === 'cancelled' || (next === 'collected' && !isSpecimenTest(service))) continue
        const moved = moveService(service, next, START)
        const after = publicStateOf(moved).status
        if (before !== after) steps.set(`${before} ${after}`, [before, after])
        const key = moved.history
          .slice(-3)
          .map(({ status }) => status)
          .join(' ')
        if (!seen.has(key)) waiting.push(moved)
        seen.add(key)
      }
    }
  }
  return [...steps.values()]
}

/** Sets of kinds that have a name of their own. */
const FAMILIES: [string, (name: KindName) => boolean][] = [
  ['drug tests', (name) => KINDS[name].category === 'drug'],
  ['instant drug tests', (name) => KINDS[name].type.startsWith('instant')],
  ['drug tests without a medical review', (name) => KINDS[name].category === 'drug' && !needsReview(KINDS[name])],
  ['drug tests other than DOT', (name) => KINDS[name].category === 'drug' && !KINDS[name].isDot],
  ['alcohol tests', (name) => KINDS[name].category === 'alcohol'],
  ['drug and alcohol tests', (name) => isSpecimenTest(KINDS[name])],
  ['all but DOT drug tests', (name) => !(KINDS[name].category === 'drug' && KINDS[name].isDot)],
  ['all but background checks', (name) => KINDS[name].category !== 'background'],
  ['health examinations and background checks', (name) => !isSpecimenTest(KINDS[name])],
  ['tests that are read on site', (name) => isSpecimenTest(KINDS[name]) && !goesToLaboratory(KINDS[name])],
  ['tests with a medical review', (name) => needsReview(KINDS[name])],
  ['tests without a medical review', (name) => isSpecimenTest(KINDS[name]) && !needsReview(KINDS[name])],
]

/** A short name of these kinds among all that are possible; empty if these are all. */
export function nameKinds(names: readonly KindName[], among: readonly KindName[]): string {
  const isSame = (members: readonly KindName[]) =>
    members.length === names.length && members.every((each) => names.includes(each))
  if (isSame(among)) return ''
  const family = FAMILIES.find(([, belongs]) => isSame(among.filter(belongs)))
  return family?.[0] ?? names.join(', ')
}
