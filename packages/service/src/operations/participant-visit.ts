import type { ClinicsView, DetailsView, Language, Notice, OrderView, PassView, TimeView } from '@order-testing/web'
import { makeId } from '../domain/ids.ts'
import type { Order } from '../domain/orders.ts'
import { stageOf, type Stage } from '../domain/participation.ts'
import { hashSecret } from '../domain/tokens.ts'
import type { Transaction } from '../store/store.ts'
import { changeOrders } from './change-order.ts'
import type { Context } from './operation.ts'
import { stateOf } from './operator-order-presenter.ts'

/** What a participant gets to see. */
export type Shown =
  | { page: 'notice'; notice: Notice; status: 200 | 404 | 410 }
  | { page: 'details'; view: DetailsView }
  | { page: 'clinics'; view: ClinicsView }
  | { page: 'time'; view: TimeView }
  | { page: 'pass' | 'cancel'; view: PassView }
  /** Something was done: what there is to see now is at the page's own address. */
  | { page: 'own' }

export type ParticipantContext = Pick<Context, 'store' | 'now' | 'random'>

/** An order whose participant is there, within one transaction. */
export interface Visit {
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
}

/** Finds the order of a link. Whatever was guessed is looked up just the same, and answered with the same words. */
export async function enter(secret: string, { tx, context, language, isLocking }: Entrance): Promise<Visit | Shown> {
  const now = context.now()
  const link = await tx.links.find(hashSecret(secret))
  if (!link) return notice('wrongLink', 404)
  if (link.expiresAt <= now) return notice('expiredLink', 410)
  const { tenantId, orderId: id } = link
  const order = isLocking
    ? (await tx.orders.lockNamed([{ tenantId, id }])).at(0)?.at(0)
    : await tx.orders.whole(tenantId, id)
  if (!order) return notice('wrongLink', 404)
  const stage = stageOf(order, now)
  if (stage === 'cancelled' || stage === 'expired' || stage === 'missed') return notice(stage, 410)
  if (stage === 'waiting' || stage === 'finished') return notice(stage, 200)
  return { tx, tenantId, order, stage, language, now, random: context.random }
}

/** In the trail, in place of the token that others act by. */
const PARTICIPANT = 'participant'

/** Writes what the participant did, with its one event, and that it was the participant who did so. */
export async function change(
  { tx, tenantId, order, language, now, random }: Visit,
  after: Order,
  deed: 'complete' | 'book' | 'cancelBooking',
): Promise<Shown> {
  if (after !== order) {
    // Whoever finishes something in a language understands it: from now on messages speak it.
    const spoken = language ? { ...after, language } : after
    await changeOrders([{ tenantId, before: order, after: spoken }], tx, random)
    await tx.audit.note([
      {
        tenantId,
        id: makeId('aud', now, random.bytes),
        at: now,
        tokenId: PARTICIPANT,
        action: `${PARTICIPANT}.${deed}`,
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

export const orderView = ({ company, participant, services, expiresAt }: Order): OrderView => ({
  company: company.name,
  name: [participant.firstName, participant.middleName, participant.lastName].filter(Boolean).join(' '),
  services: services.filter(({ status }) => status !== 'cancelled').map(({ name }) => name),
  expiresAt,
})

const notice = (which: Notice, status: 200 | 404 | 410): Shown => ({ page: 'notice', notice: which, status })
