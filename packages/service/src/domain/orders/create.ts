import type { CreateOrder, Problem } from '@order-testing/contract'
import type { Agency } from '../catalog/agencies.ts'
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
import { normalisePhone } from '../phones.ts'

/** The values an order is made of. */
export interface ResolvedOrder {
  location: LocationFacts
  package: PackageFacts
  agency: Agency | null
  jobCategory: { id: string; name: string } | null
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

/** What its services start as, by how the order is completed. */
const FIRST_STATUS = { link: 'linkSent', order: 'ordered', schedule: 'scheduled' } as const satisfies Record<
  Option,
  string
>

interface OrderTerms {
  policy: CallbackPolicy
  now: Date
  /** The problems that the schema has reported: what follows from a member at fault is not reported again. */
  faults?: readonly Problem[]
}

/** What is wrong with an order beyond the form of its members. */
export function checkOrder(draft: Draft, facts: OrderFacts, { policy, now, faults = [] }: OrderTerms): Problem[] {
  const services = valueOf(facts.package)?.services
  const settings = valueOf(facts.location)?.settings
  return withoutEchoes(faults, [
    ...checkPhones(draft),
    ...checkReferences(facts),
    ...excused(checkParticipant(draft, { needsLicense: needsLicense(draft, services) }), draft, faults),
    ...checkDetails(draft, now),
    ...checkBillingCode(draft, settings?.billingCodeRequired ?? false),
    ...checkScheduling(draft, services, settings),
    ...checkRegulation(draft, services),
    ...(draft.callback ? checkCallback(draft.callback, policy) : []),
  ])
}

/**
 * The problems of rules that say something new: a member that is malformed has been told, and so neither it nor what
 * holds it or what it holds is told again.
 */
export function withoutEchoes(faults: readonly Problem[], problems: readonly Problem[]): Problem[] {
  return problems.filter(({ pointer }) => !faults.some((fault) => covers(fault, pointer)))
}

/** What is wrong whichever thing a name means: what all readings share, and all there is where none of them is sound. */
export function commonTo(readings: readonly Problem[][]): Problem[] {
  if (readings.some((problems) => problems.length === 0)) return []
  const keysOf = (problems: readonly Problem[]) => new Set(problems.map(({ code, pointer }) => `${code} ${pointer}`))
  const keys = readings.map((problems) => keysOf(problems))
  const all = [...new Map(readings.flat().map((each) => [`${each.code} ${each.pointer}`, each]))]
  const shared = all.filter(([key]) => keys.every((known) => known.has(key)))
  return (shared.length > 0 ? shared : all).map(([, problem]) => problem)
}

/** What the order will hold, once nothing is wrong with it. */
export function resolveOrder(request: CreateOrder, facts: OrderFacts, now: Date): ResolvedOrder {
  const location = the(facts.location)
  const agency = valueOf(findAgency(request.agency)) ?? null
  const scheduling = schedulingOf(request.settings)
  return {
    location,
    package: the(facts.package),
    agency,
    jobCategory: (agency && valueOf(findJobCategory(request.jobCategory, agency))) ?? null,
    testReason: request.testReason,
    otherTestReason: request.otherTestReason ?? null,
    observed: request.settings.observedCollection ?? false,
    expiresAt: expiryOf(request.settings, location.settings, now),
    scheduling,
    serviceStatus: FIRST_STATUS[scheduling.option],
    requester: dialable(request.requester),
    deliveryMethod: deliveryMethodOf(request),
    matching: matchingOf(request.orderMatching, location.settings),
  }
}

function checkBillingCode({ settings }: Draft, isRequired: boolean): Problem[] {
  if (!isRequired || settings?.billingCode !== undefined) return []
  const detail = 'Orders at this location require a billing code.'
  return [{ code: 'required', detail, pointer: '/settings/billingCode' }]
}

/** A mode that cannot be read may have been one that needs no address. */
function excused(problems: Problem[], { settings }: Draft, faults: readonly Problem[]): Problem[] {
  const isUnsure = settings?.schedulingOption === 'schedule' && faults.some(({ pointer }) => pointer === MODE)
  return isUnsure ? problems.filter(({ pointer }) => pointer !== '/participant/address') : problems
}

const MODE = '/settings/clinicSelectionMode'

/** A body that is no object at all is at fault without a pointer, and holds all that could be told. */
function covers({ code, pointer: fault = '' }: Problem, pointer: string | undefined): boolean {
  if (fault === '') return true
  if (pointer === undefined) return false
  // A list of the wrong length has been read nevertheless.
  const wasRead = code === 'tooBig' || code === 'tooSmall'
  return `${fault}/`.startsWith(`${pointer}/`) || (pointer.startsWith(`${fault}/`) && !wasRead)
}

function the<T>(found: Found<T>): T {
  if (found.kind !== 'one') throw new Error('An order must be checked before it is made.')
  return found.value
}

function deliveryMethodOf({ deliveryMethods: [method] }: CreateOrder): DeliveryMethod {
  if (!method) throw new Error('An order must be checked before it is made.')
  return method.type === 'mobile' ? dialable(method) : method
}

function dialable<T extends { phone?: string | undefined }>(member: T): T {
  return member.phone === undefined ? member : { ...member, phone: normalisePhone(member.phone) ?? member.phone }
}
