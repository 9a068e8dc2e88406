import type { TestService } from '../support/service.ts'
import { OPERATOR } from '../support/operator.ts'

let messages = 0

/** A unique control id. */
export const controlId = () => `MSG${String((messages += 1)).padStart(6, '0')}`

interface Report {
  id?: string
  /** OBR-2. */
  code?: string
  /** OBR-4. */
  panel?: string
  /** OBR-25. */
  status?: string
  /** Segments after OBR. */
  lines?: string[]
}

export const header = (id = controlId(), type = 'ORU^R01^ORU_R01') =>
  String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|NORTH|20260302150405+0000||${type}|${id}|P|2.5.1`

export const obr = ({ code = '', panel = '', status = 'F' }: Report = {}) =>
  `OBR|1|${code}|ACC-77|${panel}|||20260301101500+0000|||||||20260302090000+0000||||||||20260302143000+0000|||${status}`

export const PID = 'PID|1||900001^^^NORTH^MR||Lopez^Maria^^^^^L||19900307|F'

export const NEGATIVE = 'OBX|1|CWE|OVERALL^OVERALL RESULT^L||260385009^Negative^SCT||||||F'

/** A segment with a unique specimen. */
export const spm = () => `SPM|1|CCF-${(messages += 1)}`

/** An ORU^R01 with one report, by default a final negative. */
export function oru({ id, lines = [NEGATIVE], ...report }: Report = {}): string {
  return [header(id), PID, obr(report), ...lines, ''].join('\r')
}

interface Posted {
  secret?: string | null
  type?: string
}

/** A parsed ACK. */
export interface Acked {
  status: number
  type: string | null
  text: string
  /** The fields of MSH, MSA and the first ERR by number. */
  msh: string[]
  msa: string[]
  err: string[][]
}

/** Posts a message with the laboratory's or another token. */
export async function post(
  { origin }: TestService,
  message: string | Uint8Array<ArrayBuffer>,
  { secret = OPERATOR, type = 'application/hl7-v2' }: Posted = {},
): Promise<Acked> {
  const answer = await fetch(`${origin}/api/operator/v1/results`, {
    method: 'POST',
    headers: { ...(secret !== null && { authorization: `Bearer ${secret}` }), 'content-type': type },
    body: message,
  })
  return { status: answer.status, type: answer.headers.get('content-type'), ...readAck(await answer.text()) }
}

export function readAck(text: string): Omit<Acked, 'status' | 'type'> {
  const segments = text.split('\r').map((line) => line.split('|'))
  const named = (name: string) => segments.filter(([first]) => first === name)
  const [msh = []] = named('MSH')
  // In the standard, the delimiter itself is the first field of MSH.
  return { text, msh: [msh[0] ?? '', '|', ...msh.slice(1)], msa: named('MSA')[0] ?? [], err: named('ERR') }
}

/** Summarises an answer: `400 AE OBR-25 …`, with the reasons. */
export const toldBy = ({ status, msa, err }: Acked) =>
  [status, msa[1], ...err.map((fields) => fields[8])].join(' ').trim()

/** The report stored under this control id. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages of every shape
export async function keptAs(service: TestService, id: string): Promise<any> {
  const [row] = await service.pool<{ tenantId: string; id: string }[]>`
    select tenant_id as "tenantId", id from result_reports where message_id = ${id}`
  return row && (await service.store.results.read(row.tenantId, row.id))!.content
}
