import type { Fields, Language, Notice, NoticeView } from '@order-testing/pages'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Recipient } from '../../domain/orders/order.ts'
import { brandFrom } from '../../domain/participants/brand.ts'
import { stageOf } from '../../domain/participants/stage.ts'
import { fold } from '../../domain/text.ts'
import type { Transaction } from '../../store/store.ts'
import { findZone } from '../orders/zones.ts'
import { showDone } from './done.ts'
import { isIdentified } from './identity.ts'
import { hasOthers, presentBrand, type LinkResponse, type LinkSession, type ParticipantContext } from './session.ts'

interface SessionOptions {
  tx: Transaction
  context: ParticipantContext
  /** Of another order of the same requester. */
  code?: string | undefined
  language?: Language
  marks?: Fields | undefined
  /** Locks the order, so that concurrent changes run one after the other. */
  isLocking: boolean
}

/** Finds the order of a link. A guessed secret takes the same path and gets the same answer as an unknown one. */
export async function openSession(secret: string, options: SessionOptions): Promise<LinkSession | LinkResponse> {
  const { tx, context, code, language, marks = {}, isLocking } = options
  const now = context.now()
  const link = await tx.links.find(hashSecret(secret))
  if (!link) return notice('wrongLink', 404)
  const { tenantId, orderId: id, recipient } = link
  if (link.expiresAt <= now || link.revokedAt !== null) {
    const brand = brandFrom({ name: link.tenant }, { ...link, companyBranding: null })
    return notice('expiredLink', 410, recipient, { brand, expiresAt: null, timezone: null })
  }
  const name = code === undefined ? { id } : await findNamed(code, link, tx)
  if (!name) return notice('wrongLink', 404)
  const order = isLocking
    ? (await tx.orders.lockNamed([{ tenantId, ...name }])).at(0)?.at(0)
    : await tx.orders.find(tenantId, name.id)
  if (!order) return notice('wrongLink', 404)
  const stage = stageOf(order, now, recipient)
  const zone = await findZone(order, { tx, tenantId })
  const { random, trace } = context
  const session = { recipient, tx, tenantId, order, stage, zone, language, marks, now, random, trace }
  const mayBeDone = stage === 'finished' && recipient === 'participant'
  return (await showEnd(session, { isIdentified: mayBeDone && (await isIdentified(session)) })) ?? session
}

/** What is shown where there is nothing to do; undefined if there is something. */
export async function showEnd(
  session: LinkSession,
  { isIdentified: mayKnow }: { isIdentified: boolean },
): Promise<LinkResponse | undefined> {
  const { stage, recipient } = session
  const done = stage === 'finished' && mayKnow ? await showDone(session) : undefined
  if (done) return done
  const isOver = stage === 'cancelled' || stage === 'expired' || stage === 'missed'
  if (isOver || stage === 'waiting' || stage === 'finished')
    return notice(stage, isOver ? 410 : 200, recipient, await presentEnd(session))
  return undefined
}

/** The order that a link was sent for; undefined if the link is unknown or has expired. */
export async function openLinked(secret: string, { tx, now }: { tx: Transaction; now: Date }) {
  const link = await tx.links.find(hashSecret(secret))
  const isOpen = link && link.expiresAt > now && link.revokedAt === null
  const order = isOpen ? await tx.orders.find(link.tenantId, link.orderId) : undefined
  return link && order && { ...link, order }
}

/** Another order of the same requester, who got the link. */
async function findNamed(
  code: string,
  { tenantId, orderId, recipient }: { tenantId: string; orderId: string; recipient: Recipient },
  tx: Transaction,
): Promise<{ id: string } | undefined> {
  const linked = recipient === 'requester' ? await tx.orders.find(tenantId, orderId) : undefined
  const named = linked && (await tx.orders.findByCode(tenantId, code))
  const isTheirs = named && fold(named.requester.email) === fold(linked.requester.email)
  return isTheirs && !(await tx.links.isClosed(tenantId, named.id)) ? { id: named.id } : undefined
}

/** What a notice says about an order. */
async function presentEnd(session: LinkSession): Promise<NoticeView['about']> {
  const { order, stage, zone } = session
  const { brand } = await presentBrand(session)
  const endedAt = stage === 'cancelled' ? order.statusUpdatedAt : null
  return { brand, expiresAt: order.expiresAt, timezone: zone, endedAt, hasOthers: await hasOthers(session) }
}

const notice = (
  which: Notice,
  status: 200 | 404 | 410,
  reader: Recipient = 'participant',
  about?: NoticeView['about'],
): LinkResponse => ({ page: 'notice', notice: which, reader, status, about })
