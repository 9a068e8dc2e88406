import type { HelpView } from '@order-testing/pages'
import { makeId } from '../../domain/ids.ts'
import type { Participant } from '../../domain/orders/order.ts'
import { readDetails } from '../../domain/participants/form.ts'
import { addNote, canAskForHelp, readHelp, saveDetails } from '../../domain/participants/help.ts'
import { maskEmail } from '../../domain/masks.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Form } from './form.ts'
import { maskPhone } from './masking.ts'
import { saveChange } from './saving.ts'
import { presentOrderView, redirect, type LinkResponse, type LinkSession } from './session.ts'

/** The page that asks what is in the way, or says that the request was sent. */
export async function helpStep(session: LinkSession, query: Form): Promise<LinkResponse> {
  const { order, tx, tenantId, recipient, stage } = session
  if (!canAskForHelp(order)) return redirect()
  const open = await tx.helpRequests.findOpen(tenantId, order.id)
  const { email, phone } = recipient === 'requester' ? order.requester : contactsOf(session, query)
  const view: HelpView = {
    order: await presentOrderView(session),
    sentAt: open && open.reason !== 'declined' ? open.createdAt : null,
    email: email && maskEmail(email),
    phone: phone && maskPhone(phone),
    canEdit: stage === 'details',
    place: query.place?.trim() ?? '',
  }
  return { page: 'help', view }
}

/** Whether the person who opened the link waits for an answer. */
export async function hasAskedForHelp({ order, tx, tenantId, recipient }: LinkSession): Promise<boolean> {
  if (!canAskForHelp(order)) return false
  const open = await tx.helpRequests.findOpen(tenantId, order.id)
  return open?.recipient === recipient && open.reason !== 'declined'
}

/** Keeps what was entered so far, and puts the order before an operator with the reason. */
export async function askForHelp(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { recipient, tx, tenantId, order, now, random } = session
  if (!canAskForHelp(order)) return redirect()
  const { reason, details: said } = readHelp(form)
  const open = await tx.helpRequests.readOpen(tenantId, order.id)
  const details = open ? addNote(open.details, said) : said
  const participant = filledIn(session, form)
  // From now on there are details on file, which this device may see.
  const saved = participant && (await saveChange(session, saveDetails(order, participant, now), 'saveDetails'))
  const id = makeId('hlp', now, random.bytes)
  await tx.helpRequests.put({ tenantId, id, orderId: order.id, recipient, reason, createdAt: now, details })
  const audited = { action: `${recipient}.askForHelp`, subject: { type: 'order', id: order.id } }
  const actor = { caller: { tenantId, tokenId: recipient }, now: () => now, random }
  await tx.audit.append([auditEntry({ ...audited, after: { helpRequestId: id, reason } }, actor)])
  return { ...(saved?.page === 'redirect' ? saved : redirect()), query: { step: 'help' } }
}

/** The participant with the details of the draft, if they are complete and right. */
function filledIn({ recipient, stage, tx, tenantId, order, now }: LinkSession, form: Form): Participant | null {
  if (recipient !== 'participant' || stage !== 'details' || form.draft === undefined) return null
  const draft = tx.drafts.open(form.draft, { tenantId, orderId: order.id }, now)
  const details = draft && readDetails(draft.values, order, now)
  return !details || Array.isArray(details) ? null : details
}

function contactsOf(session: LinkSession, form: Form): { email: string | null; phone: string | null } {
  const { participant, delivery } = session.order
  const { email, phone } = filledIn(session, form) ?? participant
  return {
    email: email ?? (delivery.type === 'email' ? delivery.to : null),
    phone: phone ?? (delivery.type === 'mobile' ? delivery.phone : null),
  }
}
