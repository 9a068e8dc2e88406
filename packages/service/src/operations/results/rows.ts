import { createHash } from 'node:crypto'
import type { QueueReason } from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import type { MessageKey, NewResult, ResultContent, ResultRow } from '../../store/results/results.ts'
import type { Context } from '../operation.ts'

/** What a row is made of: a message, or as much of one as was understood. */
export interface Said extends Omit<ResultContent, 'message'> {
  message: ResultContent['message']
  context: Context
}

interface Outcome {
  why?: QueueReason | null
  orderId?: string | null
  serviceId?: string | null
  /** Where it is not kept under its own. */
  messageId?: string
}

/** A message as it is kept: applied, or queued where there is a reason to. */
export function newRow(said: Said, { why = null, orderId = null, serviceId = null, messageId }: Outcome): NewResult {
  const { message, original, problems, context } = said
  const { now, random } = context
  const at = now()
  const { documents = [], ...rest } = 'event' in message ? message : { ...message, documents: [] }
  return {
    ...keyOf(said),
    ...(messageId !== undefined && { messageId }),
    id: makeId('rsl', at, random.bytes),
    senderKind: message.sender.kind,
    senderId: message.sender.id,
    state: why === null ? 'applied' : 'queued',
    why,
    contentHash: hashOf(said),
    event: 'event' in message ? message.event : 'unknown',
    orderId,
    serviceId,
    occurredAt: 'event' in message ? new Date(message.occurredAt) : at,
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

/** Without what it says. */
export const rowOf = ({ content: _, documents: __, contentHash: ___, ...row }: NewResult): ResultRow => ({
  ...row,
  settledAt: null,
  settledBy: null,
})

export const keyOf = ({ message, context: { caller } }: Pick<Said, 'message' | 'context'>): MessageKey => ({
  tenantId: caller.tenantId,
  tokenId: caller.tokenId,
  messageId: message.messageId,
})

/** What a message says, in short; the store keeps it under a key. */
export const hashOf = ({ message }: Pick<Said, 'message'>) =>
  createHash('sha256').update(JSON.stringify(message)).digest()
