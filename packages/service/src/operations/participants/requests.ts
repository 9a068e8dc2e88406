import type { RequestView } from '@order-testing/pages'
import { zoneOfOrder } from '../../domain/bookings/order-zone.ts'
import type { Order } from '../../domain/orders/order.ts'
import { stageOf } from '../../domain/participants/stage.ts'
import type { Transaction } from '../../store/store.ts'
import { openLinked } from './opening.ts'
import { presentBrand, type LinkResponse, type ParticipantContext } from './session.ts'

/** A page that a person can still read. */
const MOST = 50

/** All open orders of the requester who got the link; undefined for other links. Reading changes nothing. */
export async function listRequests(
  secret: string,
  { tx, context }: { tx: Transaction; context: ParticipantContext },
): Promise<LinkResponse | undefined> {
  const now = context.now()
  const linked = await openLinked(secret, { tx, now })
  if (!linked || linked.recipient !== 'requester') return undefined
  const { tenantId, order } = linked
  const { found, count } = await tx.orders.ofRequester(tenantId, order.requester.email, { most: MOST, now })
  const open = found.filter((each) => ['clinic', 'booking'].includes(stageOf(each, now, 'requester')))
  const { brand } = await presentBrand({ tx, tenantId, order })
  const zones = zoneFinder(tx, tenantId)
  const orders: RequestView[] = []
  for (const each of open) orders.push(presentRequest(each, await zones(each)))
  return { page: 'requests', view: { brand, orders, count: Math.max(count, orders.length) } }
}

function presentRequest(order: Order, timezone: string): RequestView {
  const { code, company, participant, clinic, appointmentAt, expiresAt } = order
  const name = [participant.firstName, participant.middleName, participant.lastName].filter(Boolean).join(' ')
  return {
    code,
    name,
    company: company.name,
    clinic: clinic?.name ?? null,
    appointmentAt,
    isArrival: order.isArrival ?? false,
    expiresAt,
    timezone,
  }
}

/** Many orders share their clinic and location. */
function zoneFinder(tx: Transaction, tenantId: string): (order: Order) => Promise<string> {
  const known = new Map<string, ReturnType<typeof tx.bookings.findPlaces>>()
  return async (order) => {
    const key = JSON.stringify([order.clinic?.id, order.location.id, order.company.id])
    const places = known.get(key) ?? tx.bookings.findPlaces(tenantId, order)
    known.set(key, places)
    return zoneOfOrder(await places, order)
  }
}
