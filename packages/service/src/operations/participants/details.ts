import { DETAILS, type Detail, type FieldError, type Note, type Values } from '@order-testing/pages'
import { hasBackground } from '../../domain/orders/scheduling.ts'
import type { Order } from '../../domain/orders/order.ts'
import { askedOf, contactOf, readDetails } from '../../domain/participants/form.ts'
import { bookingOf, complete, visitsOf } from '../../domain/participants/stage.ts'
import { bookingStep, makeBooking, stepAgain, type Form } from './booking.ts'
import { change, orderView, type Shown, type Visit } from './visit.ts'

/** What servers, proxies and browsers all take in an address. */
const LONGEST_DRAFT = 6_000

/** Until all is said, and said right, there is nothing else to see. */
export async function detailsStep(visit: Visit, asked: Form, note?: Note): Promise<Shown> {
  const { order, now } = visit
  const typed = asked.draft === undefined ? undefined : typedIn(asked.draft, visit)
  if (asked.step === undefined || asked.draft === undefined) {
    return detailsPage(visit, typed ?? contactOf(order), [], note === 'lost' ? note : undefined)
  }
  if (!typed) return detailsPage(visit, contactOf(order), [], 'lost')
  const details = readDetails(typed, order, now)
  if (Array.isArray(details)) return detailsPage(visit, typed, details)
  const isAsked = asked.step === 'details' || !choosesNow(order)
  return isAsked ? detailsPage(visit, typed, []) : bookingStep(visit, asked, details)
}

/** Takes details to the next step, or back to what is wrong with them. Nothing is kept before the participant has finished. */
export async function fillIn(visit: Visit, form: Form): Promise<Shown> {
  const { order, tx, tenantId, now } = visit
  const details = readDetails(form, order, now)
  const isRight = !Array.isArray(details)
  if (isRight && !choosesNow(order)) return change(visit, complete(order, details, bookingOf(order), now), 'complete')
  const typed = detailsIn(form)
  const draft = tx.drafts.seal(typed, { tenantId, orderId: order.id }, now)
  if (draft.length <= LONGEST_DRAFT) return stepAgain({ step: isRight ? 'clinics' : 'details', draft })
  return detailsPage(visit, typed, isRight ? [{ field: longestIn(typed), fault: 'tooLong' }] : details)
}

/** The last step, with all that was entered before: it is checked again in full. */
export async function finish(visit: Visit, form: Form): Promise<Shown> {
  const { order, now } = visit
  const typed = form.draft === undefined ? undefined : typedIn(form.draft, visit)
  if (!typed) return { page: 'own', note: 'lost' }
  const details = readDetails(typed, order, now)
  const isReady = !Array.isArray(details) && choosesNow(order)
  return isReady ? makeBooking(visit, form, details) : stepAgain({ step: 'details', draft: form.draft })
}

/** Whether a clinic is still to be chosen. */
const choosesNow = (order: Order) => visitsOf(order).length > 0 && !bookingOf(order)

const typedIn = (draft: string, { tx, tenantId, order, now }: Visit): Values | undefined =>
  tx.drafts.open(draft, { tenantId, orderId: order.id }, now)

const detailsIn = (form: Form) =>
  Object.fromEntries(DETAILS.flatMap((name) => (form[name] ? [[name, form[name]]] : []))) as Record<Detail, string>

const longestIn = (typed: Record<Detail, string>) =>
  DETAILS.toSorted((a, b) => (typed[b]?.length ?? 0) - (typed[a]?.length ?? 0))[0]!

function detailsPage(visit: Visit, values: Values, errors: FieldError[], note?: Note): Shown {
  const { order } = visit
  const { birthDate, identifier } = askedOf(order)
  return {
    page: 'details',
    view: {
      ...orderView(visit),
      asksBirthDate: birthDate,
      asksIdentifier: identifier,
      hasBackground: hasBackground(order.services),
      visit: choosesNow(order) ? 'choose' : visitsOf(order).length > 0 ? 'booked' : 'none',
      values,
      errors,
      note,
    },
  }
}
