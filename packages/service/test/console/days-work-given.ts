import { expect } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { deliverAll } from '../support/delivering.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { participant, type ConsoleService, type Placed } from './signed-in.ts'

const DAY_MS = 86_400_000
export const CLINIC = { id: 'clinic-naperville', name: 'Naperville Occupational Health' }

/** What waits for an operator in the morning. */
export interface Morning {
  caller: Placed
  /** Expire in three and in five hours: two tasks, in this order. */
  expiring: [Placed, Placed]
  /** Collected two days ago. */
  collected: Placed
  negative: Placed
  unwanted: Placed
  /** A report that names the wrong person, and one about no order. */
  reports: { assigned: string; dismissed: string }
  receiver: { origin: string; host: string }
  deliveryId: string
}

export async function givenMorning(service: ConsoleService, clock: { behindMs: number }): Promise<Morning> {
  const place = (lastName: string, members: object = {}) =>
    service.place({ participant: participant({ lastName }), ...members })
  const expiring: [Placed, Placed] = [await place('Price'), await place('Stone')]
  await expire(service, expiring[0], 3)
  await expire(service, expiring[1], 5)
  await new TaskFinder(service.store, new PooledRandom()).round(new Date(), { isComplete: true })
  const negative = await place('Banks', {
    package: { id: 'pkg-random-alcohol' },
    location: { id: 'loc-anvil-pasadena' },
  })
  await service.simulate(negative, { outcome: 'negative' })
  clock.behindMs = 2 * DAY_MS
  const collected = await place('Okafor')
  await service.simulate(collected, { outcome: 'negative', until: 'collected' })
  clock.behindMs = 0
  return {
    caller: await place('Whitfield'),
    expiring,
    collected,
    negative,
    unwanted: await place('Reyes'),
    reports: await reports(service, await place('Vance')),
    ...(await failedDelivery(service)),
  }
}

async function expire({ pool }: ConsoleService, { id }: Placed, hours: number): Promise<void> {
  const at = new Date(Date.now() + hours * 3_600_000)
  await pool`update orders set expires_at = ${at}, due_at = ${at} where id = ${id}`
}

async function reports(service: ConsoleService, order: Placed): Promise<Morning['reports']> {
  const report = async (members: object) => {
    const body = { messageId: crypto.randomUUID(), occurredAt: new Date().toISOString(), ...members }
    const stored = (await service.operator('/results', { method: 'POST', body })) as unknown as Record<string, string>
    expect(stored['state']).toBe('queued')
    return stored['id']!
  }
  return {
    dismissed: await report({
      sender: { kind: 'lab', id: 'lab-tamarack-falls' },
      event: 'result',
      result: 'negative',
      match: { specimenId: 'S-77181' },
    }),
    assigned: await report({
      sender: { kind: 'collector', id: 'north-collections' },
      event: 'checkedIn',
      match: { orderCode: order.code },
      participant: { firstName: 'Maria', lastName: 'Quist' },
    }),
  }
}

async function failedDelivery(service: ConsoleService): Promise<Pick<Morning, 'receiver' | 'deliveryId'>> {
  const { url } = await httpReceiver((_, response) => void response.writeHead(503).end('Down for maintenance'))
  const order = await service.place({ participant: participant(), callback: { url } })
  await service.operator(`/orders/${order.id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice' } })
  await deliverAll(service, [0])
  const { data } = (await service.operator('/deliveries?state=failed')) as unknown as { data: { id: string }[] }
  return { receiver: { origin: new URL(url).origin, host: new URL(url).host }, deliveryId: data[0]!.id }
}

/** The first of the coming days on which the clinic has slots, and the first of these. */
export async function nextSlot(service: ConsoleService): Promise<{ days: number; label: string; at: string }> {
  for (let days = 1; days < 6; days += 1) {
    const date = new Date(Date.now() + days * DAY_MS).toLocaleDateString('sv-SE', { timeZone: 'America/Chicago' })
    const { slots } = (await service.operator(`/clinics/${CLINIC.id}/day?date=${date}`)) as unknown as {
      slots: { at: string }[]
    }
    const noon = new Date(`${date}T12:00:00Z`)
    const label = noon.toLocaleDateString('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    })
    if (slots[0]) return { days, label, at: slots[0].at }
  }
  throw new Error('The clinic is closed all week.')
}

/** As somebody types it into a field for date and time: month, day, year, hour, minute, half of the day. */
export function typedTime(at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Chicago',
    month: '2-digit',
    day: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)!.value
  return ['month', 'day', 'year', 'hour', 'minute'].map(part).join('') + part('dayPeriod').charAt(0)
}
