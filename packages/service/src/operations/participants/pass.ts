import type { CatalogSettings } from '@order-testing/contract'
import type { LifeView } from '@order-testing/pages'
import { canChooseClinic } from '../../domain/bookings/bookings.ts'
import { elapse } from '../../domain/orders/life.ts'
import { lifeOf } from '../../domain/participants/life.ts'
import { canCancelBooking, canRebook, nameOfBooking } from '../../domain/participants/stage.ts'
import { findOwnClinic, presentClinic } from './clinics.ts'
import { maskDelivery } from './masking.ts'
import { presentOrderView, settingsOf, type LinkSession } from './session.ts'
import type { ZonedPass } from './views.ts'

/** The booking as its pages show it. */
export async function presentPass(session: LinkSession): Promise<ZonedPass> {
  const { order, now, recipient, tx, tenantId } = session
  const isOpen = canRebook(order, now, recipient)
  const own = await findOwnClinic(order, session)
  return {
    ...(await presentOrderView(session)),
    clinic: own ? presentClinic(own, order, session) : null,
    appointmentAt: order.appointmentAt,
    isArrival: order.isArrival ?? false,
    isOpen,
    choosesClinic: canChooseClinic(order, recipient),
    isCancellable: canCancelBooking(order, now, recipient),
    booking: nameOfBooking(order),
    isClinicOff: isOpen && own?.isOff === true,
    sentTo: isOpen ? maskDelivery(order) : undefined,
    life: await presentLife(session),
    wallets: isOpen && recipient === 'participant' ? await tx.wallets.kinds(tenantId) : [],
  }
}

/** What happened since check-in, with whom to ask. */
async function presentLife(session: LinkSession): Promise<LifeView | undefined> {
  const life = session.recipient === 'participant' ? lifeOf(elapse(session.order, session.now)) : undefined
  if (!life) return undefined
  const { der, reviewer } = await settingsOf(session)
  return { ...life, reviewer: toContact(reviewer), representative: toContact(der) }
}

const toContact = (person: CatalogSettings['der']) =>
  person ? { name: person.name, phone: person.phone ?? null, email: person.email ?? null } : null
