import type { OrderView } from '@order-testing/pages'
import { openBookingOf, servicesToAttend } from '../../domain/bookings/bookings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { EMPTY_DRAFT, firstUnfinished, type AgreementKind, type Draft } from '../../domain/participants/draft.ts'
import { DETAIL_PAGES, PAGE_NAMES, type DetailGroup, type DetailPage } from '../../domain/participants/detail-fields.ts'
import { findGiven, findMissing, readDetails } from '../../domain/participants/form.ts'
import { findZone } from '../orders/zones.ts'
import { isCurrent, loadTexts, requiredAgreements, type AgreementTexts } from './agreements.ts'
import { presentOrderView, type LinkSession } from './session.ts'

/** The steps before a clinic is chosen, in their order. */
export const STEPS = [...PAGE_NAMES, 'check', 'disclosure', 'authorization'] as const
export type DetailStep = (typeof STEPS)[number]

/** A form that is being filled in. */
export interface Filling {
  session: LinkSession
  draft: Draft
  texts: AgreementTexts
  order: OrderView & { zone: string }
  /** The first step that is not done; null if all are. */
  next: DetailStep | null
}

/** Opens the draft of the cookie, or begins a new one. */
export async function openFilling(
  session: LinkSession,
  sealed: string | undefined,
): Promise<{ filling: Filling; isLost: boolean }> {
  const { tx, tenantId, order, now } = session
  const opened = sealed === undefined ? undefined : tx.drafts.open(sealed, { tenantId, orderId: order.id }, now)
  const draft = opened ?? EMPTY_DRAFT
  const zoned = await inZoneOf(draft, session)
  const view = await presentOrderView(zoned)
  const texts = await loadTexts(zoned, view.brand)
  const filling = { session: zoned, draft, texts, order: view, next: findNext(draft, zoned, texts) }
  return { filling, isLost: sealed !== undefined && opened === undefined }
}

/** Times are in the zone of the address that was just entered (ruling 56). */
async function inZoneOf({ values }: Draft, session: LinkSession): Promise<LinkSession> {
  const details = readDetails(values, session.order, session.now)
  if (Array.isArray(details) || !findGiven(values).has('address')) return session
  return { ...session, zone: await findZone(session.order, session, details.address) }
}

/** The first step that is not done. */
export function findNext(draft: Draft, { order, now }: LinkSession, texts: AgreementTexts): DetailStep | null {
  const { check, isBackground } = requiredAgreements(order)
  const isMet = (kind: AgreementKind) => isCurrent(draft.agreed[kind], texts[kind])
  const page = firstUnfinished(draft, order, now)
  if (page) return page
  if (!draft.isChecked || (check && !isMet(check))) return 'check'
  if (isBackground && !isMet('disclosure')) return 'disclosure'
  return isBackground && !isMet('authorization') ? 'authorization' : null
}

/** Whether a step comes after the first that is not done. */
export const isBeyond = (step: DetailStep, next: DetailStep | null) =>
  next !== null && STEPS.indexOf(step) > STEPS.indexOf(next)

/** A step is shown if those before it are done, and a page only if it asks for something. */
export function isShowable(step: DetailStep, { next, session, draft }: Filling, edit: string | undefined): boolean {
  const page = PAGE_NAMES.find((each) => each === step)
  const isOfBackground = step === 'disclosure' || step === 'authorization'
  if (isBeyond(step, next) || (isOfBackground && !requiredAgreements(session.order).isBackground)) return false
  return page === undefined || askedOn(page, draft, session.order, edit).size > 0
}

/** What a page asks for: what is missing, what was entered, and what is to be changed. */
export function askedOn(page: DetailPage, { values }: Draft, order: Order, edit?: string): ReadonlySet<DetailGroup> {
  const missing = findMissing(order)
  const given = findGiven(values)
  const groups: readonly DetailGroup[] = DETAIL_PAGES[page]
  return new Set(groups.filter((group) => missing.has(group) || given.has(group) || group === edit))
}

export const seal = (draft: Draft, { tx, tenantId, order, now }: LinkSession): string | undefined =>
  tx.drafts.seal(draft, { tenantId, orderId: order.id }, now)

export const needsClinic = (order: Order) => servicesToAttend(order).length > 0 && !openBookingOf(order)
