import type { OrderView } from '@order-testing/pages'
import { makeId } from '../../domain/ids.ts'
import type { Participant } from '../../domain/orders/order.ts'
import { readDetails } from '../../domain/participants/form.ts'
import {
  canAskForHelp,
  readHelp,
  saveDetails,
  type HelpFields,
  type HelpReason,
} from '../../domain/participants/help.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Form } from './form.ts'
import {
  openSession,
  presentOrderView,
  redirect,
  saveChange,
  type LinkResponse,
  type LinkSession,
  type ParticipantContext,
} from './session.ts'

/** The page on which somebody asks for help finding a clinic, or reads that the request was sent. */
export interface HelpView {
  order: OrderView & { zone: string }
  code: string
  /** The open request; null before there is one. */
  sent: { at: Date; reason: HelpReason } | null
  /** Where the person who asks can be reached, to be masked. */
  email: string | null
  phone: string | null
  place: string
  draft: string | undefined
}

type HelpForm = Form & HelpFields

/** Opens the page of a link that asks for help. Reading changes nothing. */
export function openHelp(
  { secret, query }: { secret: string; query: HelpForm },
  context: ParticipantContext,
): Promise<LinkResponse | { page: 'help'; view: HelpView }> {
  return context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, isLocking: false })
    if ('page' in session) return session
    const { order, tenantId, recipient } = session
    if (!canAskForHelp(order)) return redirect()
    const open = await tx.helpRequests.findOpen(tenantId, order.id)
    const { email, phone } = recipient === 'requester' ? order.requester : contactsOf(session, query)
    const view: HelpView = {
      order: await presentOrderView(session),
      code: order.code,
      sent: open ? { at: open.createdAt, reason: open.reason } : null,
      email,
      phone,
      place: query.place?.trim() ?? '',
      draft: undefined,
    }
    return { page: 'help', view }
  })
}

/** Keeps what was entered so far, and puts the order before an operator with the reason. */
export async function askForHelp(session: LinkSession, form: HelpForm): Promise<LinkResponse> {
  const { recipient, tx, tenantId, order, now, random } = session
  if (!canAskForHelp(order)) return redirect()
  const { reason, details } = readHelp(form)
  const participant = filledIn(session, form)
  if (participant) await saveChange(session, saveDetails(order, participant, now), 'saveDetails')
  const id = makeId('hlp', now, random.bytes)
  await tx.helpRequests.put({ tenantId, id, orderId: order.id, recipient, reason, createdAt: now, details })
  const audited = { action: `${recipient}.askForHelp`, subject: { type: 'order', id: order.id } }
  const actor = { caller: { tenantId, tokenId: recipient }, now: () => now, random }
  await tx.audit.append([auditEntry({ ...audited, after: { helpRequestId: id, reason } }, actor)])
  return redirect({ step: 'help' })
}

/** The participant with the details of the draft, if they are complete and right. */
function filledIn({ recipient, stage, tx, tenantId, order, now }: LinkSession, form: HelpForm): Participant | null {
  if (recipient !== 'participant' || stage !== 'details' || form.draft === undefined) return null
  const draft = tx.drafts.open(form.draft, { tenantId, orderId: order.id }, now)
  const details = draft && readDetails(draft.values, order, now)
  return !details || Array.isArray(details) ? null : details
}

function contactsOf(session: LinkSession, form: HelpForm): { email: string | null; phone: string | null } {
  const { participant, delivery } = session.order
  const { email, phone } = filledIn(session, form) ?? participant
  return {
    email: email ?? (delivery.type === 'email' ? delivery.to : null),
    phone: phone ?? (delivery.type === 'mobile' ? delivery.phone : null),
  }
}
