import { checkAnswer, countWrong, lockOf, questionFor } from '../../domain/participants/identity.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Form } from './booking.ts'
import { markDevice, markName } from './devices.ts'
import { presentOrderView, redirect, settingsOf, type LinkResponse, type LinkSession } from './session.ts'

/** Whether this session may see the pass or change details on file: on a known device, or where nobody is asked. */
export async function isIdentified(session: LinkSession): Promise<boolean> {
  const { recipient, stage, tx, tenantId, order, marks, now } = session
  // Before the details are known, a link shows nothing but the name.
  const isNew = stage !== 'pass' && order.participant.birthDate === null
  if (recipient !== 'participant' || isNew) return true
  const mark = marks[markName(session)]
  if (mark !== undefined && tx.devices.isKnown(mark, { tenantId, orderId: order.id }, now)) return true
  return (await settingsOf(session)).confirmIdentity === false
}

/** The question to ask, or until when it is locked. The faults come from the address. */
export async function showQuestion(
  session: LinkSession,
  { step, fault }: { step: string | undefined; fault: string | undefined },
): Promise<LinkResponse> {
  const { tx, tenantId, order, now, zone } = session
  const { brand, firstName } = await presentOrderView(session)
  const lockedUntil = lockOf(await tx.wrongAnswers.find({ tenantId, orderId: order.id }), now)
  const known = fault === 'incomplete' || fault === 'mismatch' ? fault : null
  const asks = questionFor(order.participant)
  return {
    page: 'identity',
    view: { brand, firstName, asks, step: toStep(step), fault: known, lockedUntil, timezone: zone },
  }
}

/** Takes an answer: right ones make the device known, wrong ones are counted. While locked, none is looked at. */
export async function answerQuestion(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { tx, tenantId, order, now } = session
  const owner = { tenantId, orderId: order.id }
  const step = toStep(form.next)
  if (await isIdentified(session)) return redirect({ step })
  const tally = await tx.wrongAnswers.find(owner)
  if (lockOf(tally, now)) return redirect({ step })
  const outcome = checkAnswer(form, order.participant)
  if (outcome === 'incomplete') return redirect({ step, fault: 'incomplete' })
  if (outcome === 'wrong') {
    const counted = countWrong(tally, now)
    await tx.wrongAnswers.put(owner, counted)
    if (counted.lockedUntil) await recordLock(session)
    return redirect({ step, fault: 'mismatch' })
  }
  if (tally) await tx.wrongAnswers.forget(owner)
  return { ...redirect({ step }), device: markDevice(session) }
}

/** Operators see who is locked out; a new link that they send ends the lock. */
async function recordLock({ tx, tenantId, order, recipient, now, random }: LinkSession): Promise<void> {
  const audited = { action: `${recipient}.lockedOut`, subject: { type: 'order', id: order.id } }
  const actor = { caller: { tenantId, tokenId: recipient }, now: () => now, random }
  await tx.audit.append([auditEntry(audited, actor)])
}

/** The steps that a question may interrupt. */
const toStep = (step: string | undefined) => (step === 'change' || step === 'cancel' ? step : undefined)
