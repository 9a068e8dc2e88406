import { DETAILS, type Detail, type FieldError, type Note, type Values } from '@order-testing/pages'
import { openBookingOf, servicesToAttend } from '../../domain/bookings/bookings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { hasBackground } from '../../domain/orders/scheduling.ts'
import { findMissingDetails, readDetails, toContactValues } from '../../domain/participants/form.ts'
import { completeByLink } from '../../domain/participants/stage.ts'
import { bookingStep, redirectToStep, submitBooking, type Form } from './booking.ts'
import { presentOrderView, redirect, saveChange, type LinkResponse, type LinkSession } from './session.ts'

/** Servers, proxies and browsers all accept addresses of this length. */
const LONGEST_DRAFT = 6_000

/** Shows the form until it is complete and valid, then the choice of a clinic. */
export async function detailsStep(session: LinkSession, query: Form, note?: Note): Promise<LinkResponse> {
  const { order, now } = session
  const values = query.draft === undefined ? undefined : openDraft(query.draft, session)
  if (query.step === undefined || query.draft === undefined) {
    return showDetails(session, values ?? toContactValues(order), [], note === 'lost' ? note : undefined)
  }
  if (!values) return showDetails(session, toContactValues(order), [], 'lost')
  const details = readDetails(values, order, now)
  if (Array.isArray(details)) return showDetails(session, values, details)
  const isForm = query.step === 'details' || !needsClinic(order)
  return isForm ? showDetails(session, values, []) : bookingStep(session, query, details)
}

/** Leads from valid details to the next step, else back to the form. Nothing is saved before the last step. */
export async function submitDetails(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { order, tx, tenantId, now } = session
  const details = readDetails(form, order, now)
  const isValid = !Array.isArray(details)
  if (isValid && !needsClinic(order))
    return saveChange(session, completeByLink(order, details, openBookingOf(order), now), 'complete')
  const values = pickDetails(form)
  const draft = tx.drafts.seal(values, { tenantId, orderId: order.id }, now)
  if (draft.length <= LONGEST_DRAFT) return redirectToStep({ step: isValid ? 'clinics' : 'details', draft })
  return showDetails(session, values, isValid ? [{ field: longestField(values), fault: 'tooLong' }] : details)
}

/** The last step. Checks all details again. */
export async function submitCompletion(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { order, now } = session
  const values = form.draft === undefined ? undefined : openDraft(form.draft, session)
  if (!values) return redirect({ note: 'lost' })
  const details = readDetails(values, order, now)
  const isReady = !Array.isArray(details) && needsClinic(order)
  return isReady ? submitBooking(session, form, details) : redirectToStep({ step: 'details', draft: form.draft })
}

const needsClinic = (order: Order) => servicesToAttend(order).length > 0 && !openBookingOf(order)

const openDraft = (draft: string, { tx, tenantId, order, now }: LinkSession): Values | undefined =>
  tx.drafts.open(draft, { tenantId, orderId: order.id }, now)

const pickDetails = (form: Form) =>
  Object.fromEntries(DETAILS.flatMap((name) => (form[name] ? [[name, form[name]]] : []))) as Record<Detail, string>

const longestField = (values: Record<Detail, string>) =>
  DETAILS.toSorted((a, b) => (values[b]?.length ?? 0) - (values[a]?.length ?? 0))[0]!

async function showDetails(
  session: LinkSession,
  values: Values,
  errors: FieldError[],
  note?: Note,
): Promise<LinkResponse> {
  const { order } = session
  const { birthDate, identifier } = findMissingDetails(order)
  return {
    page: 'details',
    view: {
      ...(await presentOrderView(session)),
      asksBirthDate: birthDate,
      asksIdentifier: identifier,
      hasBackground: hasBackground(order.services),
      clinic: needsClinic(order) ? 'choose' : servicesToAttend(order).length > 0 ? 'booked' : 'none',
      values,
      errors,
      note,
    },
  }
}
