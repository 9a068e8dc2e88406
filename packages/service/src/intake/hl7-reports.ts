import { parse, type Problem } from '@order-testing/contract'
import { ResultMessage } from '@order-testing/contract/operator'
import { checkMessage } from '../domain/results/apply.ts'
import type { Segment } from './hl7.ts'
import { originalOf } from './hl7-document.ts'
import { groupsOf, type Group } from './hl7-groups.ts'
import { messageOf } from './hl7-message.ts'
import type { Hl7Sender } from './hl7-sender.ts'

/** A report that was understood, and the text it came in. */
export interface Report {
  message: ResultMessage
  original: string
}

/** Of one message: each is a row of its own. */
const MOST_REPORTS = 50

/** Characters of all reports of a message. Each repeats the lines that they share, which could make it fifty times more. */
const MOST_TEXT = 32 * 1024 ** 2

/** All reports of a message, or everything that is wrong with them: if one cannot be understood, none is taken. */
export function readReports(segments: Segment[], sender: Hl7Sender, at: Date): Report[] | { problems: Problem[] } {
  const groups = groupsOf(segments)
  const problems: Problem[] = []
  const found = (code: Problem['code'], pointer: string, detail: string) => problems.push({ code, pointer, detail })
  if (sender.id === '') found('required', 'MSH-4', 'Name the sender in MSH-4 or MSH-3.')
  if (groups.length === 0) found('required', 'OBR-1', 'There is no report in it: no OBR.')
  if (groups.length > MOST_REPORTS) found('tooBig', 'OBR-1', `There are more than ${MOST_REPORTS} reports in it.`)
  else if (groups.reduce((sum, group) => sum + lengthOf(group), 0) > MOST_TEXT)
    found('tooBig', 'OBR-1', 'The lines that all reports share are too long: send the reports one by one.')
  if (problems.length > 0) return { problems }
  const controlId = segments[0]!.at(10)
  const read = groups.map((group, i) => readReport(group, idOf(controlId, i + 1), sender, at))
  const wrong = read.flatMap((report) => ('problems' in report ? report.problems : []))
  return wrong.length > 0 ? { problems: wrong } : (read as Report[])
}

function readReport(group: Group, id: string, sender: Hl7Sender, at: Date): Report | { problems: Problem[] } {
  const { message, problems } = messageOf(group, id, sender)
  // A problem in terms of HL7 says more than what follows from it.
  if (problems.length > 0) return { problems }
  const parsed = parse(ResultMessage, message)
  if (!parsed.ok) return parsed
  const wrong = checkMessage(parsed.value, at)
  return wrong.length > 0 ? { problems: wrong } : { message: parsed.value, original: originalOf(group.segments) }
}

/** The first report has the message's own id, unless that could be taken for another report of another message. */
const idOf = (controlId: string, place: number) =>
  place === 1 && !/#\d+$/.test(controlId) ? controlId : `${controlId}#${place}`

const lengthOf = ({ segments }: Group) => segments.reduce((sum, { line }) => sum + line.length, 0)
