import { describe, expect, test } from 'vitest'
import type { ClinicsView, TimeView } from '@order-testing/pages'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { openLink, submitForm, type LinkQuery } from '../../src/operations/participants/page.ts'
import { applyDueChanges } from '../../src/operations/orders/due-changes.ts'
import { connect } from '../../src/store/db/pool.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { refusalOf } from '../http/answers.ts'
import { cancelled, clinic, created, rewrite, TENANT } from '../orders/given.ts'
import { CLINICS, linkTo, participantService, readOrder, requested, submit } from '../participants/given.ts'
import { operate } from '../support/operator.ts'
import { testKeyring } from '../support/service.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAILY = Object.fromEntries(DAYS.map((day) => [day, [['08:00', '18:00']]]))
const slotted = (id: string, members: object = {}) =>
  clinic(id, '60540', { hours: DAILY, slots: { minutes: 30, capacity: 2 }, walkIns: true, ...members })

const service = participantService({
  locations: [{ id: 'denver', name: 'Denver', address: { city: 'Denver', state: 'CO', postalCode: '80202' } }],
  clinics: [
    ...CLINICS,
    slotted('narrow', { slots: { minutes: 30, capacity: 1 } }),
    slotted('wide'),
    slotted('booked-only', { walkIns: false }),
    slotted('random'),
    slotted('shut', { hours: { sun: [] } }),
    clinic('walk-only', '60540', { hours: DAILY, walkIns: true, timezone: 'America/Chicago' }),
  ],
})

const random = new PooledRandom()
const context = (store: Store = service.store) => ({ store, now: () => new Date(), random })
const book = (id: string, sent: object) => operate(service, 'PUT', `/orders/${id}/clinic`, sent)

/** A slot in Chicago, three days from now unless told otherwise. */
function slotAt(time: string, days = 3): string {
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago' }).format(Date.now() + days * 86_400_000)
  const [winter, summer] = ['-06:00', '-05:00'].map((offset) => new Date(`${date}T${time}:00${offset}`))
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', timeStyle: 'short' })
  return (clock.format(winter) === time ? winter! : summer!).toISOString()
}

const localDate = (slot: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago' }).format(new Date(slot))

const choose = (secret: string, fields: object, store?: Store) =>
  submitForm({ secret, form: { step: 'book', way: 'appointment', ...fields }, language: 'en' }, context(store))

async function timesOf(secret: string, query: LinkQuery): Promise<TimeView> {
  const answer = await openLink({ secret, query: { step: 'time', ...query } }, context())
  if (answer.page !== 'time') throw new Error(`The page is ${answer.page}.`)
  return answer.view
}

async function cardsOf(secret: string, query: LinkQuery = {}): Promise<ClinicsView> {
  const answer = await openLink({ secret, query: { step: 'clinics', ...query } }, context())
  if (answer.page !== 'clinics') throw new Error(`The page is ${answer.page}.`)
  return answer.view
}

const takenAt = (clinicId: string) =>
  service.store.bookings.takenTimes(TENANT, clinicId, {
    from: new Date(0),
    until: new Date(Date.now() + 400 * 86_400_000),
    except: '',
  })

describe('races for the last slot', () => {
  test('of many concurrent bookings through two processes, at most as many win as there are places', async () => {
    const other = connect(service.target)
    const stores = [service.store, createStore(other, testKeyring)]
    try {
      const given = await Promise.all(Array.from({ length: 16 }, () => requested(service)))
      const slot = slotAt('10:30')
      const answers = await Promise.all(
        given.map(({ requester }, i) => choose(requester, { clinic: 'wide', slot }, stores[i % 2])),
      )
      const orders = await Promise.all(given.map(({ order }) => readOrder(service, order.id)))
      expect(orders.filter(({ status }) => status === 'scheduled')).toHaveLength(2)
      expect(await takenAt('wide')).toEqual([new Date(slot), new Date(slot)])
      const lost = answers.filter((answer) => answer.page === 'redirect' && answer.query['step'] === 'book')
      expect(lost).toHaveLength(14)
    } finally {
      await other.end()
    }
  })

  test('a lost race shows what was taken and selects the closest free slot', async () => {
    const [first, second] = [await requested(service), await requested(service)]
    const slot = slotAt('09:00', 4)
    await choose(first.requester, { clinic: 'narrow', slot })
    const answer = await choose(second.requester, { clinic: 'narrow', slot })
    expect(answer).toMatchObject({ page: 'redirect', query: { step: 'book', clinic: 'narrow', slot } })
    const view = await timesOf(second.requester, { step: 'book', way: 'appointment', clinic: 'narrow', slot })
    expect(view).toMatchObject({
      choice: 'slots',
      day: localDate(slot),
      selected: new Date(slotAt('09:30', 4)),
      taken: { at: new Date(slot), closest: { time: '09:30', isFull: false } },
      errors: [{ field: 'time', fault: 'closed' }],
    })
    expect(view.slots.find(({ time }) => time === '09:00')).toMatchObject({ isFull: true, part: 'morning' })
    expect((await readOrder(service, second.order.id)).clinic).toBeNull()
  })

  test('the form with a date and a time books slots too, and no time between them', async () => {
    const { order, requester } = await requested(service)
    const form = { step: 'book', clinic: 'wide', way: 'appointment', date: localDate(slotAt('11:00')) }
    await submit(service, requester, { ...form, time: '11:10' })
    expect((await readOrder(service, order.id)).clinic).toBeNull()
    await submit(service, requester, { ...form, time: '11:00' })
    expect((await readOrder(service, order.id)).clinic).toMatchObject({ id: 'wide' })
  })
})

describe('what frees a slot', () => {
  const SLOT = () => slotAt('15:00', 5)
  const scheduled = async (clinicId = 'narrow', at = SLOT()) => {
    const order = await created(service)
    const answer = await book(order.id, { clinicId, appointmentAt: at })
    if (answer.status !== 200) throw new Error(answer.text)
    return order as { id: string; services: { id: string }[] }
  }
  const move = (order: { id: string; services: { id: string }[] }, status: string) =>
    operate(service, 'POST', `/orders/${order.id}/services/${order.services[0]!.id}/moves`, { status })

  test.each([
    ['the booking is cancelled', ({ id }) => operate(service, 'DELETE', `/orders/${id}/clinic`)],
    ['the order is cancelled', ({ id }) => cancelled(service, id)],
    [
      'the booking moves to another time',
      ({ id }) => book(id, { clinicId: 'narrow', appointmentAt: slotAt('16:00', 5) }),
    ],
    ['the booking moves to another clinic', ({ id }) => book(id, { clinicId: 'aurora' })],
    ['the participant checks in', (order) => move(order, 'checkedIn')],
    ['the participant is marked as missing', (order) => move(order, 'noShow')],
  ] as [string, (order: { id: string; services: { id: string }[] }) => Promise<unknown>][])(
    'a slot is free again once %s',
    async (_, free) => {
      const order = await scheduled()
      const waiting = await created(service)
      const again = { clinicId: 'narrow', appointmentAt: SLOT() }
      expect(refusalOf(await book(waiting.id, again))).toBe('400 invalidValue /appointmentAt')
      await free(order)
      expect((await book(waiting.id, again)).status).toBe(200)
      for (const { id } of [order, waiting]) await cancelled(service, id)
      expect(await takenAt('narrow')).not.toContainEqual(new Date(SLOT()))
    },
  )

  test('an order that expires or is removed frees its slot', async () => {
    const [expired, removed] = [await scheduled(), await scheduled('wide')]
    await rewrite(service, expired.id, { expiresAt: new Date(Date.now() - 1000) })
    while (await applyDueChanges(service.store, random)) continue
    expect(await takenAt('narrow')).not.toContainEqual(new Date(SLOT()))
    await cancelled(service, removed.id)
    await service.store.transaction((tx) => tx.orderRemoval.remove(TENANT, [removed.id]))
    expect(await takenAt('wide')).not.toContainEqual(new Date(SLOT()))
  })

  test('booking the same slot again changes nothing, and moving within it needs no second place', async () => {
    const order = await scheduled()
    expect((await book(order.id, { clinicId: 'narrow', appointmentAt: SLOT() })).status).toBe(200)
    expect((await takenAt('narrow')).filter((at) => at.getTime() === Date.parse(SLOT()))).toHaveLength(1)
    await cancelled(service, order.id)
  })

  test('the places taken equal a recount of the orders after random changes', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => created(service)))
    const times = ['08:00', '08:30', '09:00'].map((time) => slotAt(time, 6))
    let seed = 7
    const next = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        orders.map(({ id }) => {
          const step = next(6)
          if (step === 0) return operate(service, 'DELETE', `/orders/${id}/clinic`)
          if (step === 1 && round > 2) return cancelled(service, id)
          return book(id, { clinicId: 'random', appointmentAt: times[next(3)]! })
        }),
      )
      const stored = await Promise.all(orders.map(({ id }) => service.store.orders.find(TENANT, id)))
      const counted = stored.flatMap((order) => (order!.isBooked ? [order!.appointmentAt!.toISOString()] : []))
      const taken = (await takenAt('random')).map((at) => at.toISOString())
      expect(taken.toSorted()).toEqual(counted.toSorted())
      for (const time of times) expect(taken.filter((at) => at === time).length).toBeLessThanOrEqual(2)
    }
  })
})

describe('operators and slots', () => {
  test('an operator may overbook a slot, or book a time between slots, with a reason', async () => {
    const [first, second, third] = await Promise.all([created(service), created(service), created(service)])
    const sent = { clinicId: 'narrow', appointmentAt: slotAt('12:00') }
    await book(first.id, sent)
    const refused = await book(second.id, sent)
    expect(refusalOf(refused)).toBe('400 invalidValue /appointmentAt')
    const day = localDate(sent.appointmentAt)
    expect(refused.body.errors[0].detail).toContain(`no place left at 12:00 on ${day} (America/Chicago)`)
    expect(refused.body.errors[0].detail).toContain(`closest free time is 12:30 on ${day}`)
    expect((await book(second.id, { ...sent, override: true, reason: 'A second nurse is there.' })).status).toBe(200)
    const between = { clinicId: 'narrow', appointmentAt: slotAt('12:40') }
    expect((await book(third.id, between)).body.errors[0].detail).toContain('every 30 minutes')
    expect((await book(third.id, { ...between, override: true, reason: 'Agreed.' })).status).toBe(200)
    const fourth = await created(service)
    // The time between the slots takes the place of the slot during which it begins.
    expect(refusalOf(await book(fourth.id, { clinicId: 'narrow', appointmentAt: slotAt('12:30') }))).toBe(
      '400 invalidValue /appointmentAt',
    )
  })
})

describe('the days and times of a clinic', () => {
  test('a clinic with slots shows days, the slots of one and whether people can walk in', async () => {
    const { requester } = await requested(service, {}, { expiresIn: 3 })
    const view = await timesOf(requester, { clinic: 'wide', day: localDate(slotAt('10:00', 2)) })
    expect(view).toMatchObject({ choice: 'slots', zone: 'America/Chicago', day: localDate(slotAt('10:00', 2)) })
    expect(view.slots.map(({ time }) => time)).toEqual(expect.arrayContaining(['08:00', '12:30', '17:30']))
    expect(view.days).toMatchObject({ week: 0, hasEarlier: false, hasLater: false })
    expect(view.days!.days.length).toBeLessThanOrEqual(4)
    expect(view.clinic).toMatchObject({ walkIns: true, appointments: true })
    const only = await timesOf(requester, { clinic: 'booked-only' })
    expect(only.clinic).toMatchObject({ walkIns: false, appointments: true, walkInToday: null })
  })

  test('days further ahead are on later pages', async () => {
    const { requester } = await requested(service)
    const view = await timesOf(requester, { clinic: 'wide', week: '2' })
    expect(view.days).toMatchObject({ week: 2, hasEarlier: true, hasLater: true })
    const far = localDate(slotAt('10:00', 40))
    expect(await timesOf(requester, { clinic: 'wide', day: far })).toMatchObject({ day: far })
  })

  test('a clinic that takes only walk-ins offers planned arrivals, and one without slots any time', async () => {
    const { order, requester } = await requested(service)
    const arrivals = await timesOf(requester, { clinic: 'walk-only', day: localDate(slotAt('10:00', 2)) })
    expect(arrivals).toMatchObject({ choice: 'arrival', slots: [] })
    expect(arrivals.arrivals.map(({ part }) => part)).toEqual(['morning', 'afternoon', 'evening'])
    expect((await timesOf(requester, { clinic: 'aurora' })).choice).toBe('anyTime')
    const planned = arrivals.arrivals[1]!.from
    await choose(requester, { clinic: 'walk-only', slot: planned.toISOString() })
    const stored = (await service.store.orders.find(TENANT, order.id))!
    expect([stored.appointmentAt, stored.isArrival]).toEqual([planned, true])
  })

  test('a clinic that takes only appointments cannot be booked without a time', async () => {
    const { order, requester } = await requested(service)
    await choose(requester, { clinic: 'booked-only', way: 'walkIn' })
    expect((await readOrder(service, order.id)).clinic).toBeNull()
  })
})

describe('the list of clinics', () => {
  test('clinics have an opening state, a drive time and a zone, and those that open too late come last', async () => {
    const { requester } = await requested(service)
    const { clinics, zone, nearest } = await cardsOf(requester)
    expect(zone).toBe('America/Chicago')
    expect(nearest).toEqual([])
    expect(clinics.at(-1)).toMatchObject({ id: 'shut', isBookable: false, open: { state: 'tooLate', at: null } })
    expect(clinics.filter(({ isBookable }) => !isBookable)).toHaveLength(1)
    expect(clinics.find(({ id }) => id === 'naperville')).toMatchObject({
      open: { state: 'open', until: null },
      driveMinutes: 2,
      walkIns: true,
      zone: 'America/Chicago',
    })
    expect(clinics.find(({ id }) => id === 'clockless')).toMatchObject({ timezone: null, zone: 'America/Chicago' })
  })

  test('a clinic that opens too late cannot be booked', async () => {
    const { order, requester } = await requested(service)
    for (const fields of [{ way: 'walkIn' }, { slot: slotAt('10:00') }])
      await choose(requester, { clinic: 'shut', ...fields })
    expect((await readOrder(service, order.id)).clinic).toBeNull()
  })

  test('filters keep clinics that are open now, take walk-ins, or open on Saturdays', async () => {
    const { requester } = await requested(service, {}, { expiresIn: 1, expiresInUnit: 'hours' })
    const ids = async (query: LinkQuery) => (await cardsOf(requester, query)).clinics.map(({ id }) => id)
    expect(await ids({ openSaturday: 'yes' })).not.toContain('aurora')
    expect(await ids({ openSaturday: 'yes' })).toContain('wide')
    expect(await ids({ walkIns: 'yes' })).not.toContain('booked-only')
    expect(await ids({ openNow: 'yes' })).toContain('naperville')
    expect(await ids({ openNow: 'yes' })).not.toContain('clockless')
    expect(await cardsOf(requester, { walkIns: 'yes' })).toMatchObject({
      filters: { openNow: false, walkIns: true, openSaturday: false },
      isSaturdayTooLate: false,
    })
  })

  test('if no clinic is in reach, the nearest three are listed and can be booked', async () => {
    const { order, requester } = await requested(service)
    const view = await cardsOf(requester, { place: 'Boston MA' })
    expect(view.clinics).toEqual([])
    expect(view.nearest).toHaveLength(3)
    for (const { miles, driveMinutes } of view.nearest) {
      expect(miles).toBeGreaterThan(50)
      expect(driveMinutes! % 10).toBe(0)
    }
    const far = view.nearest.find(({ walkIns }) => walkIns)!
    await choose(requester, { clinic: far.id, way: 'walkIn' })
    expect((await readOrder(service, order.id)).clinic).toMatchObject({ id: far.id })
  })

  test('before a clinic is chosen, times are in the zone of the participant, else of the location, else in UTC', async () => {
    const zoneOf = async (members: object) => {
      const order = await created(service, members)
      const answer = await openLink({ secret: await linkTo(service, order.id), query: {} }, context())
      return answer.page === 'details' ? (answer.view as unknown as { zone: string }).zone : answer.page
    }
    const address = { line1: '1 Main Street', city: 'Boise', state: 'ID', postalCode: '83702' }
    const participant = { firstName: 'Maria', lastName: 'Lopez', address }
    expect(await zoneOf({ participant, location: { id: 'denver' } })).toBe('America/Boise')
    expect(await zoneOf({ location: { id: 'denver' } })).toBe('America/Denver')
    expect(await zoneOf({})).toBe('UTC')
  })
})
