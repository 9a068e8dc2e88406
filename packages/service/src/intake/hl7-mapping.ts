import type { Problem, SenderKind } from '@order-testing/contract'
import type { ResultEvent } from '@order-testing/contract/operator'
import { normaliseCode } from '../domain/orders/code.ts'
import { problemAt } from '../domain/refusal.ts'
import { readDocument } from './hl7-document.ts'
import type { Group } from './hl7-groups.ts'
import { decideOutcome, formatValue, holdsResult, valueTypeOf } from './hl7-outcome.ts'
import type { Hl7Sender } from './hl7-sender.ts'
import { truncate } from './hl7-text.ts'
import { readDate, readInstant } from './hl7-time.ts'
import type { Segment } from './hl7.ts'

type State = 'received' | 'inProgress' | 'final' | 'corrected' | 'cancelled'

/** OBR-25 (table 0123). Orders that were only received or scheduled are not reported here. */
const STATES: Record<string, State> = {
  I: 'received',
  P: 'inProgress',
  R: 'inProgress',
  A: 'inProgress',
  N: 'inProgress',
  M: 'inProgress',
  F: 'final',
  C: 'corrected',
  X: 'cancelled',
}

/** The event of an unfinished report, by sender; `testing` for others. */
const IN_PROGRESS: Partial<Record<SenderKind, ResultEvent>> = {
  mro: 'mroReview',
  clinic: 'inProgress',
  background: 'inProgress',
}

/** Maps an HL7 report to the members of the contract's schema, which the caller validates, with the problems of its HL7. */
export function mapReport(group: Group, messageId: string, sender: Hl7Sender): { report: object; problems: Problem[] } {
  const { header, request, specimens, observations } = group
  const problems: Problem[] = []
  const { kind, id, timezone } = sender
  const time = timeReader(problems, timezone)
  const specimenId = specimens[0]?.at(2, 1, 1) || undefined
  const receivedAt = time(specimens[0], 18) ?? time(request, 14)
  const state = readState(request, problems)
  const orderCode = readOrderCode(group, problems)
  const reportedAt = time(request, 22) ?? (state === 'received' ? receivedAt : undefined) ?? time(header, 7)
  if (reportedAt === undefined) problems.push(problemAt('MSH-7', 'required', 'The message time is missing.'))
  const report = {
    messageId,
    sender: { kind, id },
    match: {
      orderCode,
      panel: request.at(4) || request.at(4, 2) || undefined,
      specimenId: orderCode === undefined ? specimenId : undefined,
    },
    participant: readParticipant(group, problems),
    occurredAt: reportedAt,
    specimen: specimenId && { id: specimenId, collectedAt: time(specimens[0], 17) ?? time(request, 7), receivedAt },
    ...readResult(state, observations, kind, problems),
    reason: truncate(group.notes.map((note) => note.text(3)).join('\n'), 1000),
    analytes: observations.flatMap(readAnalyte),
    documents: observations.flatMap((obx, i) => (valueTypeOf(obx) === 'ED' ? readDocument(obx, i + 1, problems) : [])),
  }
  return { report, problems }
}

/** Reads times, and adds a problem for each that is invalid. Missing times are undefined. */
function timeReader(problems: Problem[], timezone: string | undefined) {
  return (segment: Segment | undefined, field: number): string | undefined => {
    const text = segment?.at(field) ?? ''
    const instant = readInstant(text, timezone)
    if (text !== '' && instant === undefined) {
      const detail = 'Expected a time: YYYYMMDD[HHMM[SS]][+/-ZZZZ].'
      problems.push(problemAt(`${segment!.name}-${field}`, 'invalidFormat', detail))
    }
    return instant
  }
}

function readState(request: Segment, problems: Problem[]): State | undefined {
  const status = request.at(25).toUpperCase()
  const state = Object.hasOwn(STATES, status) ? STATES[status] : undefined
  if (state === undefined) {
    const known = Object.keys(STATES).join(', ')
    problems.push(problemAt('OBR-25', status === '' ? 'required' : 'invalidValue', `Expected one of ${known}.`))
  }
  return state
}

/** The placer number that is an order code, else the first one. */
function readOrderCode({ order, request }: Group, problems: Problem[]): string | undefined {
  const given = [request.at(2), order?.at(2) ?? ''].filter((number) => number !== '')
  const codes = new Set(given.map((number) => normaliseCode(number)).filter((code) => code !== null))
  if (codes.size > 1) problems.push(problemAt('OBR-2', 'invalidValue', 'ORC-2 and OBR-2 name different orders.'))
  return [...codes][0] ?? given[0]
}

function readParticipant({ patient }: Group, problems: Problem[]): object | undefined {
  if (!patient) return undefined
  const born = patient.at(7)
  const birthDate = born === '' ? '' : readDate(born)
  if (birthDate === undefined) problems.push(problemAt('PID-7', 'invalidFormat', 'Expected a date: YYYYMMDD.'))
  return {
    lastName: truncate(patient.at(5, 1), 255),
    firstName: truncate(patient.at(5, 2), 255),
    birthDate: birthDate === '' ? undefined : birthDate,
  }
}

function readResult(state: State | undefined, observations: Segment[], kind: SenderKind, problems: Problem[]) {
  if (state === undefined) return {}
  if (state === 'received') return { event: 'receivedAtLab' }
  if (state === 'inProgress') return { event: IN_PROGRESS[kind] ?? 'testing' }
  if (state === 'cancelled') return { event: 'result', result: 'testCancelled' }
  const decision = decideOutcome(observations)
  if ('why' in decision) problems.push(problemAt(decision.at, 'invalidValue', decision.why))
  const result = 'why' in decision ? undefined : decision.result
  return { event: 'result', result, ...(state === 'corrected' && { corrected: true }) }
}

/** The result of a numeric observation is in its flags; the result of any other is its value. */
function readAnalyte(obx: Segment): object[] {
  const [value, flags] = [formatValue(obx), obx.text(8).replaceAll('\n', ', ')]
  if (!holdsResult(obx) || (value === '' && flags === '')) return []
  const isNumber = valueTypeOf(obx) === 'NM' || valueTypeOf(obx) === 'SN'
  return [
    {
      name: truncate(obx.at(3, 2) || obx.at(3) || 'unnamed', 255),
      code: truncate(obx.at(3), 64),
      result: truncate((isNumber && flags) || value || flags, 255),
      value: isNumber ? truncate(value, 255) : undefined,
      unit: truncate(obx.at(6) || obx.at(6, 2), 64),
      cutoff: truncate(obx.text(7), 64),
    },
  ]
}
