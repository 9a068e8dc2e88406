import { createHash } from 'node:crypto'
import type { QueueReason } from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import type { NewResult, ReportKey, ResultContent, ResultRow } from '../../store/results/results.ts'
import type { Context } from '../operation.ts'

/** A report, or as much of it as was understood. */
export interface RowSource extends Omit<ResultContent, 'message'> {
  report: ResultContent['message']
  context: Context
}

interface Outcome {
  why?: QueueReason | null
  orderId?: string | null
  serviceId?: string | null
  /** Replaces the id of the report. */
  messageId?: string
}

/** The row of a report: queued if there is a reason, else applied. */
export function newRow(
  source: RowSource,
  { why = null, orderId = null, serviceId = null, messageId }: Outcome,
): NewResult {
  const { report, original, problems, context } = source
  const { now, random } = context
  const at = now()
  const { documents = [], ...rest } = 'event' in report ? report : { ...report, documents: [] }
  return {
    ...reportKeyOf(source),
    ...(messageId !== undefined && { messageId }),
    id: makeId('rsl', at, random.bytes),
    senderKind: report.sender.kind,
    senderId: report.sender.id,
    state: why === null ? 'applied' : 'queued',
    why,
    contentHash: hashReport(source),
    event: 'event' in report ? report.event : 'unknown',
    orderId,
    serviceId,
    occurredAt: 'event' in report ? new Date(report.occurredAt) : at,
    receivedAt: at,
    content: { message: rest, original, problems },
    documents: documents.map(({ name, contentType, content }) => ({
      id: makeId('doc', at, random.bytes),
      name,
      contentType,
      bytes: Buffer.from(content, 'base64'),
    })),
  }
}

/** Leaves out the content. */
export const toResultRow = ({ content: _, documents: __, contentHash: ___, ...row }: NewResult): ResultRow => ({
  ...row,
  settledAt: null,
  settledBy: null,
})

export const reportKeyOf = ({ report, context: { caller } }: Pick<RowSource, 'report' | 'context'>): ReportKey => ({
  tenantId: caller.tenantId,
  tokenId: caller.tokenId,
  messageId: report.messageId,
})

/** Identifies the content of a report. The store keeps only a keyed code of it. */
export const hashReport = ({ report }: Pick<RowSource, 'report'>) =>
  createHash('sha256').update(JSON.stringify(report)).digest()
