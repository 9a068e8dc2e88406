import type { CreateOrder, Problem } from '@order-testing/contract'
import type { Agency, Named } from '@order-testing/contract/agencies'
import { withoutEchoes } from '../echoes.ts'
import { normalisePhone } from '../phones.ts'
import { problemAt } from '../refusal.ts'
import { checkCallback, type CallbackPolicy } from '../webhooks/callbacks.ts'
import { checkDetails, checkParticipant, checkPhones } from './people.ts'
import {
  checkReferences,
  findAgency,
  findJobCategory,
  valueOf,
  type Draft,
  type Found,
  type LocationFacts,
  type OrderFacts,
  type PackageFacts,
} from './references.ts'
import { checkRegulation, needsLicense } from './regulation.ts'
import { checkScheduling, schedulingOf, type Mode, type Option } from './scheduling.ts'
import { expiryOf, matchingOf, type MatchingOptions } from './settings.ts'

export interface ResolvedOrder {
  location: LocationFacts
  package: PackageFacts
  agency: Agency | null
  jobCategory: Named | null
  testReason: CreateOrder['testReason']
  otherTestReason: string | null
  observed: boolean
  expiresAt: Date | null
  scheduling: { option: Option; mode: Mode | null }
  serviceStatus: (typeof FIRST_STATUS)[Option]
  requester: CreateOrder['requester']
  deliveryMethod: DeliveryMethod
  matching: MatchingOptions
}

type DeliveryMethod = CreateOrder['deliveryMethods'][number]

/** The initial status of services, by scheduling option. */
export const FIRST_STATUS = { link: 'linkSent', order: 'ordered', schedule: 'scheduled' } as const satisfies Record<
  Option,
  string
>

interface CheckOptions {
  policy: CallbackPolicy
  now: Date
  /** The problems that the schema has reported. What follows from them is not reported again. */
  faults?: readonly Problem[]
  /** Whether background checks cannot be ordered for want of the tenant's texts. */
  lacksBackgroundTexts?: boolean
}

/** The problems of an order that the schema cannot see. */
export function checkOrder(draft: Draft, facts: OrderFacts, options: CheckOptions): Problem[] {
  const { policy, now, faults = [], lacksBackgroundTexts = false } = options
  const services = valueOf(facts.package)?.services
  const settings = valueOf(facts.location)?.settings
  return withoutEchoes(faults, [
    ...checkPhones(draft),
    ...checkReferences(facts),
    ...withoutAddressIfUnsure(checkParticipant(draft, { needsLicense: needsLicense(draft, services) }), draft, faults),
    ...checkDetails(draft, now),
    ...(settings?.billingCodeRequired && draft.settings?.billingCode === undefined ? [NO_BILLING_CODE] : []),
    ...checkScheduling(draft, services, settings, { lacksBackgroundTexts }),
    ...checkRegulation(draft, services),
    ...(draft.callback ? checkCallback(draft.callback, policy) : []),
  ])
}

/** The problems of an ambiguous request: none if one reading is sound, else those of all readings, or if they share none, all. */
export function commonTo(readings: readonly Problem[][]): Problem[] {
  if (readings.some((problems) => problems.length === 0)) return []
  const keys = readings.map((problems) => new Set(problems.map(({ code, pointer }) => `${code} ${pointer}`)))
  const all = [...new Map(readings.flat().map((each) => [`${each.code} ${each.pointer}`, each]))]
  const shared = all.filter(([key]) => keys.every((known) => known.has(key)))
  return (shared.length > 0 ? shared : all).map(([, problem]) => problem)
}

/** Resolves a request that has passed `checkOrder`. */
export function resolveOrder(request: CreateOrder, facts: OrderFacts, now: Date): ResolvedOrder {
  const location = valueOrThrow(facts.location)
  const agency = valueOf(findAgency(request.agency)) ?? null
  const scheduling = schedulingOf(request.settings)
  return {
    location,
    package: valueOrThrow(facts.package),
    agency,
    jobCategory: (agency && valueOf(findJobCategory(request.jobCategory, agency))) ?? null,
    testReason: request.testReason,
    otherTestReason: request.otherTestReason ?? null,
    observed: request.settings.observedCollection ?? false,
    expiresAt: expiryOf(request.settings, location.settings, now),
    scheduling,
    serviceStatus: FIRST_STATUS[scheduling.option],
    requester: withNormalPhone(request.requester),
    deliveryMethod: deliveryMethodOf(request),
    matching: matchingOf(request.orderMatching, location.settings),
  }
}

const NO_BILLING_CODE = problemAt(
  '/settings/billingCode',
  'required',
  'Orders at this location require a billing code.',
)

/** A malformed clinic selection mode may have been one that needs no address. */
function withoutAddressIfUnsure(problems: Problem[], { settings }: Draft, faults: readonly Problem[]): Problem[] {
  const isUnsure = settings?.schedulingOption === 'schedule' && faults.some(({ pointer }) => pointer === MODE)
  return isUnsure ? problems.filter(({ pointer }) => pointer !== '/participant/address') : problems
}

const MODE = '/settings/clinicSelectionMode'

function valueOrThrow<T>(found: Found<T>): T {
  if (found.kind !== 'one') throw new Error('The order was not checked.')
  return found.value
}

function deliveryMethodOf({ deliveryMethods: [method] }: CreateOrder): DeliveryMethod {
  if (!method) throw new Error('The order was not checked.')
  return method.type === 'mobile' ? withNormalPhone(method) : method
}

function withNormalPhone<T extends { phone?: string | undefined }>(member: T): T {
  return member.phone === undefined ? member : { ...member, phone: normalisePhone(member.phone) ?? member.phone }
}
