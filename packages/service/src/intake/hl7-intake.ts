import type { Problem } from '@order-testing/contract'
import type { QueueReason } from '@order-testing/contract/operator'
import type { Caller } from '../domain/access/caller.ts'
import { Refusal } from '../domain/refusal.ts'
import type { UnappliedReport } from '../domain/results/apply.ts'
import { checkSender } from '../domain/results/senders.ts'
import type { ResultRow } from '../store/results/results.ts'
import { refusalId, writeAck, type Ack } from './hl7-ack.ts'
import { groupSegments } from './hl7-groups.ts'
import { Hl7Rejection } from './hl7-rejection.ts'
import { readReports, type Hl7Report } from './hl7-reports.ts'
import { findSender } from './hl7-sender.ts'
import { readSegments, type Segment } from './hl7.ts'

/** What answering a message needs of the service. */
export interface Hl7Context {
  caller: Pick<Caller, 'scopes' | 'senders'>
  /** Whether messages for training and debugging are rejected. */
  production: boolean
  /** Applies or queues a report. `receivedAt` of a new row is `at` itself. */
  take: (report: Hl7Report, at: Date) => Promise<ResultRow>
  /** Queues for an operator what cannot be applied, once however often it comes. */
  queue: (unapplied: UnappliedReport, at: Date) => Promise<ResultRow>
  /** The text of a stored report. */
  original: (row: ResultRow) => Promise<string | undefined>
  now: () => Date
}

export interface Hl7Refusal {
  code: 'AR'
  reason: string
  controlId: string
  sender: string
}

export interface Hl7Answer {
  status: 200 | 202 | 400
  bytes: Buffer
  /** Present if the message was rejected. */
  refusal?: Hl7Refusal
}

const LONGEST_HEADER = 64 * 1024

/**
 * Takes a message with all its reports. What is not understood or may not be applied is answered AE and queued for an
 * operator; messages that we do not accept are answered AR. Other failures are thrown.
 */
export async function answerMessage(
  { bytes, charset }: { bytes: Buffer; charset?: string | undefined },
  context: Hl7Context,
): Promise<Hl7Answer> {
  const at = context.now()
  let header: Segment | undefined
  try {
    const segments = readSegments(bytes, charset)
    header = segments[0]!
    checkHeader(header, context)
    const groups = groupSegments(segments)
    const sender = findSender(header, groups, context.caller)
    const denied = sender.id === '' ? [] : checkSender(sender, context.caller)
    const reports = readReports(groups, sender, at)
    const taken: Taken[] = []
    if ('problems' in reports) {
      const problems = [...denied, ...reports.problems]
      const original = segments.map(({ line }) => line).join('\r')
      const unapplied = { controlId: header.at(10), sender, original, why: 'notUnderstood', problems } as const
      taken.push({ row: await context.queue(unapplied, at), problems })
    } else {
      // One after the other: reports of the same service are applied in their order.
      for (const report of reports) taken.push(await take(report, denied, context, at))
    }
    return composeAnswer(taken, header)
  } catch (error) {
    if (error instanceof Hl7Rejection) return reject(bytes, error, { header, at })
    throw error
  }
}

/** Rejects a message for reasons outside its content. */
export const rejectMessage = (bytes: Buffer, error: Hl7Rejection, at: Date): Hl7Answer =>
  reject(bytes, error, { header: readHeader(bytes), at })

/** Reads only the header: parsing a large message takes long. */
function readHeader(bytes: Buffer): Segment | undefined {
  const start = Math.max(0, bytes.subarray(0, LONGEST_HEADER).indexOf('MSH'))
  const end = bytes.subarray(start, start + LONGEST_HEADER).findIndex((byte) => byte === 0x0d || byte === 0x0a)
  try {
    return readSegments(bytes.subarray(start, end === -1 ? start + LONGEST_HEADER : start + end))[0]
  } catch {
    return undefined
  }
}

function checkHeader(header: Segment, { production }: Hl7Context): void {
  const [type, event] = [header.at(9).toUpperCase(), header.at(9, 2).toUpperCase()]
  if (header.at(10) === '') throw new Hl7Rejection(101, 'MSH-10: the control id is missing.')
  if (type !== 'ORU') throw new Hl7Rejection(200, 'MSH-9: only ORU^R01 is accepted.')
  if (event !== 'R01') throw new Hl7Rejection(201, 'MSH-9: only ORU^R01 is accepted.')
  if (!/^(2(\.|$)|$)/.test(header.at(12))) throw new Hl7Rejection(203, 'MSH-12: only versions 2.x are accepted.')
  if (production && /^[DT]$/i.test(header.at(11))) {
    throw new Hl7Rejection(202, 'MSH-11: a production system accepts no messages for training or debugging.')
  }
}

/** The stored row of a report, or of a message that was not understood. */
interface Taken {
  row: ResultRow
  problems: readonly Problem[]
}

/** If the token may not speak for the sender (`denied`), an operator decides on the report. */
async function take(incoming: Hl7Report, denied: Problem[], context: Hl7Context, at: Date): Promise<Taken> {
  const { report, original } = incoming
  const { sender, messageId: controlId } = report
  const queueUnapplied = async (why: QueueReason, refusal: Refusal): Promise<Taken> => {
    const { problems } = refusal
    return { row: await context.queue({ controlId, sender, original, report, why, problems, refusal }, at), problems }
  }
  if (denied.length > 0) return queueUnapplied('senderDiffers', new Refusal(denied))
  try {
    const row = await takeUnderOwnId(incoming, context, at)
    // The row has the very `Date` object of this call, so it is new and needs no comparison.
    if (row.receivedAt === at || isSameReport(original, await context.original(row))) return { row, problems: [] }
    return await queueUnapplied('idReused', new Refusal([ID_REUSED]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return queueUnapplied('reviewNeeded', error)
  }
}

/** Control ids are unique per sender only. If another sender of the token has used the id, the sender is added to it. */
async function takeUnderOwnId(incoming: Hl7Report, context: Hl7Context, at: Date): Promise<ResultRow> {
  const row = await context.take(incoming, at)
  const { sender, messageId } = incoming.report
  if (row.senderId === sender.id) return row
  return context.take({ ...incoming, report: { ...incoming.report, messageId: `${messageId}@${sender.id}` } }, at)
}

/** Some senders restart their counters. If such a report were answered as a repeat, it would be lost. */
const ID_REUSED: Problem = {
  code: 'invalidValue',
  pointer: 'MSH-10',
  detail: 'This control id was already used for a message with different content.',
}

/** The header of a repeat may have a new time of sending. */
const isSameReport = (report: string, kept: string | undefined) => kept !== undefined && bodyOf(report) === bodyOf(kept)

const bodyOf = (original: string) => original.slice(original.indexOf('\r'))

/** The answer has the worst outcome of the reports, and id and time of the first stored row. */
function composeAnswer(taken: Taken[], header: Segment): Hl7Answer {
  const problems = taken.flatMap((each) => each.problems)
  const rows = taken.map(({ row }) => row)
  const { id, receivedAt: at } = rows[0]!
  if (problems.length > 0) {
    const text = problems[0]!.detail
    return { status: 400, bytes: writeAck({ header, at, id, code: 'AE', text, problems }) }
  }
  const text = rows.map(({ why }) => (why === null ? 'applied' : `queued: ${why}`)).join(', ')
  const status = rows.every(({ why }) => why === null) ? 200 : 202
  return { status, bytes: writeAck({ header, at, id, code: 'AA', text }) }
}

function reject(bytes: Buffer, error: Hl7Rejection, { header, at }: Pick<Ack, 'header' | 'at'>): Hl7Answer {
  const { message: reason } = error
  const ack = writeAck({ header, at, id: refusalId(bytes), code: 'AR', text: reason, problems: [error] })
  const sender = header?.at(4) || header?.at(3) || ''
  return { status: 400, bytes: ack, refusal: { code: 'AR', reason, controlId: header?.at(10) ?? '', sender } }
}
