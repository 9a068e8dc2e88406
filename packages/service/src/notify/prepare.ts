import { scheduleOf } from '../domain/bookings/schedule.ts'
import { addressesOf } from '../domain/notifications/addresses.ts'
import {
  isForClinic,
  recipientOf,
  type Channel,
  type ClinicKind,
  type PersonKind,
} from '../domain/notifications/plan.ts'
import type { Order, Recipient } from '../domain/orders/order.ts'
import { mergeSettings } from '../domain/orders/settings.ts'
import { brandFrom } from '../domain/participants/brand.ts'
import { clinicZone, UNKNOWN_ZONE } from '../domain/places/zone-of.ts'
import type { ClaimedNotification } from '../store/notifications/notifications.ts'
import type { Transaction } from '../store/store.ts'
import { prepareAuthorizationCopy } from './authorization-copy.ts'
import { composeClinicNotice } from './clinic-notice.ts'
import { composeNotification } from './compose.ts'
import type { Envelope } from './transports.ts'

/** Kinds that leave nothing to do or see. */
const WITHOUT_LINK = new Set<PersonKind>(['cancellation', 'clinicNotNeeded'])
/** Kinds that refer to a time that is no longer booked. */
const GONE = new Set<PersonKind>(['bookingWithdrawn', 'cancellation', 'clinicRequestAgain', 'clinicNotNeeded'])

interface Preparation {
  store: Transaction
  channel: Channel
  /** The zone of the order's times. */
  zone: string
  now: Date
  /** Makes the link that the recipient opens their page with. */
  createLink: (recipient: Recipient) => Promise<string>
}

type Prepared = Pick<ClaimedNotification, 'tenantId' | 'id' | 'orderId' | 'kind' | 'refersTo' | 'clinicId'>

/** Composes a notification for its recipient. Undefined if there is nobody to send it to any more. */
export async function prepareEnvelope(
  notification: Prepared,
  order: Order,
  preparation: Preparation,
): Promise<Envelope | undefined> {
  const { kind } = notification
  if (isForClinic(kind)) return prepareForClinic(notification, kind, order, preparation)
  if (kind === 'authorizationCopy') return prepareAuthorizationCopy(notification, order, preparation.store)
  return prepareForPerson(notification, kind, order, preparation)
}

async function prepareForPerson(
  notification: Prepared,
  kind: PersonKind,
  order: Order,
  { store, channel, zone, now, createLink }: Preparation,
): Promise<Envelope> {
  const { tenantId, id, refersTo } = notification
  const { to, cc: all } = addressesOf(kind, order)
  const suppressed = await Promise.all(all.map((address) => store.suppressions.has({ tenantId, channel }, address)))
  const cc = all.filter((_, i) => !suppressed[i])
  const brand = brandFrom(order.company, await store.brands.find(tenantId, order.company.id, []))
  const isFirst = channel === 'mobile' && !(await store.sentNotifications.hasTexted(notification))
  const link = WITHOUT_LINK.has(kind) ? null : await createLink(recipientOf(kind))
  const input = { order, link, zone, now, brand, isFirst, goneAt: GONE.has(kind) ? refersTo : null }
  const copy = cc.length > 0 ? composeNotification(kind, { ...input, isCopy: true }) : null
  return { id, to, content: composeNotification(kind, input), cc, copy }
}

/** Undefined if the clinic no longer gets e-mail. */
async function prepareForClinic(
  { tenantId, id, clinicId, refersTo }: Prepared,
  kind: ClinicKind,
  order: Order,
  { store }: Preparation,
): Promise<Envelope | undefined> {
  const { company, location } = order
  const [isInformed] = await store.bookings.informedClinics(tenantId, order, clinicId === null ? [] : [clinicId])
  const entry = isInformed === undefined ? undefined : await store.clinics.findEntry(tenantId, isInformed)
  if (!entry?.email || !refersTo) return undefined
  const { lat, long } = entry
  const point = lat === null || long === null ? null : { lat, long }
  const settings = await store.orderFacts.settingsOf(tenantId, { companyId: company.id, locationId: location.id })
  const { der } = mergeSettings(settings?.company ?? {}, settings?.location ?? {})
  const zone = clinicZone({ ...entry, point }) ?? UNKNOWN_ZONE
  const brand = brandFrom(order.company, await store.brands.find(tenantId, company.id, []))
  // A time that was cancelled may be replaced by one at another clinic, which takes appointments.
  const isArrival =
    kind === 'timeCancelled' ? !scheduleOf({ ...entry, point }).appointments : (order.isArrival ?? false)
  const content = composeClinicNotice(kind, { order, at: refersTo, isArrival, zone, brand, der })
  return { id, to: entry.email, content, cc: [], copy: null }
}
