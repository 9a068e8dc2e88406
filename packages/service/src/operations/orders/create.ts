import { createHash } from 'node:crypto'
import { CreateOrder, constraintCode, parsePartly, type PartlyParsed, type Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { mayReadParticipant } from '../../domain/access/caller.ts'
import { checkOrder, commonTo, resolveOrder, withoutEchoes, type ResolvedOrder } from '../../domain/orders/create.ts'
import { checkAmbiguity, readingsOf, type Draft, type OrderFacts } from '../../domain/orders/references.ts'
import { hasBackground, refusalForClinic, schedulingOf } from '../../domain/orders/scheduling.ts'
import { withSettingAsFloor, type MatchingOptions } from '../../domain/orders/settings.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import { locate } from '../../domain/places/postal-places.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { KeptAnswer } from '../../store/orders/idempotency.ts'
import type { NewOrder } from '../../store/orders/insertion.ts'
import type { CallbackVersion } from '../../store/webhooks/callbacks.ts'
import type { Registration } from '../../store/webhooks/outbox.ts'
import type { Presented } from '../../store/orders/rows.ts'
import { CodeTaken } from '../../store/orders/orders.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { entryOf } from '../audit/audit.ts'
import { messagesOf } from './change.ts'
import { chooseClinic } from './choose-clinic.ts'
import { shownScore, wordsOf, type Match } from '../matching/match.ts'
import type { Answer, Context, RawOperation } from '../operation.ts'
import { orderText, presentedTexts, withoutIdentifiersText } from './answer.ts'
import { placeUnmatched } from './place-matched.ts'
import { newOrder, newRegistration } from './place-order.ts'

/** Codes that chance has given twice in a row are not chance any more. */
const CODE_TRIES = 5

export const createOrder: RawOperation<typeof contract.createOrder> = (input, context) =>
  create(input, context, { version: 'v2', source: 'api' })

/** The same order, whose callback hears of it in the manner of v1, and refusals by v1's names. */
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

/** How an order comes in. */
export interface Door {
  version: CallbackVersion
  source: Order['source']
  /** The body as it was sent, where it held more than the order. */
  sent?: unknown
  /** Notes what became of the request, in the same transaction. */
  note?: (order: Order, outcome: 'created' | 'matched', tx: Transaction) => Promise<void>
}

/** Places an order, or answers with the one that is there already. */
export async function create(input: Input, outer: Context, door: Door): Promise<Answer<never>> {
  // One moment for all of it: an order that expires in a day does so a day after it was created.
  const at = outer.now()
  const context = { ...outer, now: () => at }
  const parsed = parsePartly(CreateOrder, input.body)
  const key = input.faults.length > 0 ? undefined : input.headers['Idempotency-Key']
  // Hashing goes through every member, so only bodies that are well-formed, and thereby bounded, are hashed.
  const hash = () => (parsed.value === undefined ? MALFORMED : hashOf(door, door.sent ?? input.body))
  const asked = key === undefined ? undefined : { key, requestHash: hash() }
  const kept = asked && (await replay(asked, context))
  if (kept) return kept
  const { request, facts, clinic } = await check(parsed, input.faults, context)
  const resolved = resolveOrder(request, facts, context.now())
  for (let tries = 1; ; tries++) {
    try {
      const placed = await place({ request, resolved, clinic, asked, ...door }, context)
      // Another request with the same key was quicker: its answer is ours.
      return placed ?? (await replay(asked!, context))!
    } catch (error) {
      if (!(error instanceof CodeTaken) || tries === CODE_TRIES) throw error
    }
  }
}

/** Everything that is wrong with a request, of its form and beyond, at once. */
async function check(
  { value, partial, problems: malformed }: PartlyParsed<CreateOrder>,
  faults: readonly Problem[],
  context: Context,
): Promise<{ request: CreateOrder; facts: OrderFacts; clinic: OrderClinic | null }> {
  const { caller, store, policy } = context
  const problems = [...faults, ...malformed]
  const candidates = await store.orderFacts.candidates(caller, partial.location ?? {}, partial.package ?? {})
  const readings = readingsOf(partial, candidates)
  const ambiguous = checkAmbiguity(partial, candidates, readings)
  const broken: Problem[][] = []
  for (const facts of readings) {
    const rules = checkOrder(partial, facts, { policy, now: context.now(), faults: problems })
    const clinic = await clinicFor(partial, facts, context)
    const isServed = clinic === null || !('code' in clinic)
    const isSound = value !== undefined && problems.length === 0 && rules.length === 0 && isServed
    if (isSound && ambiguous.length === 0) return { request: value, facts, clinic }
    broken.push([...rules, ...(isServed ? [] : withoutEchoes([...problems, ...rules], [clinic]))])
  }
  const all = [...problems, ...commonTo(broken)]
  throw new Refusal(all.length > 0 ? all : ambiguous)
}

/** The clinic, or why there is none, as soon as enough of the request is in order to tell. */
async function clinicFor(partial: Draft, facts: OrderFacts, context: Context): Promise<OrderClinic | Problem | null> {
  const { location, package: pkg } = facts
  const { schedulingOption, clinicSelectionMode } = partial.settings ?? {}
  if (schedulingOption !== 'schedule') return null
  // A background check cannot be scheduled, wherever the clinics are.
  if (pkg.kind === 'one' && hasBackground(pkg.value.services)) return null
  const { mode } = schedulingOf({ schedulingOption, clinicSelectionMode })
  const { postalCode, country } = partial.participant?.address ?? {}
  const isNear = mode === 'closestToParticipant'
  if (isNear && postalCode === undefined) return null
  // By the postal code alone: a city of that name may be anywhere in it.
  const near = isNear ? locate({ postalCode, country }) : undefined
  if (near === null) return refusalForClinic('unplaced')
  if (location.kind !== 'one' || pkg.kind !== 'one') return null
  return chooseClinic({ near, location: location.value, package: pkg.value }, context)
}

interface Placement extends Door {
  request: CreateOrder
  resolved: ResolvedOrder
  clinic: OrderClinic | null
  asked: { key: string; requestHash: string } | undefined
}

/** Writes the order, or finds the one that is there already; undefined where another request holds the key. */
async function place(placement: Placement, context: Context): Promise<Answer<never> | undefined> {
  const { resolved, asked, note } = placement
  const { caller, store } = context
  const order = newOrder(placement, context)
  const keeping = (answer: { status: 200 | 201; text: string }) =>
    asked && { caller, at: context.now(), ...asked, ...answer }
  const presented = presentedTexts(order)
  const created = answerOf(order, presented, 201, context)
  const registration = newRegistration(placement, order, context)
  const { tenantId, tokenId } = caller
  const messages = messagesOf({ tenantId, before: null, after: order, tokenId }, context.random)
  const added = { tenantId, order, presented, words: wordsOf(order), registration, messages }
  const kept = keeping(created)
  if (!resolved.matching.enabled) {
    return (await insert({ added, kept, note }, store)) ? created : undefined
  }
  const matching = mayReadParticipant(caller) ? resolved.matching : withSettingAsFloor(resolved.matching)
  const answerTo = (match: Match) => matchedAnswer(match, { order, matching }, context)
  const outcome = await placeUnmatched({
    added,
    matching,
    context,
    kept,
    matched: async (match, tx) => {
      const again = keeping(answerTo(match))
      if (again && !(await tx.idempotency.keep(again))) return false
      await tx.orders.recordMatch(caller, match.order.id, { ...match, at: context.now() })
      if (registration) await registerAt(match.order.id, registration, context, tx)
      await note?.(match.order, 'matched', tx)
      return true
    },
    placed: note && ((tx) => note(order, 'created', tx)),
  })
  if (typeof outcome !== 'boolean') return answerTo(outcome)
  return outcome ? created : undefined
}

/** Most orders are placed together with others; one that is noted takes a transaction of its own. */
async function insert(
  { added, kept, note }: { added: NewOrder; kept: KeptAnswer | undefined; note: Door['note'] },
  store: Store,
): Promise<boolean> {
  if (!note) return kept ? (await store.orders.insert([added], kept))[0]! : store.placeOrder(added)
  return store.transaction(async (tx) => {
    const [isPlaced = false] = await tx.orders.insert([added], kept)
    if (isPlaced) await note(added.order, 'created', tx)
    return isPlaced
  })
}

/** Without `order.participant.read`, the participant is the one of the request, not the one on file (ruling 41). */
function matchedAnswer(
  match: Match,
  { order, matching }: { order: Order; matching: MatchingOptions },
  context: Context,
): { status: 200 | 201; text: string } {
  const { participant } = mayReadParticipant(context.caller) ? match.order : order
  const shown = { ...match.order, participant }
  return answerOf(shown, presentedTexts(shown), 200, context, { score: shownScore(match, matching, context.caller) })
}

/** Registers a callback for an order on file. The audit log has what another registration of the same address was before. */
async function registerAt(orderId: string, registration: Registration, context: Context, tx: Transaction) {
  const { version, tokenId, showsParticipant } = registration
  const replaced = await tx.outbox.register(context.caller.tenantId, { ...registration, orderId })
  if (!replaced) return
  const { id, ...before } = replaced
  const states = { before: { orderId, ...before }, after: { orderId, version, tokenId, showsParticipant } }
  await tx.audit.note([entryOf({ action: 'callback.replace', subject: { type: 'callback', id }, ...states }, context)])
}

function answerOf(
  order: Order,
  presented: Presented,
  status: 200 | 201,
  { caller }: Context,
  match?: { score: number },
): { status: 200 | 201; text: string } {
  const text = orderText({
    head: presented.head,
    participant: mayReadParticipant(caller) ? presented.participant : withoutIdentifiersText(order.participant),
    ...(match && { matched: { originalSource: order.source, score: match.score } }),
  })
  return { status, text }
}

async function replay(
  asked: { key: string; requestHash: string },
  { caller, store, now }: Context,
): Promise<Answer<never> | undefined> {
  const kept = await store.idempotency.find(caller, asked.key, now())
  if (!kept) return undefined
  if (kept.requestHash !== asked.requestHash) {
    throw refuse(
      'conflict',
      'This Idempotency-Key was already used for a different request. Use a new key.',
      '/Idempotency-Key',
    )
  }
  const text = mayReadParticipant(caller) ? kept.text : withoutIdentifiers(kept.text)
  return { status: kept.status as 200 | 201, text }
}

/** The token may have lost since what it might read when the answer was kept. */
const withoutIdentifiers = (text: string) =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (name === 'identifiers' ? undefined : value)))

/** Stands for every malformed body: no order was ever created from one, so that it equals no stored hash. */
const MALFORMED = 'malformed'

/** The same body through another version is another request: its callback differs. The order of members tells nothing. */
const hashOf = ({ version, source }: Door, body: unknown) =>
  createHash('sha256')
    .update(`${source === 'api' ? version : source} ${JSON.stringify(body, sorted)}`)
    .digest('hex')

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
