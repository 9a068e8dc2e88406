import type { Segment } from './hl7.ts'
import { Hl7Rejection } from './hl7-rejection.ts'

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
  let [common, about, before]: Segment[][] = [[header!], [], []]
  let patient: Segment | undefined
  let current: Group | undefined
  for (const segment of rest) {
    const { name } = segment
    if (isContinued(segment))
      throw new Hl7Rejection(100, `Continued messages (${name}) are not supported. Send the whole message at once.`)
    if (name === 'PID') [patient, current, about, before] = [segment, undefined, [segment], []]
    else if (name === 'ORC') [current, before] = [undefined, [segment]]
    else if (name === 'OBR') {
      current = newGroup({
        header: header!,
        patient,
        request: segment,
        shared: [...common!, ...about!],
        before: before!,
      })
      before = []
      groups.push(current)
    } else if (current) addTo(current, segment)
    else if (name === 'OBX' || name === 'SPM')
      throw new Hl7Rejection(100, `Segment ${name} comes before the first OBR.`)
    else (before!.length > 0 ? before! : patient ? about! : common!).push(segment)
  }
  return groups
}

const isContinued = (segment: Segment) => segment.name === 'ADD' || (segment.name === 'DSC' && segment.at(1) !== '')

interface Start {
  header: Segment
  patient: Segment | undefined
  request: Segment
  shared: Segment[]
  before: Segment[]
}

function newGroup({ header, patient, request, shared, before }: Start): Group {
  const order = before.find(({ name }) => name === 'ORC')
  const segments = [...shared, ...before, request]
  return { header, patient, order, request, observations: [], specimens: [], notes: [], segments }
}

function addTo(group: Group, segment: Segment): void {
  const { observations, specimens, notes } = group
  const kinds: Record<string, Segment[]> = { OBX: observations, SPM: specimens, NTE: notes }
  if (Object.hasOwn(kinds, segment.name)) kinds[segment.name]!.push(segment)
  group.segments.push(segment)
}
