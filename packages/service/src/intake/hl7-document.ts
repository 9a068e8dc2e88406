import { createHash } from 'node:crypto'
import type { Problem } from '@order-testing/contract'
import type { Segment } from './hl7.ts'
import { typeOf } from './hl7-outcome.ts'
import { cut } from './hl7-text.ts'

/** How base64 of a PDF begins. */
const PDF = 'JVBERi'

/** What an observation of type ED brings, where it is a PDF in base64. */
export function documentOf(obx: Segment, number: number, problems: Problem[]): object[] {
  const value = obx.values(5)[0]
  const content = value?.whole(5).replaceAll(/\s+/g, '') ?? ''
  if (!value || content === '') return []
  const isBase64 = value.at(4).toUpperCase() === 'BASE64'
  if (!isBase64 || (!/pdf/i.test(value.at(3)) && !content.startsWith(PDF))) {
    problems.push({ code: 'invalidValue', pointer: `OBX(${number})-5`, detail: 'Only PDF in Base64 is taken.' })
    return []
  }
  const name = cut(obx.at(3, 2) || obx.at(3) || 'document', 255)
  return [{ name, contentType: 'application/pdf', content }]
}

/** The lines of a report as they came, but for documents, which are kept apart. */
export function originalOf(segments: Segment[]): string {
  return segments.map((segment) => withoutDocument(segment)).join('\r')
}

function withoutDocument(segment: Segment): string {
  if (segment.name !== 'OBX' || typeOf(segment) !== 'ED') return segment.line
  const data = segment.values(5)[0]?.raw(5) ?? ''
  // With its hash, so that another document is not taken for a repeat.
  const hash = createHash('sha256').update(data).digest('hex')
  return data === '' ? segment.line : segment.line.replace(data, () => `(kept as a document, sha256 ${hash})`)
}
