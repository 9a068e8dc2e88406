import { createHash } from 'node:crypto'
import type { Problem } from '@order-testing/contract'
import { problemAt } from '../domain/refusal.ts'
import { valueTypeOf } from './hl7-outcome.ts'
import { truncate } from './hl7-text.ts'
import type { Segment } from './hl7.ts'

/** `%PDF` in Base64. */
const PDF = 'JVBERi'

/** The PDF in an observation of type ED, or a problem if it is none. */
export function readDocument(obx: Segment, number: number, problems: Problem[]): object[] {
  const value = obx.values(5)[0]
  const content = value?.whole(5).replaceAll(/\s+/g, '') ?? ''
  if (!value || content === '') return []
  const isBase64 = value.at(4).toUpperCase() === 'BASE64'
  if (!isBase64 || (!/pdf/i.test(value.at(3)) && !content.startsWith(PDF))) {
    problems.push(problemAt(`OBX(${number})-5`, 'invalidValue', 'Documents must be PDF in Base64.'))
    return []
  }
  const name = truncate(obx.at(3, 2) || obx.at(3) || 'document', 255)
  return [{ name, contentType: 'application/pdf', content }]
}

/** The lines of a report as they came, without its documents, which are stored separately. */
export const composeOriginal = (segments: Segment[]) => segments.map(withoutDocument).join('\r')

function withoutDocument(segment: Segment): string {
  if (segment.name !== 'OBX' || valueTypeOf(segment) !== 'ED') return segment.line
  const data = segment.values(5)[0]?.raw(5) ?? ''
  // The hash keeps a report with another document from passing for a repeat.
  const hash = createHash('sha256').update(data).digest('hex')
  return data === '' ? segment.line : segment.line.replace(data, () => `(kept as a document, sha256 ${hash})`)
}
