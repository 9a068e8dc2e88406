import type { CatalogSettings } from '@order-testing/contract'
import type {
  AuthorizationView,
  CheckView,
  ChangeView,
  ClinicsView,
  DeclineView,
  DetailsView,
  DisclosureView,
  DoneView,
  Fields,
  HelpView,
  IdentityView,
  Language,
  Notice,
  NoticeView,
  OrderView,
  PassView,
  RequestsView,
  TimeView,
} from '@order-testing/pages'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Order, Recipient } from '../../domain/orders/order.ts'
import { mergeSettings } from '../../domain/orders/settings.ts'
import { mergeBrands } from '../../domain/participants/brand.ts'
import { stageOf, type Stage } from '../../domain/participants/stage.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import { fold } from '../../domain/text.ts'
import type { Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'
import { findZone } from '../orders/zones.ts'
import { changeWithRecord } from '../orders/change.ts'
import { recordAgreements } from './agreements.ts'
import { showDone } from './done.ts'
import { markDevice, type DeviceMark } from './devices.ts'

/** The page that a link opens, or a redirect to another address of the same link. */
export type LinkResponse =
  | ({ page: 'notice'; status: 200 | 404 | 410 } & NoticeView)
  | { page: 'details'; view: DetailsView }
  | { page: 'check'; view: CheckView }
  | { page: 'disclosure'; view: DisclosureView }
  | { page: 'authorization'; view: AuthorizationView }
  | { page: 'decline'; view: DeclineView }
  | { page: 'done'; view: DoneView }
  | { page: 'clinics'; view: ClinicsView }
  | { page: 'time'; view: TimeView }
  | { page: 'change'; view: ChangeView }
  | { page: 'help'; view: HelpView }
  | { page: 'pass' | 'booking' | 'cancel'; view: PassView }
  | { page: 'identity'; view: IdentityView }
  | { page: 'requests'; view: RequestsView }
  | LinkRedirect

export interface LinkRedirect {
  page: 'redirect'
  query: Fields
  /** Replaces the draft of the browser; empty, it is forgotten. */
  draft?: string
  /** Makes the browser known to the order. */
  device?: DeviceMark
}

export type ParticipantContext = Pick<Context, 'store' | 'now' | 'random'>

/** The order of a link and who opened it, within one transaction. */
export interface LinkSession {
  recipient: Recipient
  tx: Transaction
  tenantId: string
  order: Order
  stage: Stage
  /** In which the times of the order are shown (ruling 56). */
  zone: string
  language: Language | undefined
  /** The cookies of known devices. */
  marks: Fields
  now: Date
  random: ParticipantContext['random']
  /** What the participant has agreed to, to be stored when the order is completed. */
  agreements?: AgreementRow[]
}

/** The secret of a link, and the code of another order of the same requester. */
export interface LinkName {
  secret: string
  code?: string | undefined
}

interface SessionOptions {
  tx: Transaction
  context: ParticipantContext
  /** Of another order of the same requester. */
  code?: string | undefined
  language?: Language
  marks?: Fields | undefined
  /** Locks the order, so that concurrent changes run one after the other. */
  isLocking: boolean
}

/** Finds the order of a link. A guessed secret takes the same path and gets the same answer as an unknown one. */
export async function openSession(secret: string, options: SessionOptions): Promise<LinkSession | LinkResponse> {
  const { tx, context, code, language, marks = {}, isLocking } = options
  const now = context.now()
  const link = await tx.links.find(hashSecret(secret))
  if (!link) return notice('wrongLink', 404)
  const { tenantId, orderId: id, recipient } = link
  if (link.expiresAt <= now || link.revokedAt !== null) return notice('expiredLink', 410, recipient)
  const name = code === undefined ? { id } : await findNamed(code, link, tx)
  if (!name) return notice('wrongLink', 404)
  const order = isLocking
    ? (await tx.orders.lockNamed([{ tenantId, ...name }])).at(0)?.at(0)
    : await tx.orders.find(tenantId, name.id)
  if (!order) return notice('wrongLink', 404)
  const stage = stageOf(order, now, recipient)
  const zone = await findZone(order, { tx, tenantId })
  const session = { recipient, tx, tenantId, order, stage, zone, language, marks, now, random: context.random }
  const done = stage === 'finished' && recipient === 'participant' ? await showDone(session) : undefined
  if (done) return done
  const isOver = stage === 'cancelled' || stage === 'expired' || stage === 'missed'
  if (isOver || stage === 'waiting' || stage === 'finished')
    return notice(stage, isOver ? 410 : 200, recipient, await presentEnd(session))
  return session
}

/** The order that a link was sent for; undefined if the link is unknown or has expired. */
export async function openLinked(secret: string, { tx, now }: { tx: Transaction; now: Date }) {
  const link = await tx.links.find(hashSecret(secret))
  const isOpen = link && link.expiresAt > now && link.revokedAt === null
  const order = isOpen ? await tx.orders.find(link.tenantId, link.orderId) : undefined
  return link && order && { ...link, order }
}

/** Another order of the same requester, who got the link. */
async function findNamed(
  code: string,
  { tenantId, orderId, recipient }: { tenantId: string; orderId: string; recipient: Recipient },
  tx: Transaction,
): Promise<{ id: string } | undefined> {
  const linked = recipient === 'requester' ? await tx.orders.find(tenantId, orderId) : undefined
  const named = linked && (await tx.orders.findByCode(tenantId, code))
  return named && fold(named.requester.email) === fold(linked.requester.email) ? { id: named.id } : undefined
}

/** What a notice says about an order. */
async function presentEnd(session: LinkSession): Promise<NoticeView['about']> {
  const { order, stage, zone } = session
  const { brand } = await presentBrand(session)
  const endedAt = stage === 'cancelled' ? order.statusUpdatedAt : null
  return { brand, expiresAt: order.expiresAt, timezone: zone, endedAt, hasOthers: await hasOthers(session) }
}

/** Whether a requester has other orders to choose a clinic for. */
async function hasOthers({ recipient, tx, tenantId, order, now }: LinkSession): Promise<boolean> {
  return recipient === 'requester' && tx.orders.hasOthersOfRequester(tenantId, order, now)
}

/** Saves the changed order with its event, and an audit entry that names the recipient in place of a token. */
export async function saveChange(
  session: LinkSession,
  after: Order,
  action: 'complete' | 'saveDetails' | 'book' | 'cancelBooking',
): Promise<LinkResponse> {
  const { recipient, tx, tenantId, order, language, now, random } = session
  if (after === order) return redirect()
  // Later notifications use the language in which the participant finished a form.
  const saved = language && recipient === 'participant' ? { ...after, language } : after
  const details = action === 'complete' ? await recordAgreements(session) : {}
  await changeWithRecord(
    { before: order, after: saved },
    { action: `${recipient}.${action}`, details },
    { caller: { tenantId, tokenId: recipient }, tx, now: () => now, random },
  )
  const device = recipient === 'participant' ? markDevice({ tx, tenantId, order, now }) : undefined
  return { ...redirect(), ...(action === 'complete' && { draft: '' }), ...(device && { device }) }
}

/** The settings of the order's location, or else of its company. */
export async function settingsOf({ tx, tenantId, order }: LinkSession): Promise<CatalogSettings> {
  const place = { companyId: order.company.id, locationId: order.location.id }
  const settings = await tx.orderFacts.settingsOf(tenantId, place)
  return mergeSettings(settings?.company ?? {}, settings?.location ?? {})
}

/** Leads to what the link shows now, with a note, or to a step. */
export const redirect = (query: Fields = {}): LinkRedirect => ({ page: 'redirect', query })

export async function presentOrderView(session: LinkSession): Promise<OrderView & { zone: string }> {
  const { recipient, order, zone } = session
  const { code, company, participant, testReason, expiresAt } = order
  return {
    reader: recipient,
    ...(await presentBrand(session)),
    code,
    company: company.name,
    name: [participant.firstName, participant.middleName, participant.lastName].filter(Boolean).join(' '),
    firstName: participant.firstName,
    isForNewJob: testReason === 'preEmployment',
    expiresAt,
    timezone: zone,
    hasOthers: await hasOthers(session),
    zone,
  }
}

/** Who asks, and the tests, as the catalog presents them now. */
export async function presentBrand({ tx, tenantId, order }: Pick<LinkSession, 'tx' | 'tenantId' | 'order'>) {
  const services = order.services.filter(({ status }) => status !== 'cancelled')
  const ids = services.map(({ serviceId }) => serviceId)
  const row = await tx.brands.find(tenantId, order.company.id, ids)
  return {
    brand: mergeBrands({
      company: { name: order.company.name, branding: row?.companyBranding ?? null },
      tenant: { name: row?.tenant ?? '', branding: row?.tenantBranding ?? null },
    }),
    services: services.map(({ serviceId, name, type, category }) => {
      // A translation of another name would be of another test.
      const translated = row?.services.find((each) => each.id === serviceId && each.name === name)
      return { name, names: translated?.names ?? {}, type, category }
    }),
  }
}

const notice = (
  which: Notice,
  status: 200 | 404 | 410,
  reader: Recipient = 'participant',
  about?: NoticeView['about'],
): LinkResponse => ({ page: 'notice', notice: which, reader, status, about })
