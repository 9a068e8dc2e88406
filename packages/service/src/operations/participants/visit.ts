import type {
  ClinicsView,
  DetailsView,
  Fields,
  Language,
  Note,
  Notice,
  OrderView,
  PassView,
  TimeView,
} from '@order-testing/pages'
import { makeId } from '../../domain/ids.ts'
import type { Order, Recipient } from '../../domain/orders/order.ts'
import { stageOf, type Stage } from '../../domain/participants/stage.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Transaction } from '../../store/store.ts'
import { changeOrders } from '../orders/change.ts'
import type { Context } from '../operation.ts'
import { stateOf } from '../orders/operator-view.ts'

/** What a participant or requester gets to see. */
export type Shown =
  | { page: 'notice'; notice: Notice; reader: Recipient; status: 200 | 404 | 410 }
  | { page: 'details'; view: DetailsView }
  | { page: 'clinics'; view: ClinicsView }
  | { page: 'time'; view: TimeView }
  | { page: 'pass' | 'booking' | 'cancel'; view: PassView }
  /** Something was done, or is no longer to be done: what there is to see now is at the page's own address. */
  | { page: 'own'; note?: Note | undefined }
  /** A step that can be come back to: it has an address, with what it is asked with. */
  | { page: 'step'; asked: Fields }

export type ParticipantContext = Pick<Context, 'store' | 'now' | 'random'>

/** An order whose participant or requester is there, within one transaction. */
export interface Visit {
  visitor: Recipient
  tx: Transaction
  tenantId: string
  order: Order
  stage: Stage
  language: Language | undefined
  now: Date
  random: ParticipantContext['random']
}

interface Entrance {
  tx: Transaction
  context: ParticipantContext
  /** Of the pages. */
  language?: Language
  /** For who comes to change something: two who do so at once come one after the other. */
  isLocking: boolean
  /** Whose links open it: unless more is said, the participant's alone. */
  visitors?: readonly Recipient[]
}

/** Finds the order of a link. Whatever was guessed is looked up just the same, and answered with the same words. */
export async function enter(secret: string, entrance: Entrance): Promise<Visit | Shown> {
  const { tx, context, language, isLocking, visitors = ['participant'] } = entrance
  const now = context.now()
  const link = await tx.links.find(hashSecret(secret))
  if (!link || !visitors.includes(link.recipient)) return notice('wrongLink', 404)
  const { tenantId, orderId: id, recipient: visitor } = link
  if (link.expiresAt <= now) return notice('expiredLink', 410, visitor)
  const order = isLocking
    ? (await tx.orders.lockNamed([{ tenantId, id }])).at(0)?.at(0)
    : await tx.orders.whole(tenantId, id)
  if (!order) return notice('wrongLink', 404)
  const stage = stageOf(order, now, visitor)
  if (stage === 'cancelled' || stage === 'expired' || stage === 'missed') return notice(stage, 410, visitor)
  if (stage === 'waiting' || stage === 'finished') return notice(stage, 200, visitor)
  return { visitor, tx, tenantId, order, stage, language, now, random: context.random }
}

/** Writes what the visitor did, with its one event, and who it was, in place of the token that others act by. */
export async function change(
  { visitor, tx, tenantId, order, language, now, random }: Visit,
  after: Order,
  deed: 'complete' | 'book' | 'cancelBooking',
): Promise<Shown> {
  if (after !== order) {
    // A participant who finishes something in a language understands it: from now on messages speak it.
    const spoken = language && visitor === 'participant' ? { ...after, language } : after
    await changeOrders([{ tenantId, before: order, after: spoken }], tx, random)
    await tx.audit.append([
      {
        tenantId,
        id: makeId('aud', now, random.bytes),
        at: now,
        tokenId: visitor,
        action: `${visitor}.${deed}`,
        subjectType: 'order',
        subjectId: order.id,
        reason: null,
        before: stateOf(order),
        // Nothing is completed without it, and somebody may have to prove that later.
        after: { ...stateOf(after), ...(deed === 'complete' && { consent: true }) },
      },
    ])
  }
  return { page: 'own' }
}

export const orderView = ({ visitor, order: { company, participant, services, expiresAt } }: Visit): OrderView => ({
  reader: visitor,
  company: company.name,
  name: [participant.firstName, participant.middleName, participant.lastName].filter(Boolean).join(' '),
  services: services.filter(({ status }) => status !== 'cancelled').map(({ name }) => name),
  expiresAt,
})

const notice = (which: Notice, status: 200 | 404 | 410, reader: Recipient = 'participant'): Shown => ({
  page: 'notice',
  notice: which,
  reader,
  status,
})
