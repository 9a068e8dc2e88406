import type { Words } from '../languages/en.ts'

interface Report {
  messageId: string
  orderCode: string | null
  specimenId: string | null
}

/** What a report is known by: the specimen or order that it names, or the id that its sender gave it. */
export function titleOfReport({ specimenId, orderCode, messageId }: Report, { results }: Words): string {
  if (specimenId !== null) return `${results.names['specimenId']} ${specimenId}`
  return orderCode === null ? `${results.messageId} ${messageId}` : `${results.names['orderCode']} ${orderCode}`
}
