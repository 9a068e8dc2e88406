import { isClosed } from '../../domain/orders/statuses.ts'
import { findProvider } from './agreements.ts'
import { presentOrderView, type LinkResponse, type LinkSession } from './session.ts'

/** What a participant sees who has authorized a background check and needs no clinic; undefined if nothing was authorized. */
export async function showDone(session: LinkSession): Promise<LinkResponse | undefined> {
  const { tx, tenantId, order } = session
  const agreements = await tx.agreements.ofOrder(tenantId, order.id)
  const authorization = agreements.findLast(({ kind }) => kind === 'authorization')
  if (!authorization) return undefined
  const isRunning = order.services.some(({ status }) => !isClosed(status))
  const shown = await presentOrderView(session)
  const provider = await findProvider(session, shown.brand.tenant)
  return { page: 'done', view: { order: shown, provider, authorizedAt: authorization.agreedAt, isRunning } }
}
