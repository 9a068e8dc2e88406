import type * as contract from '@order-testing/contract/operator'
import { addressesOf } from '../../domain/notifications/addresses.ts'
import { isStillRelevant, type PersonKind } from '../../domain/notifications/plan.ts'
import { makeId } from '../../domain/ids.ts'
import { parseReference } from '../../domain/orders/code.ts'
import type { Order, Recipient } from '../../domain/orders/order.ts'
import { normalisePhone } from '../../domain/phones.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation, type Random } from '../operation.ts'
import { changeWithRecord } from '../orders/change.ts'
import { presentNotification } from './notifications.ts'

/** Sends a new link to the contact of the order, or to a new one, which ends the links that the old one got. */
export const sendLink: Operation<typeof contract.sendLink> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now } = context
    const { recipient = 'participant', contact, revoke = contact !== undefined, reason } = body
    const before = await lockOrder(params.id, tx, context)
    const after = contact && recipient === 'participant' ? { ...before, delivery: deliveryTo(contact, before) } : before
    if (contact && recipient === 'requester')
      throw refuse('invalidValue', 'Only the contact of the participant can be changed.', '/contact')
    const order =
      after === before
        ? before
        : await changeWithRecord({ before, after }, { action: 'order.contact', reason }, { ...context, tx })
    const kind = kindFor(recipient)
    const at = now()
    if (!isStillRelevant({ kind, refersTo: null }, order, at))
      throw refuse('invalidState', `Order ${order.code} is ${order.status}: a link has nothing to offer any more.`)
    await refuseSuppressed(kind, order, tx, caller.tenantId)
    const revoked = revoke ? await tx.links.revoke(caller.tenantId, order.id, { recipient, at }) : 0
    // The person who gets a link from an operator may answer again.
    await tx.wrongAnswers.forget({ tenantId: caller.tenantId, orderId: order.id })
    const id = await queueLink({ tenantId: caller.tenantId, order, recipient, at }, tx, context.random)
    const subject = { type: 'order', id: order.id }
    const states = { after: { recipient, revoked, messageId: id } }
    await tx.audit.append([auditEntry({ action: 'order.link', subject, reason, ...states }, context)])
    const message = presentNotification((await tx.notifications.read(caller.tenantId, id))!, order, caller)
    return ok({ object: 'orderLinks', orderId: order.id, revoked, message })
  })

export const revokeLinks: Operation<typeof contract.revokeLinks> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const order = await lockOrder(params.id, tx, context)
    const revoked = await tx.links.revoke(context.caller.tenantId, order.id, { recipient: null, at: context.now() })
    const subject = { type: 'order', id: order.id }
    await tx.audit.append([auditEntry({ action: 'order.revokeLinks', subject, after: { revoked } }, context)])
    return ok({ object: 'orderLinks', orderId: order.id, revoked, message: null })
  })

interface NewLink {
  tenantId: string
  order: Order
  recipient: Recipient
  at: Date
}

/** How long to wait before another link can be asked for on the page. */
const PAUSE_MS = 3_600_000

/** Sends a new link to somebody who has only an old one: to the contact on file, at most once per hour. */
export async function requestLink(link: NewLink, tx: Transaction, random: Random): Promise<void> {
  const { tenantId, order, recipient, at } = link
  const kind = kindFor(recipient)
  const since = new Date(at.getTime() - PAUSE_MS)
  if (!isStillRelevant({ kind, refersTo: null }, order, at)) return
  if (await tx.sentNotifications.wasQueuedSince(tenantId, order.id, { kind, since })) return
  await queueLink(link, tx, random)
}

async function queueLink(
  { tenantId, order, recipient, at }: NewLink,
  tx: Transaction,
  random: Random,
): Promise<string> {
  const id = makeId('msg', at, random.bytes)
  const channel = recipient === 'requester' ? 'email' : order.delivery.type
  const planned = { kind: kindFor(recipient), channel, dueAt: at, refersTo: null } as const
  await tx.notifications.queue([{ ...planned, tenantId, id, orderId: order.id, tokenId: null, createdAt: at }])
  return id
}

const kindFor = (recipient: Recipient): PersonKind & ('linkAgain' | 'clinicLinkAgain') =>
  recipient === 'requester' ? 'clinicLinkAgain' : 'linkAgain'

async function lockOrder(reference: string, tx: Transaction, { caller }: Context): Promise<Order> {
  const id = orNotFound(await tx.orders.findId(caller, parseReference(reference)))
  return orNotFound(await tx.orders.lockVisible(caller, id))
}

type Contact = { type: 'email'; to: string } | { type: 'mobile'; phone: string }

function deliveryTo(contact: Contact, { delivery }: Order): Order['delivery'] {
  if (contact.type === 'email') return { ...contact, cc: delivery.type === 'email' ? delivery.cc : [] }
  const phone = normalisePhone(contact.phone)
  if (phone === null) throw refuse('invalidFormat', 'Expected a phone number such as +16305550142.', '/contact/phone')
  return { type: 'mobile', phone }
}

async function refuseSuppressed(kind: PersonKind, order: Order, tx: Transaction, tenantId: string): Promise<void> {
  const channel = kind === 'clinicLinkAgain' ? 'email' : order.delivery.type
  if (await tx.suppressions.has({ tenantId, channel }, addressesOf(kind, order).to))
    throw refuse(
      'invalidState',
      'The address is on the suppression list. Give another contact, or remove the suppression.',
    )
}
