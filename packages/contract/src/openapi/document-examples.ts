import { finishedOrder, order } from './examples.ts'
import { documentId } from './result-examples.ts'

export { order } from './examples.ts'
export { documentId } from './result-examples.ts'

export const orderDocuments = {
  object: 'orderDocuments',
  data: [
    {
      id: documentId,
      object: 'orderDocument',
      kind: 'result',
      name: 'Result.pdf',
      contentType: 'application/pdf',
      from: 'northfold-mro',
      at: '2026-03-02T15:14:05.678Z',
      hiddenFor: null,
      url: `/api/operator/v1/orders/${finishedOrder.id}/documents/${documentId}`,
    },
  ],
} as const

export const participantView = {
  object: 'participantView',
  orderId: order.id,
  url: '/participant-views/AQx4dG9vLWxvbmctdG8tc2hvdw',
  expiresAt: '2026-03-02T15:45:05.678Z',
} as const
