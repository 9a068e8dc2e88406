import { hashSecret } from '../../domain/access/tokens.ts'
import type { Transaction } from '../../store/store.ts'
import { requestLink } from '../notifications/links.ts'
import type { LinkResponse, ParticipantContext } from './session.ts'

/** Sends a new link to the contact on file. The answer is the same whether or not the link was ever one of ours. */
export async function askForLink(secret: string, tx: Transaction, context: ParticipantContext): Promise<LinkResponse> {
  const link = await tx.links.find(hashSecret(secret))
  if (link) {
    const { tenantId, orderId, recipient } = link
    // Locked, so that of two requests one finds the notification of the other.
    const [order] = (await tx.orders.lockNamed([{ tenantId, id: orderId }])).at(0) ?? []
    if (order) await requestLink({ tenantId, order, recipient, at: context.now() }, tx, context.random)
  }
  return { page: 'notice', notice: 'newLink', status: 200 }
}
