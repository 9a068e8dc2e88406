import { createHash } from 'node:crypto'
import type { ErrorCode, Problem } from '@order-testing/contract'
import { Hl7Rejection } from './hl7-rejection.ts'
import { formatHl7Time } from './hl7-time.ts'
import type { Segment } from './hl7.ts'

export interface Ack {
  /** Table 0008: accepted, content in error, or message rejected. */
  code: 'AA' | 'AE' | 'AR'
  /** The header of the message, if it could be read. */
  header: Segment | undefined
  at: Date
  /** The control id of the answer, the same for a repeat. */
  id: string
  text: string
  problems?: readonly (Problem | Hl7Rejection)[]
}

/** MSH-13 to MSH-17. */
const NOT_USED = ['', '', '', '', '']

/** ERR segments in one answer. */
const MOST_ERRORS = 20

/** Writes the answer to a message, with the standard delimiters. */
export function writeAck({ code, header, at, id, text, problems = [] }: Ack): Buffer {
  const of = (field: number, component = 1) => escape(header?.at(field, component) ?? '', 255)
  const party = (field: number) =>
    [1, 2, 3]
      .map((part) => of(field, part))
      .join('^')
      .replace(/\^+$/, '')
  const message = ['ACK^R01^ACK', escape(id), of(11) || 'P', of(12) || '2.5.1']
  const segments = [
    [
      'MSH',
      String.raw`^~\&`,
      ...[5, 6, 3, 4].map(party),
      formatHl7Time(at),
      '',
      ...message,
      ...NOT_USED,
      'UNICODE UTF-8',
    ],
    ['MSA', code, of(10), escape(text, 500)],
    ...problems.slice(0, MOST_ERRORS).map((each) => errorSegment(each)),
  ]
  return Buffer.from(segments.map((fields) => `${fields.join('|')}\r`).join(''))
}

/** The id of an answer to a message that is not stored: the same bytes get the same id. */
export const refusalId = (bytes: Buffer) => `nak_${createHash('sha256').update(bytes).digest('hex').slice(0, 26)}`

/** ERR of version 2.5: location, code of table 0357, severity and text. */
function errorSegment(problem: Problem | Hl7Rejection): string[] {
  const { code, location, detail } =
    problem instanceof Hl7Rejection
      ? { code: problem.code, location: '', detail: problem.message }
      : { code: CODES[problem.code] ?? 102, ...locate(problem) }
  return ['ERR', '', location, `${code}^${MEANINGS[code]}^HL70357`, 'E', '', '', '', escape(detail, 500)]
}

const MEANINGS: Record<number, string> = {
  100: 'Segment sequence error',
  101: 'Required field missing',
  102: 'Data type error',
  103: 'Table value not found',
  200: 'Unsupported message type',
  201: 'Unsupported event code',
  202: 'Unsupported processing id',
  203: 'Unsupported version id',
  207: 'Application internal error',
}

const CODES: Partial<Record<ErrorCode, number>> = { required: 101, invalidValue: 103 }

/** The HL7 fields that the members of a report come from. */
const PLACES: Record<string, string> = {
  '/messageId': 'MSH-10',
  '/sender': 'MSH-4',
  '/match/panel': 'OBR-4',
  '/match/specimenId': 'SPM-2',
  '/match': 'OBR-2',
  '/participant/birthDate': 'PID-7',
  '/participant': 'PID-5',
  '/event': 'OBR-25',
  '/corrected': 'OBR-25',
  '/occurredAt': 'OBR-22',
  '/specimen/collectedAt': 'SPM-17',
  '/specimen/receivedAt': 'SPM-18',
  '/specimen': 'SPM-2',
  '/reason': 'NTE-3',
  '/result': 'OBX-5',
  '/analytes': 'OBX-5',
  '/documents': 'OBX-5',
}

/** Pointers are HL7 fields, `OBX(2)-5`, or members of the report that was made of them. */
function locate({ pointer = '', detail }: Problem): { location: string; detail: string } {
  const place = PLACES[Object.keys(PLACES).find((member) => pointer.startsWith(member)) ?? ''] ?? pointer
  const [, segment, number = '1', field] = /^([A-Z][A-Z0-9]{2})(?:\((\d+)\))?-(\d+)$/.exec(place) ?? []
  if (segment === undefined) return { location: '', detail }
  return { location: `${segment}^${number}^${field}`, detail: `${segment}-${field}: ${detail}` }
}

const ESCAPES: Record<string, string> = { '\\': 'E', '|': 'F', '^': 'S', '&': 'T', '~': 'R', '\n': '.br' }

function escape(text: string, most = 100): string {
  const shown = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return shown.replaceAll(/[\\|^&~\n]/g, (sign) => `\\${ESCAPES[sign]!}\\`).replaceAll(/\p{Cc}/gu, '')
}
