import { makeId } from '../../domain/ids.ts'
import type { Draft } from '../../domain/participants/draft.ts'
import { addNote, noteOf } from '../../domain/participants/help.ts'
import { auditEntry } from '../audit/audit.ts'
import { requiredAgreements } from './agreements.ts'
import type { Form } from './booking.ts'
import { seal, type Filling } from './filling.ts'
import { redirect, type LinkResponse } from './session.ts'

/** What happens if the participant does not agree, or that they have told us so. */
export async function showDecline(filling: Filling): Promise<LinkResponse> {
  const what = declinable(filling)
  if (!what) return redirect()
  const { tx, tenantId, order } = filling.session
  const open = await tx.helpRequests.findOpen(tenantId, order.id)
  const declinedAt = open?.reason === 'declined' ? open.createdAt : null
  return { page: 'decline', view: { order: filling.order, what, declinedAt } }
}

/** Puts the order before an operator. It stays open, and the participant can come back and agree. */
export async function submitDecline(filling: Filling, form: Form): Promise<LinkResponse> {
  const what = declinable(filling)
  if (!what) return redirect()
  const { tx, tenantId, order, now, random, recipient } = filling.session
  const id = makeId('hlp', now, random.bytes)
  const said = { place: null, miles: null, note: noteOf(form.helpNote) }
  const open = await tx.helpRequests.readOpen(tenantId, order.id)
  const details = open ? addNote(open.details, said) : said
  const request = { tenantId, id, orderId: order.id, recipient, reason: 'declined' as const, createdAt: now, details }
  await tx.helpRequests.put(request)
  const audited = { action: `${recipient}.decline`, subject: { type: 'order', id: order.id } }
  const actor = { caller: { tenantId, tokenId: recipient }, now: () => now, random }
  await tx.audit.append([auditEntry({ ...audited, after: { helpRequestId: id, declined: what } }, actor)])
  const draft = seal(withdraw(filling.draft, what), filling.session)
  return { ...redirect({ step: 'decline' }), ...(draft !== undefined && { draft }) }
}

/** What may be declined now: nothing before the details are complete, and never the notice of a regulated test. */
function declinable({ session: { order }, next }: Filling): 'consent' | 'authorization' | null {
  const { check, isBackground } = requiredAgreements(order)
  const isAtCheck = next === 'check' || !isBackground
  if (next === 'you' || next === 'contact' || next === 'address') return null
  if (isAtCheck) return check === 'consent' ? 'consent' : null
  return 'authorization'
}

function withdraw(draft: Draft, what: 'consent' | 'authorization'): Draft {
  const { [what]: _withdrawn, ...agreed } = draft.agreed
  const { fault: _fault, ...rest } = draft
  return { ...rest, agreed }
}
