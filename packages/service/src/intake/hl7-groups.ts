import { Hl7Rejection } from './hl7-rejection.ts'
import type { Segment } from './hl7.ts'

/** The segments of one report: an OBR and its observations. */
export interface Group {
  header: Segment
  patient: Segment | undefined
  order: Segment | undefined
  request: Segment
  observations: Segment[]
  specimens: Segment[]
  notes: Segment[]
  /** All lines of the report, including those that the reports of the message share. */
  segments: Segment[]
}

/** Splits a message into reports. Each belongs to the last patient before it. */
export function groupSegments([header, ...rest]: Segment[]): Group[] {
  const groups: Group[] = []
  /** Segments before the first patient, of the patient, and before the next OBR. */
  const common = [header!]
  let about: Segment[] = []
  let before: Segment[] = []
  let patient: Segment | undefined
  let current: Group | undefined
  for (const segment of rest) {
    const { name } = segment
    if (isContinued(segment))
      throw new Hl7Rejection(100, `Continued messages (${name}) are not supported. Send the whole message at once.`)
    if (name === 'PID') [patient, current, about, before] = [segment, undefined, [segment], []]
    else if (name === 'ORC') [current, before] = [undefined, [segment]]
    else if (name === 'OBR') {
      const order = before.find((each) => each.name === 'ORC')
      const segments = [...common, ...about, ...before, segment]
      const lists = { observations: [], specimens: [], notes: [], segments }
      current = { header: header!, patient, order, request: segment, ...lists }
      before = []
      groups.push(current)
    } else if (current) {
      current.segments.push(segment)
      if (name === 'OBX') current.observations.push(segment)
      if (name === 'SPM') current.specimens.push(segment)
      if (name === 'NTE') current.notes.push(segment)
    } else if (name === 'OBX' || name === 'SPM')
      throw new Hl7Rejection(100, `Segment ${name} comes before the first OBR.`)
    else (before.length > 0 ? before : patient ? about : common).push(segment)
  }
  return groups
}

const isContinued = (segment: Segment) => segment.name === 'ADD' || (segment.name === 'DSC' && segment.at(1) !== '')
