import { describe, expect, test } from 'vitest'
import { clinic, contentOf, created, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import {
  browserWith,
  changed,
  CLINICS,
  completed,
  confirmed,
  draftOf,
  errorsIn,
  eventsOf,
  followed,
  invited,
  linkTo,
  filledIn,
  open,
  participantService,
  readOrder,
  submitted,
  stepTo,
  submit,
  tomorrow,
  wordsOf,
  type Page,
} from './given.ts'

/** Open on one weekday, some days from now. */
const RARE = clinic('rare', '98101', {
  name: 'Rare Clinic',
  timezone: 'America/Chicago',
  hours: { [weekdayIn(4)]: [['08:00', '17:00']] },
})

function weekdayIn(days: number): string {
  const { date } = tomorrow('', days)
  return ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(`${date}T00:00Z`).getUTCDay()]!
}

/** Military mail has no zone. */
const ZONELESS = clinic('zoneless', '09003', { address: { line1: '1', city: 'APO', state: 'AE', postalCode: '09003' } })

const service = participantService({ clinics: [...CLINICS, RARE, ZONELESS], hq: { configuredClinic: 'naperville' } })

const namesIn = ({ text }: Page) => [...text.matchAll(/name="clinic" value="([\w-]+)"/g)].map(([, id]) => id)
const detailed = async (secret: string, fields: Record<string, string> = {}) =>
  (await filledIn(service, secret, fields)).page

describe('a clinic without slots', () => {
  test('the page offers times on five minutes, and only those and the opening of a clinic can be chosen', async () => {
    const { order, secret } = await invited(service)
    const draft = await draftOf(service, secret)
    const page = await open(service, secret, '?step=time&clinic=aurora', browserWith(draft))
    expect(page.text).toMatch(/<input[^>]*name="time"[^>]*step="300"/)
    const at = tomorrow('10:07', 7)
    const answer = await submit(
      service,
      secret,
      { step: 'book', clinic: 'naperville', way: 'appointment', ...at },
      '',
      draft,
    )
    const shown = await followed(service, answer, draft)
    expect(errorsIn(shown)).toEqual(['time'])
    expect(wordsOf(shown)).toContain('Choose a time on five minutes, like 9:15.')
    expect(shown.text).toContain('value="10:07"')
    const instant = `${at.date}T16:07:00.000Z`
    await submit(service, secret, { step: 'book', clinic: 'naperville', slot: instant }, '', draft)
    expect((await readOrder(service, order.id)).clinic).toBeNull()
    const right = { step: 'book', clinic: 'naperville', way: 'appointment', ...tomorrow('10:20', 7) }
    await submit(service, secret, right, '', draft)
    expect((await readOrder(service, order.id)).clinic).toMatchObject({ id: 'naperville' })
  })
})

describe('the clinics to choose from', () => {
  test('the list has the clinics that the order could have been created with, the nearest first', async () => {
    const { secret } = await invited(service)
    const page = await detailed(secret)
    expect(namesIn(page)).toEqual(['naperville', 'clockless', 'aurora'])
    const words = wordsOf(page)
    for (const known of ['10 Main Street', 'Suite 2', 'Naperville, IL 60540', '(630) 555-0100', 'Hours', 'under 1 mi'])
      expect(words).toContain(known)
    expect(words).toContain('3 clinics within 50 miles, nearest first')
  })

  test('clinics are searched by city if the postal code is unknown, and the page says so', async () => {
    const { secret } = await invited(service)
    const page = await detailed(secret, { postalCode: '99999' })
    expect(wordsOf(page)).toContain('We couldn’t find your postal code')
    expect(namesIn(page)).toContain('naperville')
  })

  test('the participant searches by city and state if the address cannot be located', async () => {
    const { secret } = await invited(service)
    const lost = { postalCode: '99999', city: 'Nowhere', state: 'AK' }
    const page = await detailed(secret, lost)
    expect(wordsOf(page)).toContain('We couldn’t find your address on the map')
    expect(namesIn(page)).toEqual([])
    const found = await stepTo(service, secret, { step: 'clinics', place: 'Dallas TX' })
    expect(namesIn(found)).toEqual(['dallas'])
    expect(wordsOf(found)).toContain('Showing clinics near Dallas, TX .')
  })

  test.each([
    ['', 'Enter a city and state'],
    ['Atlantis ZZ', 'We didn’t understand this place'],
    ['?', 'We didn’t understand this place'],
  ])('a search for "%s" says what is wrong', async (place, words) => {
    const { secret } = await invited(service)
    const page = await stepTo(service, secret, { step: 'clinics', place })
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain(words)
    expect(namesIn(page)).toContain('naperville')
  })

  test.each(['dear', 'closed', 'partial', 'unheard-of'])(
    'the list has no %s, and it cannot be chosen either',
    async (id) => {
      const { order, secret } = await invited(service)
      const page = await followed(service, await completed(service, secret, { clinic: id }))
      expect(wordsOf(page)).toContain('This clinic is no longer available')
      expect((await readOrder(service, order.id)).clinic).toBeNull()
    },
  )
})

describe('the time', () => {
  test('a booking needs no time, and can have one if the clinic’s time zone is known', async () => {
    const { secret } = await invited(service)
    const known = await stepTo(service, secret, { step: 'time', clinic: 'aurora' })
    expect(known.text).toContain('type="date"')
    expect(wordsOf(known)).toContain('Central Time')
    const byPosition = await stepTo(service, secret, { step: 'time', clinic: 'clockless' })
    expect(byPosition.text).toContain('type="date"')
    expect(wordsOf(byPosition)).toContain('Central Time')
    const unknown = await stepTo(service, secret, { step: 'time', clinic: 'zoneless' })
    expect(unknown.text).not.toContain('type="date"')
    expect(wordsOf(unknown)).toContain('don’t need an appointment')
  })

  const expiring = { settings: { schedulingOption: 'link', expiresIn: 3 } }
  const yesterday = tomorrow('09:30', -1)
  test.each([
    ['an empty form', {}, 'Choose whether you want an appointment'],
    ['a missing date', { way: 'appointment', time: '09:30' }, 'Choose a date.'],
    ['a missing time', { way: 'appointment', date: '2999-01-01' }, 'Choose a time.'],
    ['an invalid date', { way: 'appointment', date: '2027-02-30', time: '09:30' }, 'Choose a date like'],
    ['an invalid time', { way: 'appointment', ...tomorrow('25:00') }, 'Choose a time like'],
    ['a time in the past', { way: 'appointment', ...yesterday }, 'This time is in the past'],
    ['a time after the order expires', { way: 'appointment', ...tomorrow('09:30', 5) }, 'after your deadline'],
  ])('the page says what is wrong with %s and keeps the choice', async (_, fields: Record<string, string>, words) => {
    const { order, secret } = await invited(service, expiring)
    const page = await followed(service, await completed(service, secret, { way: '', ...fields }))
    expect(wordsOf(page)).toContain(words)
    const typed = Object.entries(fields).filter(([name]) => name !== 'way')
    for (const [name, value] of typed) expect(page.text).toMatch(new RegExp(`name="${name}"[^>]*value="${value}"`))
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('a time has to be within the clinic’s hours if they are known', async () => {
    const { order, secret } = await invited(service)
    const time = { way: 'appointment', ...tomorrow('06:00', 3) }
    const page = await followed(service, await completed(service, secret, { clinic: 'aurora', ...time }))
    expect(wordsOf(page)).toContain('The clinic is closed then')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })
})

describe('without an appointment', () => {
  test('a clinic that does not open before the order expires cannot be booked for a walk-in', async () => {
    const { order, secret } = await invited(service, { settings: { schedulingOption: 'link', expiresIn: 2 } })
    const page = await followed(service, await completed(service, secret, { clinic: 'rare' }))
    expect(wordsOf(page)).toContain('This clinic doesn’t open again before your deadline.')
    expect(page.text).toContain('id="way-error"')
    expect((await readOrder(service, order.id)).clinic).toBeNull()
    const later = await invited(service, { settings: { schedulingOption: 'link', expiresIn: 8 } })
    await completed(service, later.secret, { clinic: 'rare' })
    expect((await readOrder(service, later.order.id)).clinic.id).toBe('rare')
  })
})

describe('a booking', () => {
  test('a booking is at most 90 days ahead, and the page says so', async () => {
    const { order, secret } = await invited(service)
    const late = { way: 'appointment', ...tomorrow('09:30', 92) }
    const page = await followed(service, await completed(service, secret, late))
    expect(wordsOf(page)).toContain('Appointments can be made up to 90 days ahead.')
    expect(wordsOf(page)).not.toContain('after your deadline')
    await completed(service, secret, { way: 'appointment', ...tomorrow('09:30', 89) })
    expect((await readOrder(service, order.id)).status).toBe('scheduled')
  })

  test('a booking at an inactive clinic says so, and can be moved by anyone who may choose the clinic', async () => {
    const settings = { schedulingOption: 'schedule', clinicSelectionMode: 'configured' }
    const order = await created(service, { participant: PERSON, settings })
    const [fixed, chosen] = [await linkTo(service, order.id), await invited(service)]
    await completed(service, chosen.secret, { way: 'appointment', ...tomorrow() })
    await service.pool`update clinics set is_active = false where id = 'naperville'`
    const pass = await open(service, chosen.secret)
    expect(wordsOf(pass)).toContain('This clinic is no longer available. Please choose another one.')
    expect(pass.text).not.toContain('appointment.ics')
    const file = await open(service, `${chosen.secret}/appointment.ics`)
    expect(file.text.replaceAll('\r\n ', '')).toContain('no longer available')
    const waiting = await open(service, fixed)
    expect(wordsOf(waiting)).toContain('ask Acme')
    expect(waiting.text).not.toMatch(/step=(change|cancel)/)
    expect((await open(service, fixed, '?step=change')).headers.get('location')).toBe(`/o/${fixed}`)
    await changed(service, fixed, { way: 'appointment', ...tomorrow() })
    expect(await contentOf(service, order.id)).toMatchObject({ appointmentAt: null })
    await changed(service, chosen.secret, { clinic: 'aurora', way: 'walkIn' })
    expect(wordsOf(await open(service, chosen.secret))).not.toContain('no longer available')
    await service.pool`update clinics set is_active = true where id = 'naperville'`
    expect(wordsOf(await open(service, fixed))).not.toContain('no longer available')
  })

  test('a booking can be changed before check-in, with one event', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    expect(wordsOf(await open(service, secret, '?step=change'))).toContain('Change your time')
    expect(namesIn(await open(service, secret, '?step=clinics&change=yes'))).toContain('aurora')
    const page = await changed(service, secret, { clinic: 'naperville', way: 'appointment', ...tomorrow() })
    expect([page.status, page.headers.get('location')]).toEqual([303, `/o/${secret}`])
    expect(await eventsOf(service, order.id)).toHaveLength(2)
    expect((await contentOf(service, order.id))['appointmentAt']).not.toBeNull()
    expect((await readOrder(service, order.id)).status).toBe('scheduled')
  })

  test('changing a booking to itself changes nothing', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const page = await submit(service, secret, { step: 'book', change: 'yes', clinic: 'naperville', way: 'walkIn' })
    expect(page.headers.get('location')).toBe(`/o/${secret}`)
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('a change shows the old and the new time, and the old one stays until it is confirmed', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { way: 'appointment', ...tomorrow('09:30') })
    const fields = { step: 'book', change: 'yes', clinic: 'aurora', way: 'walkIn' }
    const page = await submitted(service, secret, fields)
    expect(wordsOf(page)).toMatch(
      /Change your booking\? .*From .*9:30.AM CT Naperville Occupational Health To Any time it’s open Aurora Clinic/,
    )
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    // Another window books something else: the confirmation does not apply to it.
    await changed(service, secret, { clinic: 'naperville', way: 'appointment', ...tomorrow('10:30') })
    const late = await confirmed(service, secret, page)
    expect(late.headers.get('location')).toContain('step=confirm')
    const again = await followed(service, late)
    expect(wordsOf(again)).toMatch(/From .*10:30.AM CT/)
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
    await confirmed(service, secret, again)
    expect((await readOrder(service, order.id)).clinic.id).toBe('aurora')
    expect(await eventsOf(service, order.id)).toHaveLength(3)
  })

  test('a booking can be cancelled after a confirmation, and made again without entering details', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    expect(wordsOf(await open(service, secret, '?step=cancel'))).toContain('Cancel this booking?')
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    expect(wordsOf(await submitted(service, secret, { step: 'cancel' }))).toContain('Your visit was canceled.')
    expect(await readOrder(service, order.id)).toMatchObject({ clinic: null, status: 'ordered' })
    expect(await eventsOf(service, order.id)).toHaveLength(2)
    const again = await open(service, secret)
    expect(wordsOf(again)).toContain('Choose a clinic')
    expect(again.text).not.toContain('birthDate')
    await submit(service, secret, { step: 'book', clinic: 'aurora', way: 'walkIn' })
    expect((await readOrder(service, order.id)).clinic.id).toBe('aurora')
  })

  test('a booking cannot be changed or cancelled once something was collected', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, {
      status: 'checkedIn',
    })
    const pass = await open(service, secret)
    expect(pass.text).not.toContain('step=c')
    const events = (await eventsOf(service, order.id)).length
    await submit(service, secret, { step: 'cancel' })
    await changed(service, secret, { clinic: 'aurora', way: 'walkIn' })
    expect(await eventsOf(service, order.id)).toHaveLength(events)
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
  })

  test('a booking at the company’s clinic can get another time, but no other clinic', async () => {
    const order = await created(service, {
      participant: PERSON,
      settings: { schedulingOption: 'schedule', clinicSelectionMode: 'configured' },
    })
    const secret = await linkTo(service, order.id)
    expect(wordsOf(await open(service, secret))).toContain('Change the time')
    const page = await open(service, secret, '?step=change')
    expect(wordsOf(page)).toContain('Change your time')
    const moved = { step: 'book', change: 'yes', way: 'appointment', ...tomorrow() }
    // A time for another clinic does not count for this one: the page asks again.
    expect(wordsOf(await submitted(service, secret, { ...moved, clinic: 'aurora' }))).toContain('Change your time')
    expect(await contentOf(service, order.id)).toMatchObject({ clinic: { id: 'naperville' }, appointmentAt: null })
    await changed(service, secret, { ...moved, clinic: 'naperville' })
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
    expect((await contentOf(service, order.id))['appointmentAt']).not.toBeNull()
    // Nobody could choose another clinic, so the booking cannot be cancelled.
    const before = await contentOf(service, order.id)
    expect((await open(service, secret)).text).not.toContain('step=cancel')
    expect((await open(service, secret, '?step=cancel')).headers.get('location')).toBe(`/o/${secret}`)
    await submit(service, secret, { step: 'cancel' })
    expect(await contentOf(service, order.id)).toEqual(before)
    expect(wordsOf(await open(service, secret))).toContain('Your pass')
  })
})
