import type { FieldError, Note } from '@order-testing/pages'
import { openBookingOf } from '../../domain/bookings/bookings.ts'
import {
  errorsOn,
  fillPage,
  hasSameValues,
  isOutdated,
  lastSaved,
  neededPages,
  withoutIdentifier,
  type AgreementKind,
  type Draft,
} from '../../domain/participants/draft.ts'
import { fieldsOf, PAGE_NAMES, type DetailPage } from '../../domain/participants/detail-fields.ts'
import { readDetails } from '../../domain/participants/form.ts'
import { checkSignature, LONGEST_NAME } from '../../domain/participants/signature.ts'
import { completeByLink } from '../../domain/participants/stage.ts'
import { localTime } from '../../domain/places/zones.ts'
import { findShown, recordSigned, requiredAgreements, toRows } from './agreements.ts'
import { bookingStep, submitBooking, type Form } from './booking.ts'
import { showDecline, submitDecline } from './decline.ts'
import { showAuthorization, showCheck, showDisclosure, showPage } from './detail-views.ts'
import {
  findNext,
  isBeyond,
  isShowable,
  needsClinic,
  openFilling,
  seal,
  STEPS,
  type DetailStep,
  type Filling,
} from './filling.ts'
import { saveChange, saveEmail } from './saving.ts'
import { redirect, type LinkResponse, type LinkSession } from './session.ts'

/** Shows a step if those before it are done, else the first that is not. */
export async function detailsStep(session: LinkSession, query: Form, note?: Note): Promise<LinkResponse> {
  const { filling, isLost } = await openFilling(session, query.draft)
  const { next } = filling
  if (query.step === 'decline') return showDecline(filling)
  // The link itself shows the first page, also to somebody who goes back to it.
  const first = neededPages(session.order)[0] ?? 'check'
  const step = query.step === 'details' ? 'check' : (query.step ?? first)
  const wanted = STEPS.find((each) => each === step)
  const shown = wanted && isShowable(wanted, filling, query.edit) ? wanted : next
  const isTooFar = wanted === undefined || isBeyond(wanted, next)
  const missed = query.draft === undefined ? 'cookies' : undefined
  const isKept = note === 'cookies' || (note === 'elsewhere' && lastSaved(filling.draft) > 0)
  const told = isLost ? 'lost' : isTooFar ? missed : isKept ? note : undefined
  if (shown !== null) return showStep(filling, shown, query.edit, told)
  if (!needsClinic(session.order)) return showCheck(filling)
  return bookingStep(session, { ...query, draft: KEPT }, detailsOf(filling))
}

/** Says that there is a draft, without passing it on to a page. */
const KEPT = 'kept'

/** Takes a step into the draft and leads to the next, or shows the step again. Nothing is saved before the last step. */
export async function submitDetails(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { filling } = await openFilling(session, form.draft)
  // The disclosure has no field but its button.
  const [step, shown = form.shown] = (form.step ?? '').split(':')
  const page = PAGE_NAMES.find((each) => each === step)
  if (page) return submitPage(filling, page, form)
  // The language switch only keeps what was typed.
  if (form.lang !== undefined) return keepDraft(filling, withSignature(filling.draft, form), step)
  if (step === 'decline') return submitDecline(filling, form)
  if (filling.next !== null && PAGE_NAMES.some((each) => each === filling.next)) return redirect({ step: filling.next })
  if (step === 'check') return submitCheck(filling, form, shown)
  if (step === 'disclosure') return agree(filling, 'disclosure', shown)
  if (step === 'authorization') return submitAuthorization(filling, form, shown)
  return redirect()
}

/** The last step. Checks everything again. */
export async function submitCompletion(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { filling, isLost } = await openFilling(session, form.draft)
  if (form.draft === undefined || isLost) return redirect({ note: isLost ? 'lost' : 'cookies' })
  const { next } = filling
  if (next !== null || !needsClinic(session.order)) return redirect({ step: next ?? 'check' })
  return submitBooking(withAgreements(filling), { ...form, draft: undefined }, detailsOf(filling))
}

function showStep(
  filling: Filling,
  step: DetailStep,
  edit: string | undefined,
  note: Note | undefined,
): LinkResponse | Promise<LinkResponse> {
  if (step === 'check') return showCheck(filling, note)
  if (step === 'disclosure') return showDisclosure(filling)
  if (step === 'authorization') return showAuthorization(filling)
  const { draft, session } = filling
  return showPage(filling, step, { errors: errorsOn(step, draft, session.order, session.now), edit, note })
}

/** Without `edit` and `lang`, which only keep what was typed, the page is checked. */
function submitPage(filling: Filling, page: DetailPage, form: Form): LinkResponse {
  const { session } = filling
  const { order, now } = session
  const isSent = form.edit === undefined && form.lang === undefined
  const filled = fillPage(filling.draft, page, form, { order, isSent, now })
  if (isOutdated(form.seen, lastSaved(filling.draft, page)) && !hasSameValues(filled, filling.draft))
    return redirect({ step: page, note: 'elsewhere' })
  const draft = form.edit === 'identifier' ? withoutIdentifier(filled) : filled
  const isRight = isSent && errorsOn(page, draft, order, now).length === 0
  const sealed = seal(draft, session)
  if (sealed !== undefined) {
    const step = isRight ? (findNext(draft, session, filling.texts) ?? 'check') : page
    return { ...redirect({ step }), draft: sealed }
  }
  const field = longestField(page, draft)
  return showPage({ ...filling, draft }, page, { errors: [{ field, fault: 'tooLong' }] })
}

const longestField = (page: DetailPage, { values }: Draft): FieldError['field'] =>
  fieldsOf(page).toSorted((a, b) => (values[b]?.length ?? 0) - (values[a]?.length ?? 0))[0]!

/** Confirms the details; consent, where it is asked for, must have been ticked. */
function submitCheck(filling: Filling, form: Form, shown: string | undefined): LinkResponse | Promise<LinkResponse> {
  const { check } = requiredAgreements(filling.session.order)
  if (isOutdated(form.seen, lastSaved(filling.draft))) return redirect({ step: 'check', note: 'elsewhere' })
  if (check === 'consent' && form.consent !== 'yes')
    return keepDraft(filling, { ...filling.draft, fault: { field: 'consent', fault: 'missing' } }, 'check')
  const checked = { ...filling, draft: { ...filling.draft, isChecked: true } }
  return check === null ? advance(checked) : agree(checked, check, shown)
}

function submitAuthorization(
  filling: Filling,
  form: Form,
  shown: string | undefined,
): LinkResponse | Promise<LinkResponse> {
  const { session, draft, next } = filling
  if (next !== null && next !== 'authorization') return redirect({ step: next })
  const name = form.signature?.trim() ?? ''
  const fault = checkSignature(name, session.order.participant)
  if (fault)
    return keepDraft(filling, { ...withSignature(draft, form), fault: { field: 'signature', fault } }, 'authorization')
  return agree(filling, 'authorization', shown, { name, date: localTime(session.now, session.zone).date })
}

const withSignature = (draft: Draft, { signature }: Form): Draft =>
  signature === undefined ? draft : { ...draft, signature: signature.slice(0, LONGEST_NAME) }

/** Records the answer to the text that was shown. A text that has changed meanwhile is shown again. */
function agree(
  filling: Filling,
  kind: AgreementKind,
  hash: string | undefined,
  signature: { name: string; date: string } | Record<string, never> = {},
): LinkResponse | Promise<LinkResponse> {
  const { session, draft, texts } = filling
  const text = findShown(hash, texts[kind])
  if (!text) return redirect({ step: kind === 'notice' || kind === 'consent' ? 'check' : kind })
  const given = { hash: text.hash, language: text.language, at: session.now.getTime(), ...signature }
  const { signature: _typed, fault: _fault, ...rest } = draft
  return advance({ ...filling, draft: { ...rest, agreed: { ...draft.agreed, [kind]: given } } })
}

/** Leads to the next step. Who has agreed to everything has not declined; who needs no clinic is done. */
async function advance(filling: Filling): Promise<LinkResponse> {
  const { session, draft, texts } = filling
  const { order, tx, tenantId, now } = session
  const next = findNext(draft, session, texts)
  if (next !== null) return keepDraft(filling, draft, next)
  await tx.helpRequests.endDeclined(tenantId, order.id, now)
  if (needsClinic(order)) {
    await recordSigned(await saveEmail(withAgreements(filling), detailsOf(filling)))
    return keepDraft(filling, draft, 'clinics')
  }
  const completed = completeByLink(order, detailsOf(filling), openBookingOf(order), now)
  return saveChange(withAgreements(filling), completed, 'complete')
}

/** A draft that fits with its details also fits with its agreements, but for a very long name. */
function keepDraft({ session }: Filling, draft: Draft, step: string | undefined): LinkResponse {
  const sealed = seal(draft, session)
  return sealed === undefined ? redirect({ step: 'check' }) : { ...redirect({ step }), draft: sealed }
}

const withAgreements = ({ session, draft, texts }: Filling): LinkSession => ({
  ...session,
  agreements: toRows(draft, texts, session),
})

function detailsOf({ draft, session: { order, now } }: Filling) {
  const details = readDetails(draft.values, order, now)
  if (Array.isArray(details)) throw new Error('The draft has not been checked.')
  return details
}
