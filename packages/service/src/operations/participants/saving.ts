import type { Order, Participant } from '../../domain/orders/order.ts'
import { withEmail } from '../../domain/participants/contact.ts'
import { changeWithRecord } from '../orders/change.ts'
import { recordAgreements, requiredAgreements } from './agreements.ts'
import { markDevice } from './devices.ts'
import { redirect, type LinkResponse, type LinkSession } from './session.ts'

/** Saves the changed order with its event, and an audit entry that names the recipient in place of a token. */
export async function saveChange(
  session: LinkSession,
  after: Order,
  action: 'complete' | 'saveDetails' | 'book' | 'cancelBooking',
): Promise<LinkResponse> {
  const { recipient, tx, tenantId, order, language, now, random, trace } = session
  if (after === order) return redirect()
  // Later notifications use the language in which the participant finished a form.
  const saved = language && recipient === 'participant' ? { ...after, language } : after
  const details = action === 'complete' ? await recordAgreements(session) : {}
  await changeWithRecord(
    { before: order, after: saved },
    { action: `${recipient}.${action}`, details },
    { caller: { tenantId, tokenId: recipient }, tx, now: () => now, random, trace },
  )
  const device = recipient === 'participant' ? markDevice({ tx, tenantId, order, now }) : undefined
  return { ...redirect(), ...(action === 'complete' && { draft: '' }), ...(device && { device }) }
}

/** Saves a changed e-mail address with a signature: the copy of what was signed goes there, even if no clinic is booked. */
export async function saveEmail(session: LinkSession, { email }: Participant): Promise<LinkSession> {
  const { recipient, tx, tenantId, order, now, random, trace } = session
  const after = requiredAgreements(order).isBackground ? withEmail(order, email, now) : order
  if (after === order) return session
  const context = { caller: { tenantId, tokenId: recipient }, tx, now: () => now, random, trace }
  const saved = await changeWithRecord({ before: order, after }, { action: `${recipient}.saveDetails` }, context)
  return { ...session, order: saved }
}
