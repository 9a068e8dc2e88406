import type { Problem } from '@order-testing/contract'
import type { QueueReason } from '@order-testing/contract/operator'
import type { Caller } from '../domain/access/caller.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Unapplied } from '../domain/results/apply.ts'
import { checkSender } from '../domain/results/senders.ts'
import type { ResultRow } from '../store/results/results.ts'
import { readSegments, type Segment } from './hl7.ts'
import { refusalId, writeAck } from './hl7-ack.ts'
import { readReports, type Report } from './hl7-reports.ts'
import { senderOf, type Hl7Sender } from './hl7-sender.ts'
import { NotTaken } from './not-taken.ts'

/** What the door leads to. */
export interface Inside {
  caller: Pick<Caller, 'scopes' | 'senders'>
  /** Whether messages for training and debugging are refused. */
  production: boolean
  /** Applies or queues a report at this time; what it keeps bears that very time. */
  take: (report: Report, at: Date) => Promise<ResultRow>
  /** Keeps for an operator what cannot be taken, once however often it comes. */
  queue: (unapplied: Unapplied, at: Date) => Promise<ResultRow>
  /** The text of a report on file. */
  original: (row: ResultRow) => Promise<string | undefined>
  now: () => Date
}

/** Why a message is no report for us. */
export interface Hl7Refusal {
  code: 'AR'
  reason: string
  controlId: string
  sender: string
}

export interface Hl7Answer {
  status: 200 | 202 | 400
  bytes: Buffer
  /** Absent where everything it says was applied or queued. */
  refusal?: Hl7Refusal
}

const LONGEST_HEADER = 64 * 1024

/**
 * Takes a message with all its reports. What is not understood or may not be applied is answered AE and kept for an operator;
 * what is no message for us is refused. Other failures are thrown.
 */
export async function answerMessage(
  { bytes, charset }: { bytes: Buffer; charset?: string | undefined },
  inside: Inside,
): Promise<Hl7Answer> {
  const at = inside.now()
  let header: Segment | undefined
  try {
    const segments = readSegments(bytes, charset)
    header = segments[0]!
    checkHeader(header, inside)
    const sender = senderOf(segments, inside.caller)
    const denied = sender.id === '' ? [] : checkSender(sender, inside.caller)
    const reports = readReports(segments, sender, at)
    const taken =
      'problems' in reports
        ? [await notUnderstood(segments, sender, [...denied, ...reports.problems], inside, at)]
        : await takeAll(reports, denied, inside, at)
    return answerOf(taken, header)
  } catch (error) {
    if (error instanceof NotTaken) return refused(bytes, { header, at, error })
    throw error
  }
}

/** The answer to a message that is not taken for reasons beside it, as far as the message can be read. */
export const refuseMessage = (bytes: Buffer, error: NotTaken, at: Date): Hl7Answer =>
  refused(bytes, { header: headerOf(bytes), at, error })

/** The header alone: reading the rest of a large message would take long. */
function headerOf(bytes: Buffer): Segment | undefined {
  const start = Math.max(0, bytes.subarray(0, LONGEST_HEADER).indexOf('MSH'))
  const end = bytes.subarray(start, start + LONGEST_HEADER).findIndex((byte) => byte === 0x0d || byte === 0x0a)
  try {
    return readSegments(bytes.subarray(start, end === -1 ? start + LONGEST_HEADER : start + end))[0]
  } catch {
    return undefined
  }
}

/** Whether it is a message for this door at all. */
function checkHeader(header: Segment, { production }: Inside): void {
  const [type, event] = [header.at(9).toUpperCase(), header.at(9, 2).toUpperCase()]
  if (header.at(10) === '') throw new NotTaken(101, 'MSH-10: the message has no control id.')
  if (type !== 'ORU') throw new NotTaken(200, 'MSH-9: only ORU^R01 is taken.')
  if (event !== 'R01') throw new NotTaken(201, 'MSH-9: only ORU^R01 is taken.')
  if (!/^(2(\.|$)|$)/.test(header.at(12))) throw new NotTaken(203, 'MSH-12: only versions 2.x are taken.')
  if (production && /^[DT]$/i.test(header.at(11))) {
    throw new NotTaken(202, 'MSH-11: this is a production system, which takes no messages for training or debugging.')
  }
}

/** What became of a report, or of a message that was not understood. */
interface Taken {
  row: ResultRow
  problems: readonly Problem[]
}

async function notUnderstood(
  segments: Segment[],
  sender: Hl7Sender,
  problems: Problem[],
  { queue }: Inside,
  at: Date,
): Promise<Taken> {
  const original = segments.map(({ line }) => line).join('\r')
  const controlId = segments[0]!.at(10)
  return { row: await queue({ controlId, sender, original, why: 'notUnderstood', problems }, at), problems }
}

/** One after the other: reports of one service are to be applied in their order. */
async function takeAll(reports: Report[], denied: Problem[], inside: Inside, at: Date): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const report of reports) taken.push(await take(report, denied, inside, at))
  return taken
}

/** Where the token may not speak for the sender (`denied`), an operator decides whether the report is good. */
async function take(report: Report, denied: Problem[], inside: Inside, at: Date): Promise<Taken> {
  const { message, original } = report
  const { sender, messageId: controlId } = message
  const unapplied = async (why: QueueReason, refusal: Refusal): Promise<Taken> => {
    const { problems } = refusal
    return { row: await inside.queue({ controlId, sender, original, message, why, problems, refusal }, at), problems }
  }
  if (denied.length > 0) return unapplied('senderDiffers', new Refusal(denied))
  try {
    const row = await takeOnce(report, inside, at)
    // The very object that this call gave is in the row: so it is new, and need not be compared.
    if (row.receivedAt === at || sameReport(original, await inside.original(row))) return { row, problems: [] }
    return await unapplied('idReused', new Refusal([REUSED]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return unapplied('reviewNeeded', error)
  }
}

/** Control ids are unique per sender only: where another sender of the token has used it, the sender becomes part of it. */
async function takeOnce(report: Report, inside: Inside, at: Date): Promise<ResultRow> {
  const row = await inside.take(report, at)
  const { sender, messageId } = report.message
  if (row.senderId === sender.id) return row
  return inside.take({ ...report, message: { ...report.message, messageId: `${messageId}@${sender.id}` } }, at)
}

/** Counters of senders start again now and then; answered as a repeat, the new report would be lost. */
const REUSED: Problem = {
  code: 'invalidValue',
  pointer: 'MSH-10',
  detail: 'This control id has been used before, for a message that says something else.',
}

/** A repeat may have a header of its own, with the time it was sent again. */
const sameReport = (report: string, kept: string | undefined) => kept !== undefined && bodyOf(report) === bodyOf(kept)

/** All but the header. */
const bodyOf = (original: string) => original.slice(original.indexOf('\r'))

/** The worst that came of its reports is what is told of a message, under the id and time of what was kept. */
function answerOf(taken: Taken[], header: Segment): Hl7Answer {
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

interface Refused {
  header: Segment | undefined
  at: Date
  error: NotTaken
}

function refused(bytes: Buffer, { header, at, error }: Refused): Hl7Answer {
  const { message: reason } = error
  const ack = writeAck({ header, at, id: refusalId(bytes), code: 'AR', text: reason, problems: [error] })
  const sender = header?.at(4) || header?.at(3) || ''
  return { status: 400, bytes: ack, refusal: { code: 'AR', reason, controlId: header?.at(10) ?? '', sender } }
}
