import type * as contract from '@order-testing/contract/operator'
import { lastInitial } from '../../domain/masks.ts'
import { parseReference } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { stageOf } from '../../domain/participants/stage.ts'
import { TICKET_LIFETIME_MS, UNBOUND_LIFETIME_MS } from '../../store/participants/view-tickets.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Operation } from '../operation.ts'
import { findZone } from '../orders/zones.ts'
import { showEnd } from './opening.ts'
import { showStep, type LinkQuery } from './page.ts'
import type { LinkResponse, LinkSession, ParticipantContext } from './session.ts'

export const viewAsParticipant: Operation<typeof contract.viewAsParticipant> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now } = context
    const order = orNotFound(await tx.orders.findVisible(caller, parseReference(params.id)))
    const subject = { type: 'order', id: order.id }
    await tx.audit.append([auditEntry({ action: 'order.viewAsParticipant', subject }, context)])
    const sessionId = caller.user?.sessionId ?? null
    const expiresAt = new Date(now().getTime() + (sessionId === null ? UNBOUND_LIFETIME_MS : TICKET_LIFETIME_MS))
    const ticket = tx.viewTickets.seal({ tenantId: caller.tenantId, orderId: order.id, sessionId, expiresAt })
    const url = `${VIEW_PATH}/${ticket}`
    return {
      status: 201,
      body: { object: 'participantView', orderId: order.id, url, expiresAt: expiresAt.toISOString() },
    }
  })

/** Where a ticket shows the page. */
export const VIEW_PATH = '/participant-views'

/**
 * The page as the participant sees it on a known device, without noting that a link was opened and without the last name.
 * Undefined without a valid ticket, and in another session than that of the person who asked for it.
 */
export function openView(
  { ticket, sessionId, query }: { ticket: string; sessionId: string | undefined; query: LinkQuery },
  context: ParticipantContext,
): Promise<LinkResponse | undefined> {
  return context.store.snapshot(async (tx) => {
    const found = tx.viewTickets.open(ticket, context.now())
    if (!found || (found.sessionId !== null && found.sessionId !== sessionId)) return undefined
    const order = await tx.orders.find(found.tenantId, found.orderId)
    if (!order) return undefined
    const session = masked(await viewingSession(order, found.tenantId, { tx, context }))
    return (await showEnd(session, { isIdentified: true })) ?? showStep(session, query, undefined)
  })
}

/** Shows the name as the console does: the operator need not know it to help. */
function masked(session: LinkSession): LinkSession {
  const { participant } = session.order
  const named = { ...participant, middleName: null, lastName: lastInitial(participant.lastName) }
  return { ...session, order: { ...session.order, participant: named } }
}

/** The session of a participant whose device is known. */
export async function viewingSession(
  order: Order,
  tenantId: string,
  { tx, context }: { tx: Transaction; context: ParticipantContext },
): Promise<LinkSession> {
  const now = context.now()
  return {
    recipient: 'participant',
    tx,
    tenantId,
    order,
    stage: stageOf(order, now, 'participant'),
    zone: await findZone(order, { tx, tenantId }),
    language: undefined,
    marks: {},
    now,
    random: context.random,
  }
}
