import type { Problem, SenderKind } from '@order-testing/contract'
import type { ResultEvent } from '@order-testing/contract/operator'
import { normaliseCode } from '../domain/orders/code.ts'
import type { Segment } from './hl7.ts'
import { documentOf } from './hl7-document.ts'
import type { Group } from './hl7-groups.ts'
import { decide, holdsResult, shownValue, typeOf } from './hl7-outcome.ts'
import type { Hl7Sender } from './hl7-sender.ts'
import { cut } from './hl7-text.ts'
import { dateOf, instantOf } from './hl7-time.ts'

type State = 'received' | 'underway' | 'final' | 'corrected' | 'cancelled'

/** What OBR-25 (table 0123) says; orders that were merely taken or planned have come to nothing that is kept here. */
const STATES: Record<string, State> = {
  I: 'received',
  P: 'underway',
  R: 'underway',
  A: 'underway',
  N: 'underway',
  M: 'underway',
  F: 'final',
  C: 'corrected',
  X: 'cancelled',
}

/** What is under way with whom. */
const UNDERWAY: Partial<Record<SenderKind, ResultEvent>> = {
  mro: 'mroReview',
  clinic: 'inProgress',
  background: 'inProgress',
}

/** A report as a result message, to be held against the contract, with what is wrong with it as HL7. */
export function messageOf(
  group: Group,
  messageId: string,
  sender: Hl7Sender,
): { message: object; problems: Problem[] } {
  const { header, request, specimens, observations } = group
  const problems: Problem[] = []
  const { kind, id, timezone } = sender
  const time = timesInto(problems, timezone)
  const specimenId = specimens[0]?.at(2, 1, 1) || undefined
  const receivedAt = time(specimens[0], 18) ?? time(request, 14)
  const state = stateOf(request, problems)
  const orderCode = orderCodeOf(group, problems)
  const reportedAt = time(request, 22) ?? (state === 'received' ? receivedAt : undefined) ?? time(header, 7)
  if (reportedAt === undefined) problems.push(problem('required', 'MSH-7', 'The message has no time.'))
  const message = {
    messageId,
    sender: { kind, id },
    match: {
      orderCode,
      panel: request.at(4) || request.at(4, 2) || undefined,
      specimenId: orderCode === undefined ? specimenId : undefined,
    },
    participant: participantOf(group, problems),
    occurredAt: reportedAt,
    specimen: specimenId && { id: specimenId, collectedAt: time(specimens[0], 17) ?? time(request, 7), receivedAt },
    ...outcomeOf(state, observations, kind, problems),
    reason: cut(group.notes.map((note) => note.text(3)).join('\n'), 1000),
    analytes: observations.flatMap((obx) => analyteOf(obx)),
    documents: observations.flatMap((obx, i) => (typeOf(obx) === 'ED' ? documentOf(obx, i + 1, problems) : [])),
  }
  return { message, problems }
}

/** Undefined where nothing is said, with a problem where it is no time. */
function timesInto(problems: Problem[], timezone: string | undefined) {
  return (segment: Segment | undefined, field: number): string | undefined => {
    const text = segment?.at(field) ?? ''
    const instant = instantOf(text, timezone)
    if (text !== '' && instant === undefined) {
      problems.push(
        problem('invalidFormat', `${segment!.name}-${field}`, 'Expected a time: YYYYMMDD[HHMM[SS]][+/-ZZZZ].'),
      )
    }
    return instant
  }
}

function stateOf(request: Segment, problems: Problem[]): State | undefined {
  const status = request.at(25).toUpperCase()
  const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined
  if (state === undefined) {
    const known = Object.keys(STATES).join(', ')
    problems.push(problem(status === '' ? 'required' : 'invalidValue', 'OBR-25', `Expected one of ${known}.`))
  }
  return state
}

/** Of the numbers that the placer's fields give, that which is an order code. */
function orderCodeOf({ order, request }: Group, problems: Problem[]): string | undefined {
  const given = [request.at(2), order?.at(2) ?? ''].filter((number) => number !== '')
  const codes = new Set(given.map((number) => normaliseCode(number)).filter((code) => code !== null))
  if (codes.size > 1) problems.push(problem('invalidValue', 'OBR-2', 'ORC-2 and OBR-2 name different orders.'))
  return [...codes][0] ?? given[0]
}

function participantOf({ patient }: Group, problems: Problem[]): object | undefined {
  if (!patient) return undefined
  const born = patient.at(7)
  const birthDate = born === '' ? '' : dateOf(born)
  if (birthDate === undefined) problems.push(problem('invalidFormat', 'PID-7', 'Expected a date: YYYYMMDD.'))
  return {
    lastName: cut(patient.at(5, 1), 255),
    firstName: cut(patient.at(5, 2), 255),
    birthDate: birthDate === '' ? undefined : birthDate,
  }
}

function outcomeOf(state: State | undefined, observations: Segment[], kind: SenderKind, problems: Problem[]) {
  if (state === undefined) return {}
  if (state === 'received') return { event: 'receivedAtLab' }
  if (state === 'underway') return { event: UNDERWAY[kind] ?? 'testing' }
  if (state === 'cancelled') return { event: 'result', result: 'testCancelled' }
  const decision = decide(observations)
  if ('why' in decision) problems.push(problem('invalidValue', decision.at, decision.why))
  const result = 'why' in decision ? undefined : decision.result
  return { event: 'result', result, ...(state === 'corrected' && { corrected: true }) }
}

/** Numbers are values, whose flags say what they mean; other values say it themselves. */
function analyteOf(obx: Segment): object[] {
  const [shown, flags] = [shownValue(obx), obx.text(8).replaceAll('\n', ', ')]
  if (!holdsResult(obx) || (shown === '' && flags === '')) return []
  const isNumber = typeOf(obx) === 'NM' || typeOf(obx) === 'SN'
  return [
    {
      name: cut(obx.at(3, 2) || obx.at(3) || 'unnamed', 255),
      code: cut(obx.at(3), 64),
      result: cut((isNumber && flags) || shown || flags, 255),
      value: isNumber ? cut(shown, 255) : undefined,
      unit: cut(obx.at(6) || obx.at(6, 2), 64),
      cutoff: cut(obx.text(7), 64),
    },
  ]
}

const problem = (code: Problem['code'], pointer: string, detail: string): Problem => ({ code, detail, pointer })
