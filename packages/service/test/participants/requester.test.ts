import { describe, expect, test } from 'vitest'
import type { Order } from '../../src/domain/orders/order.ts'
import { cancelled, contentOf, created, rewrite } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import {
  changed,
  completed,
  DETAILS,
  eventsOf,
  followed,
  invited,
  linkTo,
  open,
  participantService,
  readOrder,
  requested,
  submitted,
  submit,
  tomorrow,
  wordsOf,
  type Page,
} from './given.ts'

const service = participantService()

const offered = ({ text }: Page) => [...text.matchAll(/name="clinic" value="([\w-]+)"/g)].map(([, id]) => id)
const pick = (secret: string, fields: Record<string, string> = {}) =>
  submit(service, secret, { step: 'book', clinic: 'naperville', way: 'walkIn', ...fields })
const change = (secret: string, fields: Record<string, string>) =>
  changed(service, secret, { clinic: 'naperville', way: 'walkIn', ...fields })
const move = (id: string, serviceId: string, status: string) =>
  operate(service, 'POST', `/orders/${id}/services/${serviceId}/moves`, { status })

/** Who did what to an order, first to last. */
const trailOf = async (id: string) => {
  const { data } = (await operate(service, 'GET', `/audit?subjectId=${id}`)).body as { data: { action: string }[] }
  return data.map(({ action }) => action).toReversed()
}

/** Participant data that requesters must not see. */
const PRIVATE = ['1990', '536-22-8841', 'maria@example.com', '555-0142', 'Ogden', '60540"']

describe('the page of a requester', () => {
  test('the page names the participant, the services and the deadline, and lists clinics near the participant', async () => {
    const { requester } = await requested(service, { package: { id: 'several' } }, { expiresIn: 5 })
    const page = await open(service, requester)
    expect(page.status).toBe(200)
    const words = wordsOf(page)
    for (const part of ['For Maria Lopez', 'Urine', 'Hair', 'The test is due by', 'Step 1 of 2'])
      expect(words).toContain(part)
    expect(words).toContain('3 clinics within 50 miles')
    expect(offered(page)).toEqual(['naperville', 'clockless', 'aurora'])
    for (const detail of PRIVATE) expect(page.text).not.toContain(detail)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('the page searches clinics elsewhere, also in Spanish', async () => {
    const { requester } = await requested(service)
    expect(offered(await open(service, requester, '?step=clinics&place=Dallas+TX'))).toEqual(['dallas'])
    const page = await open(service, requester, '?lang=es')
    expect(wordsOf(page)).toContain('3 clínicas a menos de 50 millas')
  })

  test('a requester books a clinic and a time: one event, an audit entry, and a pass for the participant', async () => {
    const { order, requester, participant } = await requested(service)
    expect(wordsOf(await open(service, participant))).toContain('Nothing to do yet')
    const time = await open(service, requester, '?step=time&clinic=naperville')
    expect(wordsOf(time)).toContain('When will the participant go?')
    expect((await pick(requester, { way: 'appointment', ...tomorrow() })).status).toBe(303)
    expect(await readOrder(service, order.id)).toMatchObject({ status: 'scheduled', clinic: { id: 'naperville' } })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    expect(await trailOf(order.id)).toEqual(['requester.book'])
    expect(wordsOf(await open(service, participant))).toContain('Your pass')
    const page = await open(service, requester)
    for (const part of ['A clinic is booked', 'Naperville Occupational Health', '9:30', 'Maria Lopez'])
      expect(wordsOf(page)).toContain(part)
    for (const detail of PRIVATE) expect(page.text).not.toContain(detail)
  })

  test.each([
    ['a clinic above the fee cap', { clinic: 'dear' }, 'is no longer available'],
    ['an inactive clinic', { clinic: 'closed' }, 'is no longer available'],
    ['a clinic that lacks a service', { clinic: 'partial' }, 'is no longer available'],
    [
      'a time when the clinic is closed',
      { clinic: 'aurora', way: 'appointment', ...tomorrow('05:00', 3) },
      'is closed then',
    ],
    ['a form without a time', { way: '' }, 'whether to make an appointment'],
  ])('the page refuses %s', async (_, fields, words) => {
    const { order, requester } = await requested(service)
    const page = await followed(service, await pick(requester, fields))
    expect(wordsOf(page)).toContain(words)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a requester changes and cancels the booking before check-in', async () => {
    const { order, requester, participant } = await requested(service)
    await pick(requester)
    expect(offered(await open(service, requester, '?step=clinics&change=yes'))).toContain('aurora')
    await change(requester, { clinic: 'aurora' })
    expect((await readOrder(service, order.id)).clinic.id).toBe('aurora')
    expect(wordsOf(await open(service, requester, '?step=cancel'))).toContain('Cancel this booking?')
    await submit(service, requester, { step: 'cancel' })
    expect((await readOrder(service, order.id)).clinic).toBeNull()
    expect(await eventsOf(service, order.id)).toHaveLength(3)
    expect(await trailOf(order.id)).toEqual(['requester.book', 'requester.book', 'requester.cancelBooking'])
    expect(wordsOf(await open(service, requester))).toContain('Choose a clinic')
    expect(wordsOf(await open(service, participant))).toContain('Nothing to do yet')
  })

  test('a requester can change and see nothing once something was collected', async () => {
    const { order, requester } = await requested(service)
    await pick(requester)
    await move(order.id, order.services[0].id, 'checkedIn')
    const events = (await eventsOf(service, order.id)).length
    await submit(service, requester, { step: 'cancel' })
    await change(requester, { clinic: 'aurora' })
    expect(await eventsOf(service, order.id)).toHaveLength(events)
    const page = await open(service, requester)
    expect(wordsOf(page)).toContain('All done, thank you')
    tellsNothing(page, order.code)
  })
})

const tellsNothing = (page: Page, code: string) => {
  for (const text of ['Maria', 'Lopez', 'Urine', 'Naperville', code]) expect(page.text).not.toContain(text)
}

describe('links of requesters and of participants', () => {
  test('a requester’s link gives no pass, no calendar file, no details and no consent', async () => {
    const { order, requester } = await requested(service)
    await pick(requester, { way: 'appointment', ...tomorrow() })
    const page = await open(service, requester)
    expect(page.text).not.toMatch(/class="(barcode|qr|code)"/)
    expect(page.text).not.toContain('appointment.ics')
    expect((await open(service, `${requester}/appointment.ics`)).status).toBe(404)
    expect((await open(service, `${requester}/pass.pdf`)).headers.get('location')).toBe(`/o/${requester}`)
    for (const step of ['contact', 'check', 'decline'])
      await submit(service, requester, { ...DETAILS, step, phone: '(630) 555-0199' })
    expect(await trailOf(order.id)).toEqual(['requester.book'])
    expect((await readOrder(service, order.id)).participant.phone).toBe('+16305550142')
  })

  test('a requester’s link opens nothing if the participant chooses the clinic', async () => {
    const order = await created(service)
    const secret = await linkTo(service, order.id, { recipient: 'requester' })
    tellsNothing(await open(service, secret), order.code)
    tellsNothing(await completed(service, secret), order.code)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a participant’s link cannot choose a clinic that the requester chooses', async () => {
    const { order, requester, participant } = await requested(service)
    await pick(participant)
    expect((await readOrder(service, order.id)).clinic).toBeNull()
    await pick(requester)
    await change(participant, { clinic: 'aurora' })
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
    expect(await trailOf(order.id)).toEqual(['requester.book'])
  })

  test('a participant may change the time and cancel, and the requester sees both', async () => {
    const { order, requester, participant } = await requested(service)
    await pick(requester)
    await change(participant, { way: 'appointment', ...tomorrow('14:45') })
    expect(wordsOf(await open(service, requester))).toContain('2:45')
    const withdrawn = wordsOf(await submitted(service, participant, { step: 'cancel' }))
    expect(withdrawn).toContain('Your visit was canceled')
    expect(withdrawn).toContain('when another clinic has been chosen for you')
    expect(wordsOf(await open(service, requester))).toContain('Choose a clinic')
    expect(await trailOf(order.id)).toEqual(['requester.book', 'participant.book', 'participant.cancelBooking'])
  })

  test('links from before the column existed belong to the participant', async () => {
    const { order, secret } = await invited(service)
    await service.pool`update order_links set recipient = default where order_id = ${order.id}`
    expect(wordsOf(await open(service, secret))).toContain('Details 1 of 3')
  })

  test('links of a cancelled, expired or missed order say so and who ordered it, and nothing else', async () => {
    const [gone, late, missed] = await Promise.all([requested(service), requested(service), requested(service)])
    await cancelled(service, gone.order.id)
    const past = new Date(Date.now() - 60_000)
    const old = await linkTo(service, gone.order.id, { recipient: 'requester', expiresAt: past })
    await rewrite(service, late.order.id, { expiresAt: past })
    await pick(missed.requester, { way: 'appointment', ...tomorrow() })
    await rewrite(service, missed.order.id, { appointmentAt: new Date(Date.now() - 25 * 3_600_000) })
    for (const [secret, words, status] of [
      [gone.requester, 'This test was canceled', 410],
      [old, 'This link has expired', 410],
      [late.requester, 'Create a new order if the test is still needed', 410],
      [missed.requester, 'The appointment was missed', 410],
      ['nothing', 'This link doesn’t work', 404],
    ] as const) {
      const page = await open(service, secret)
      expect([page.status, wordsOf(page)]).toEqual([status, expect.stringContaining(words)])
      tellsNothing(page, gone.order.code)
      expect(page.text.includes('Acme')).toBe(secret !== old && secret !== 'nothing')
      expect((await pick(secret)).status).toBe(status)
    }
  })
})

describe('participant, requester and operator at once', () => {
  test('concurrent changes apply one after the other, each with an event and an audit entry', async () => {
    for (let round = 0; round < 10; round++) {
      const { order, requester, participant } = await requested(service)
      await pick(requester)
      await Promise.all([
        change(requester, { clinic: 'aurora' }),
        change(requester, { clinic: 'clockless' }),
        change(participant, { way: 'appointment', ...tomorrow() }),
        operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'dallas' }),
        submit(service, participant, { step: 'cancel' }),
      ])
      const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}`)).body
      const deeds = (data as { action: string; before: object; after: object }[]).filter(
        ({ action }) => action !== 'order.read',
      )
      expect(await eventsOf(service, order.id)).toHaveLength(deeds.length)
      // A state left more often than it was reached would mean a lost update.
      const reached = [deeds.at(-1)!.before, ...deeds.map(({ after }) => after)].map((state) => JSON.stringify(state))
      const left = deeds.map(({ before }) => JSON.stringify(before))
      const times = (states: string[], state: string) => states.filter((each) => each === state).length
      for (const state of left) expect(times(left, state)).toBeLessThanOrEqual(times(reached, state))
      const { clinic, appointmentAt } = (await contentOf(service, order.id)) as Partial<Order>
      // Only the booking in Naperville has a time.
      expect(appointmentAt === null || clinic?.id === 'naperville').toBe(true)
    }
  })

  test('of two concurrent first bookings one is made, and the other shows it', async () => {
    const { order, requester } = await requested(service)
    const second = await linkTo(service, order.id, { recipient: 'requester' })
    await Promise.all([pick(requester), pick(second, { clinic: 'aurora' })])
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    const { name } = (await readOrder(service, order.id)).clinic
    const late = await pick(second, { clinic: 'clockless' })
    expect(wordsOf(await followed(service, late))).toContain('A clinic is already booked. Change it?')
    for (const secret of [requester, second]) expect(wordsOf(await open(service, secret))).toContain(name)
  })
})
