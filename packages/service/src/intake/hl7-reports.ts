import { parse, type Problem } from '@order-testing/contract'
import { ResultMessage } from '@order-testing/contract/operator'
import { problemAt } from '../domain/refusal.ts'
import { checkReport } from '../domain/results/apply.ts'
import { composeOriginal } from './hl7-document.ts'
import type { Group } from './hl7-groups.ts'
import { mapReport } from './hl7-mapping.ts'
import type { Hl7Sender } from './hl7-sender.ts'

/** A valid report, and its text. */
export interface Hl7Report {
  report: ResultMessage
  original: string
}

/** In one message. */
const MOST_REPORTS = 50

/** In characters, of all reports of a message together: each repeats the lines that they share. */
const MOST_TEXT = 32 * 1024 ** 2

/** Reads all reports of a message, or returns everything that is wrong: one invalid report makes the message invalid. */
export function readReports(groups: Group[], sender: Hl7Sender, at: Date): Hl7Report[] | { problems: Problem[] } {
  const problems: Problem[] = []
  const found = (code: Problem['code'], pointer: string, detail: string) =>
    problems.push(problemAt(pointer, code, detail))
  if (sender.id === '') found('required', 'MSH-4', 'Name the sender in MSH-4 or MSH-3.')
  if (groups.length === 0) found('required', 'OBR-1', 'The message contains no report (OBR).')
  if (groups.length > MOST_REPORTS) found('tooBig', 'OBR-1', `The message contains more than ${MOST_REPORTS} reports.`)
  else if (groups.flatMap(({ segments }) => segments).reduce((sum, { line }) => sum + line.length, 0) > MOST_TEXT)
    found('tooBig', 'OBR-1', 'The reports are too long together. Send them in separate messages.')
  if (problems.length > 0) return { problems }
  const read = groups.map((group, i) => readReport(group, reportIdOf(group.header.at(10), i + 1), sender, at))
  const wrong = read.flatMap((report) => ('problems' in report ? report.problems : []))
  return wrong.length > 0 ? { problems: wrong } : (read as Hl7Report[])
}

function readReport(group: Group, id: string, sender: Hl7Sender, at: Date): Hl7Report | { problems: Problem[] } {
  const { report, problems } = mapReport(group, id, sender)
  // Problems of the HL7 explain more than the schema problems that follow from them.
  if (problems.length > 0) return { problems }
  const parsed = parse(ResultMessage, report)
  if (!parsed.ok) return parsed
  const wrong = checkReport(parsed.value, at)
  return wrong.length > 0 ? { problems: wrong } : { report: parsed.value, original: composeOriginal(group.segments) }
}

/** The first report has the control id itself, unless that looks like the id of a later report. */
const reportIdOf = (controlId: string, place: number) =>
  place === 1 && !/#\d+$/.test(controlId) ? controlId : `${controlId}#${place}`
