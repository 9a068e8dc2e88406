import { INTAKE_SCOPES, parse, type Problem, type SenderKind } from '@order-testing/contract'
import { ResultMessage } from '@order-testing/contract/operator'
import type { Caller } from '../domain/caller.ts'
import { Refusal } from '../domain/refusal.ts'
import { checkMessage } from '../domain/results.ts'
import type { ResultRow } from '../store/results.ts'
import { readSegments, type Segment } from './hl7.ts'
import { refusalId, writeAck } from './hl7-ack.ts'
import { originalOf } from './hl7-document.ts'
import { groupsOf, type Group } from './hl7-groups.ts'
import { messageOf, senderOf } from './hl7-message.ts'
import { NotTaken } from './not-taken.ts'

/** A report that was read, and the text it came in. */
export interface Report {
  message: ResultMessage
  original: string
}

/** What the door leads to. */
export interface Inside {
  caller: Pick<Caller, 'scopes'>
  /** Whether messages for training and debugging are refused. */
  production: boolean
  /** Applies or queues a report at this time; what it keeps bears that very time. */
  take: (report: Report, at: Date) => Promise<ResultRow>
  /** The text of a report on file. */
  original: (row: ResultRow) => Promise<string | undefined>
  now: () => Date
}

export interface Hl7Answer {
  status: 200 | 202 | 400
  bytes: Buffer
}

/** Of one message: each is a row of its own. */
const MOST_REPORTS = 50

/** Characters of all reports of a message. Each repeats the lines that they share, which could make it fifty times more. */
const MOST_TEXT = 32 * 1024 ** 2

const LONGEST_HEADER = 64 * 1024

/** Takes a message with all its reports, or tells why not. Whatever is no fault of the message is thrown. */
export async function answerHl7(
  { bytes, charset }: { bytes: Buffer; charset?: string | undefined },
  inside: Inside,
): Promise<Hl7Answer> {
  const at = inside.now()
  let header: Segment | undefined
  try {
    const segments = readSegments(bytes, charset)
    header = segments[0]!
    checkHeader(header, inside)
    const outcomes = await takeAll(readReports(segments, inside.caller, at), inside, at)
    return answerOf(outcomes, { header, at, id: refusalId(bytes) })
  } catch (error) {
    const about = { header, at, id: refusalId(bytes) }
    if (error instanceof NotTaken) {
      return { status: 400, bytes: writeAck({ ...about, code: 'AR', text: error.message, problems: [error] }) }
    }
    if (error instanceof Refusal) return refused(error.problems, about)
    throw error
  }
}

/** The answer to a message that is not taken for reasons beside it, as far as the message can be read. */
export function refuseHl7(bytes: Buffer, error: NotTaken, at: Date): Buffer {
  return writeAck({
    header: headerOf(bytes),
    at,
    id: refusalId(bytes),
    code: 'AR',
    text: error.message,
    problems: [error],
  })
}

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

/** All reports of a message; if anything is wrong with the form of one, none. */
function readReports(segments: Segment[], { scopes }: Inside['caller'], at: Date): Report[] {
  const groups = groupsOf(segments)
  const [header] = segments
  const problems: Problem[] = []
  const found = (code: Problem['code'], pointer: string, detail: string) => problems.push({ code, pointer, detail })
  if (senderOf(header!) === '') found('required', 'MSH-4', 'Say who sends this, in MSH-4 or MSH-3.')
  if (groups.length === 0) found('required', 'OBR-1', 'There is no report in it: no OBR.')
  if (groups.length > MOST_REPORTS) found('tooBig', 'OBR-1', `There are more than ${MOST_REPORTS} reports in it.`)
  else if (groups.reduce((sum, group) => sum + lengthOf(group), 0) > MOST_TEXT)
    found('tooBig', 'OBR-1', 'The lines that all reports share are too long: send the reports one by one.')
  if (problems.length > 0) throw new Refusal(problems)
  const kind = kindOf(scopes)
  const reports = groups.map((group, i) => readReport(group, idOf(header!.at(10), i + 1), kind, at))
  const wrong = reports.flatMap((report) => ('problems' in report ? report.problems : []))
  if (wrong.length > 0) throw new Refusal(wrong)
  return reports as Report[]
}

const lengthOf = ({ segments }: Group) => segments.reduce((sum, { line }) => sum + line.length, 0)

function readReport(group: Group, id: string, kind: SenderKind, at: Date): Report | { problems: Problem[] } {
  const { message, problems } = messageOf(group, id, kind)
  // What is wrong in the words of HL7 says it better than what follows from it.
  if (problems.length > 0) return { problems }
  const parsed = parse(ResultMessage, message)
  if (!parsed.ok) return parsed
  const wrong = checkMessage(parsed.value, at)
  return wrong.length > 0 ? { problems: wrong } : { message: parsed.value, original: originalOf(group.segments) }
}

/** What the token makes its holder; who may speak as several is taken for a laboratory. */
function kindOf(scopes: Caller['scopes']): SenderKind {
  const kinds = INTAKE_SCOPES.filter((scope) => scopes.has(scope))
  return kinds.length === 1 ? (kinds[0]!.slice('intake.'.length) as SenderKind) : 'lab'
}

/** The first report has the message's own id, unless that could be taken for another report of another message. */
const idOf = (controlId: string, place: number) =>
  place === 1 && !/#\d+$/.test(controlId) ? controlId : `${controlId}#${place}`

type Taken = ResultRow | Refusal

/** One after the other: reports of one service are to be applied in their order. */
async function takeAll(reports: Report[], inside: Inside, at: Date): Promise<Taken[]> {
  const taken: Taken[] = []
  for (const report of reports) {
    try {
      const row = await inside.take(report, at)
      // The very object that this call gave is in the row: so it is new, and need not be compared.
      const isSame = row.receivedAt === at || sameReport(report.original, await inside.original(row))
      taken.push(isSame ? row : new Refusal([REUSED]))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      taken.push(error)
    }
  }
  return taken
}

/** Counters of senders start again now and then; answered as a repeat, the new report would be lost. */
const REUSED: Problem = {
  code: 'invalidValue',
  pointer: 'MSH-10',
  detail: 'This control id has been used before, for a message that says something else.',
}

/** A repeat may have a header of its own, with the time it was sent again. */
const sameReport = (report: string, kept: string | undefined) => kept !== undefined && body(report) === body(kept)
const body = (original: string) => original.slice(original.indexOf('\r'))

interface About {
  header: Segment
  at: Date
  id: string
}

/** The worst that came of its reports is what is told of a message. */
function answerOf(taken: Taken[], about: About): Hl7Answer {
  const problems = taken.flatMap((outcome) => (outcome instanceof Refusal ? outcome.problems : []))
  if (problems.length > 0) return refused(problems, about)
  const rows = taken as ResultRow[]
  const [{ id, receivedAt }] = rows as [ResultRow]
  const text = rows.map(({ why }) => (why === null ? 'applied' : `queued: ${why}`)).join(', ')
  const ack = writeAck({ header: about.header, code: 'AA', at: receivedAt, id, text })
  return { status: rows.every(({ why }) => why === null) ? 200 : 202, bytes: ack }
}

function refused(problems: Problem[], about: Omit<About, 'header'> & { header: Segment | undefined }): Hl7Answer {
  const text = problems[0]?.detail ?? 'The message is refused.'
  return { status: 400, bytes: writeAck({ ...about, code: 'AE', text, problems }) }
}
