import { hash } from 'node:crypto'
import { CreateOrder, constraintCode, parsePartly, type PartlyParsed, type Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { withoutEchoes } from '../../domain/echoes.ts'
import { checkOrder, commonTo, resolveOrder } from '../../domain/orders/create.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import {
  checkAmbiguity,
  readingsOf,
  type Draft,
  type LocationFacts,
  type OrderFacts,
} from '../../domain/orders/references.ts'
import { hasBackground, refusalForClinic, schedulingOf } from '../../domain/orders/scheduling.ts'
import { matchingOf, mergeSettings, withSettingAsFloor, type MatchingOptions } from '../../domain/orders/settings.ts'
import {
  composeView,
  presentParticipant,
  removeRenderedIdentifiers,
  renderView,
  withoutIdentifiers,
  type FullView,
} from '../../domain/orders/view.ts'
import { locate } from '../../domain/places/postal-places.ts'
import { knownZone, zoneOf } from '../../domain/places/zone-of.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { SavedResponse } from '../../store/orders/idempotency.ts'
import type { NewOrder } from '../../store/orders/insertion.ts'
import { CodeTaken } from '../../store/orders/orders.ts'
import type { Store } from '../../store/store.ts'
import type { CallbackVersion } from '../../store/webhooks/callbacks.ts'
import { blockingKeysOf, visibleScore, type Match } from '../matching/match.ts'
import type { Answer, Context, RawOperation } from '../operation.ts'
import { registerCallback } from '../webhooks/register.ts'
import { composeNotifications } from './change.ts'
import { chooseClinic } from './choose-clinic.ts'
import { recordWithSimulation, type RecordPlacement } from './named-simulation.ts'
import { newOrder, newRegistration, participantOf, type OrderRequest } from './new-order.ts'
import { placeUnmatched } from './place-unmatched.ts'

/** More collisions than this in a row are not chance. */
const CODE_TRIES = 5

export const createOrder: RawOperation<typeof contract.createOrder> = (input, context) =>
  create(input, context, { version: 'v2', source: 'api' })

/** The same, with callbacks and error codes of v1. */
export const createOrderV1: RawOperation<typeof contract.createOrderV1> = async (input, context) => {
  try {
    return await create(input, context, { version: 'v1', source: 'api' })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      error.problems.map((problem) => ({ ...problem, code: constraintCode(problem) as Problem['code'] })),
    )
  }
}

type Input = Parameters<RawOperation<typeof contract.createOrder>>[0]

export interface Submission {
  version: CallbackVersion
  source: Order['source']
  /** The body as it was sent, if it held more than the order. */
  sent?: unknown
  /** Records the outcome, in the same transaction. */
  record?: RecordPlacement | undefined
}

/** Places an order, or answers with an equivalent one on file. */
export async function create(input: Input, outer: Context, submission: Submission): Promise<Answer<never>> {
  // One time for everything: an order that expires in a day does so a day after it was created.
  const at = outer.now()
  const context = { ...outer, now: () => at }
  const parsed = parsePartly(CreateOrder, input.body)
  const key = input.faults.length > 0 ? undefined : input.headers['Idempotency-Key']
  // Hashing visits every member, so only well-formed bodies are hashed: their size is bounded.
  const hashBody = () =>
    parsed.value === undefined ? MALFORMED : hashRequest(submission, submission.sent ?? input.body)
  const idempotency = key === undefined ? undefined : { key, requestHash: hashBody() }
  const replayed = idempotency && (await replay(idempotency, parsed.value, context))
  if (replayed) return replayed
  const { request, facts, clinic } = await checkRequest(parsed, input.faults, context)
  const resolved = resolveOrder(request, facts, context.now())
  const record = recordWithSimulation(request, submission.record, context)
  for (let tries = 1; ; tries++) {
    try {
      const placed = await place({ request, resolved, clinic, idempotency, ...submission, record }, context)
      // Another request with the same key came first: return its response.
      return placed ?? (await replay(idempotency!, request, context))!
    } catch (error) {
      if (!(error instanceof CodeTaken) || tries === CODE_TRIES) throw error
    }
  }
}

/** Reports all problems of a request at once, those of its form and those of the rules. */
export async function checkRequest(
  { value, partial, problems: malformed }: PartlyParsed<CreateOrder>,
  faults: readonly Problem[],
  context: Context,
): Promise<{ request: CreateOrder; facts: OrderFacts; clinic: OrderClinic | null }> {
  const { caller, store, policy } = context
  const problems = [...faults, ...malformed]
  const candidates = await store.orderFacts.findCandidates(caller, partial.location ?? {}, partial.package ?? {})
  const readings = readingsOf(partial, candidates)
  const ambiguous = checkAmbiguity(partial, candidates, readings)
  const lacksBackgroundTexts = policy.production && !candidates.hasBackgroundTexts
  const broken: Problem[][] = []
  for (const facts of readings) {
    const rules = checkOrder(partial, facts, { policy, now: context.now(), faults: problems, lacksBackgroundTexts })
    const clinic = await findClinic(partial, facts, context)
    const isServed = clinic === null || !('code' in clinic)
    const isSound = value !== undefined && problems.length === 0 && rules.length === 0 && isServed
    if (isSound && ambiguous.length === 0) return { request: value, facts, clinic }
    broken.push([...rules, ...(isServed ? [] : withoutEchoes([...problems, ...rules], [clinic]))])
  }
  const all = [...problems, ...commonTo(broken)]
  throw new Refusal(all.length > 0 ? all : ambiguous)
}

/** The clinic, or why there is none; null for no clinic, or if the request is too incomplete to tell. */
async function findClinic(partial: Draft, facts: OrderFacts, context: Context): Promise<OrderClinic | Problem | null> {
  const { location, package: pkg } = facts
  const { schedulingOption, clinicSelectionMode } = partial.settings ?? {}
  if (schedulingOption !== 'schedule') return null
  // A background check cannot be scheduled at any clinic.
  if (pkg.kind === 'one' && hasBackground(pkg.value.services)) return null
  const { mode } = schedulingOf({ schedulingOption, clinicSelectionMode })
  const { postalCode, country } = partial.participant?.address ?? {}
  const isNear = mode === 'closestToParticipant'
  if (isNear && postalCode === undefined) return null
  // By the postal code alone: the city may not match it.
  const near = isNear ? locate({ postalCode, country }) : undefined
  if (near === null) return refusalForClinic('unplaced')
  if (location.kind !== 'one' || pkg.kind !== 'one') return null
  return chooseClinic({ near, location: location.value, package: pkg.value }, context)
}

/** The zone for reminders of a new order; null if unknown. A new order has no appointment that a clinic had to know of. */
function zoneOfNew({ clinic, participant }: Order, location: LocationFacts): string | null {
  const booked = clinic && { timezone: null, point: null, address: clinic.address }
  return knownZone(zoneOf({ clinic: booked, participant: participant.address, location: location.address ?? null }))
}

interface Idempotency {
  key: string
  requestHash: string
}

interface CheckedSubmission extends Submission, OrderRequest {
  idempotency: Idempotency | undefined
}

interface Response {
  status: 200 | 201
  text: string
}

/** Writes the order, or finds an equivalent one; undefined if another request has the idempotency key. */
async function place(checked: CheckedSubmission, context: Context): Promise<Answer<never> | undefined> {
  const { resolved, idempotency, record } = checked
  const { caller, store } = context
  const order = newOrder(checked, context)
  const toSave = (response: Response) => idempotency && { caller, at: context.now(), ...idempotency, ...response }
  const view = composeView(order)
  const created = respond(201, view, caller)
  const registration = newRegistration(checked, order, context)
  const { tenantId, tokenId } = caller
  // Only reminders of the expiry depend on the zone.
  const zone = order.expiresAt && zoneOfNew(order, resolved.location)
  const facts = { zone, informsClinic: () => false }
  const notifications = composeNotifications({ tenantId, before: null, after: order, tokenId, facts }, context.random)
  const added = { tenantId, order, view, blockingKeys: blockingKeysOf(order), registration, notifications }
  const response = toSave(created)
  if (!resolved.matching.enabled) return (await insert({ added, response, record }, store)) ? created : undefined
  const matching = allowedMatching(resolved.matching, caller)
  const respondTo = (match: Match) => respondToMatch(match, { order, matching }, caller)
  const outcome = await placeUnmatched({
    added,
    matching,
    context,
    response,
    onMatch: async (match, tx) => {
      const matchResponse = toSave(respondTo(match))
      if (matchResponse && !(await tx.idempotency.save(matchResponse))) return false
      await tx.orders.recordMatch(caller, match.order.id, { ...match, at: context.now() })
      if (registration) await registerCallback(match.order.id, registration, context, tx)
      await record?.(match.order, 'matched', tx)
      return true
    },
    onPlaced: record && ((tx) => record(order, 'created', tx)),
  })
  if (typeof outcome !== 'boolean') return respondTo(outcome)
  return outcome ? created : undefined
}

/** Most orders are placed in batches; one whose outcome is recorded needs a transaction of its own. */
async function insert(
  { added, response, record }: { added: NewOrder; response: SavedResponse | undefined; record: Submission['record'] },
  store: Store,
): Promise<boolean> {
  if (!record) return response ? (await store.orders.insert([added], response))[0]! : store.placeOrder(added)
  return store.transaction(async (tx) => {
    const [isPlaced = false] = await tx.orders.insert([added], response)
    if (isPlaced) await record(added.order, 'created', tx)
    return isPlaced
  })
}

/** Without `order.participant.read`, thresholds cannot be used to guess what is on file (ruling 40). */
export const allowedMatching = (matching: MatchingOptions, caller: Caller): MatchingOptions =>
  canReadParticipant(caller) ? matching : withSettingAsFloor(matching)

/** Without `order.participant.read`, the participant is the one of the request, not the one on file (ruling 41). */
export function respondToMatch(
  match: Match,
  { order, matching }: { order: Order; matching: MatchingOptions },
  caller: Caller,
): Response {
  const { participant } = canReadParticipant(caller) ? match.order : order
  const view = composeView({ ...match.order, participant })
  return respond(200, view, caller, {
    originalSource: match.order.source,
    score: visibleScore(match, matching, caller),
  })
}

function respond(status: 200 | 201, view: FullView, caller: Caller, matched?: contract.Order['matched']): Response {
  return { status, text: renderView(canReadParticipant(caller) ? view : withoutIdentifiers(view), matched) }
}

async function replay(
  { key, requestHash }: Idempotency,
  request: CreateOrder | undefined,
  context: Context,
): Promise<Answer<never> | undefined> {
  const { caller, store, now } = context
  const saved = await store.idempotency.find(caller, key, now())
  if (!saved) return undefined
  if (!request || saved.requestHash !== requestHash) {
    const detail = 'This Idempotency-Key was already used for a different request. Use a new key.'
    throw refuse('conflict', detail, '/Idempotency-Key')
  }
  const text = canReadParticipant(caller) ? saved.text : await redact(saved.text, request, context)
  return { status: saved.status as 200 | 201, text, headers: { 'idempotent-replayed': 'true' } }
}

/** The saved text for a token that may have lost `order.participant.read` since. */
async function redact(text: string, request: CreateOrder, { caller, store }: Context): Promise<string> {
  const order = JSON.parse(text) as contract.Order
  const { company, location, matched, participant } = order
  // Only readers of the participant were shown identifiers.
  if (!participant?.identifiers) return text
  if (!matched) return removeRenderedIdentifiers(text)
  const site = company && location && { companyId: company.id, locationId: location.id }
  const settings = site && (await store.orderFacts.settingsOf(caller.tenantId, site))
  const inForce = mergeSettings(settings?.company ?? {}, settings?.location ?? {})
  const score = visibleScore(matched, allowedMatching(matchingOf(request.orderMatching, inForce), caller), caller)
  const own = presentParticipant(participantOf(request.participant))
  return removeRenderedIdentifiers(JSON.stringify({ ...order, matched: { ...matched, score }, participant: own }))
}

/** Stands for every malformed body. It equals no saved hash, because no order was created from one. */
const MALFORMED = 'malformed'

/** The version is part of it, because the same body with another version registers another callback. */
const hashRequest = ({ version, source }: Submission, body: unknown) =>
  hash('sha256', `${source === 'api' ? version : source} ${JSON.stringify(body, sortMembers)}`)

const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
