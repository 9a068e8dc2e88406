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
  NoticeView,
  OrderView,
  PassView,
  RequestsView,
  TimeView,
} from '@order-testing/pages'
import type { Order, Recipient } from '../../domain/orders/order.ts'
import { mergeSettings } from '../../domain/orders/settings.ts'
import { mergeBrands } from '../../domain/participants/brand.ts'
import type { Stage } from '../../domain/participants/stage.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import type { Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'
import type { DeviceMark } from './devices.ts'

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

export type ParticipantContext = Pick<Context, 'store' | 'now' | 'random' | 'trace'>

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
  trace?: ParticipantContext['trace']
  /** What the participant has agreed to, to be stored when the order is completed. */
  agreements?: AgreementRow[]
}

/** The secret of a link, and the code of another order of the same requester. */
export interface LinkName {
  secret: string
  code?: string | undefined
}

/** Whether a requester has other orders to choose a clinic for. */
export async function hasOthers({ recipient, tx, tenantId, order, now }: LinkSession): Promise<boolean> {
  return recipient === 'requester' && tx.orders.hasOthersOfRequester(tenantId, order, now)
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
