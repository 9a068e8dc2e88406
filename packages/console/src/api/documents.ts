import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

export const documentsQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['documents', orderId],
    queryFn: ({ signal }) => api.call('listOrderDocuments', { params: { id: orderId } }, { signal }),
    staleTime: 30_000,
  })

/** Recorded by the service. */
export const readOrderDocument = (id: string, documentId: string) =>
  api.call('readOrderDocument', { params: { id, documentId } })

/** The address of a read-only page, for a few minutes. Recorded by the service. */
export const viewAsParticipant = (id: string) => api.call('viewAsParticipant', { params: { id } })
