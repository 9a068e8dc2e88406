import { describe, expect, test } from 'vitest'
import { operate } from '../support/operator.ts'
import { contentOf, TENANT } from '../orders/given.ts'
import {
  completed,
  DETAILS,
  draftOf,
  eventsOf,
  followed,
  invited,
  open,
  participantService,
  readOrder,
  submitted,
  submit,
  wordsOf,
} from './given.ts'

const service = participantService()

const BOOK = { step: 'book', clinic: 'naperville', way: 'walkIn' }
const HOUR = 3_600_000
const sealed = (orderId: string, age: number, tenantId = TENANT) =>
  service.store.drafts.seal(DETAILS, { tenantId, orderId }, new Date(Date.now() - age))
const listAt = (secret: string, draft: string) => open(service, secret, `?step=clinics&draft=${draft}`)

describe('drafts', () => {
  test('a draft is sealed in the address and stored nowhere else', async () => {
    const { order, secret } = await invited(service)
    const { headers, text } = await submit(service, secret, { step: 'details', ...DETAILS })
    const location = headers.get('location')!
    expect(location).toMatch(new RegExp(`^/o/${secret}\\?step=clinics&draft=[\\w-]+$`))
    expect(headers.get('cache-control')).toBe('no-store')
    const draft = Buffer.from(new URLSearchParams(location.split('?')[1]).get('draft')!, 'base64url').toString('latin1')
    for (const value of Object.values(DETAILS).filter((each) => each.length > 3)) {
      expect(location).not.toContain(value)
      expect(draft).not.toContain(value)
      expect(text).not.toContain(value)
    }
    expect(JSON.stringify(await contentOf(service, order.id))).not.toContain(DETAILS.birthDate)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a draft expires after a few hours', async () => {
    const { order, secret } = await invited(service)
    expect(wordsOf(await listAt(secret, sealed(order.id, 3.9 * HOUR)))).toContain('Choose a clinic')
    expect(wordsOf(await listAt(secret, sealed(order.id, 4.1 * HOUR)))).toContain('Please enter it again.')
  })

  test('a damaged, foreign or expired draft leads back to the details and books nothing', async () => {
    const [one, other] = [await invited(service), await invited(service)]
    const right = (await draftOf(service, one.secret))!
    const wrong = [
      right.slice(0, -4),
      `${right}; Path=/`,
      `${right.slice(0, 60)}${right[60] === 'A' ? 'B' : 'A'}${right.slice(61)}`,
      'x',
      '%00',
      '',
      (await draftOf(service, other.secret))!,
      sealed(one.order.id, 0, 'another'),
      sealed(one.order.id, 5 * HOUR),
    ]
    for (const draft of wrong) {
      const page = await listAt(one.secret, draft)
      expect(page.status).toBe(200)
      expect(wordsOf(page)).toContain('Your details')
      expect(page.text).not.toContain(DETAILS.birthDate)
      expect(wordsOf(await submitted(service, one.secret, { ...BOOK, draft }))).toContain('Please enter it again.')
    }
    expect(wordsOf(await submitted(service, one.secret, BOOK))).toContain('Please enter it again.')
    expect(await eventsOf(service, one.order.id)).toEqual([])
    await submit(service, one.secret, { ...BOOK, draft: right })
    expect((await readOrder(service, one.order.id)).status).toBe('scheduled')
  })

  test('a draft is checked in full before anything else is shown or done', async () => {
    const { order, secret } = await invited(service)
    const typed = { ...DETAILS, consent: '', email: 'maria@' }
    const draft = service.store.drafts.seal(typed, { tenantId: TENANT, orderId: order.id }, new Date())
    for (const page of [await listAt(secret, draft), await submitted(service, secret, { ...BOOK, draft })]) {
      expect(wordsOf(page)).toContain('Enter an email address like')
      expect(page.text).toContain('value="maria@"')
    }
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a draft that is too long for an address is refused, even if each field is within its limit', async () => {
    const { secret } = await invited(service)
    const long = Object.fromEntries(
      ['line1', 'line2', 'city', 'state', 'postalCode', 'identifierValue', 'identifierState'].map((name) => [
        name,
        '里'.repeat(255),
      ]),
    )
    const page = await submit(service, secret, { step: 'details', ...DETAILS, ...long, line2: '里'.repeat(250) })
    expect(page.status).toBe(422)
    expect(wordsOf(page)).toContain('this is too long. Shorten it.')
    expect(page.text).toContain('里'.repeat(255))
  })

  test('a draft fills the form at the link itself, in the same browser, until the order is completed', async () => {
    const { secret } = await invited(service)
    const answer = await submit(service, secret, { step: 'details', ...DETAILS })
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(new RegExp(`^draft=[\\w-]+; Path=/o/${secret}; HttpOnly; SameSite=Lax$`))
    const [kept] = cookie.split(';')
    const again = await open(service, secret, '', { cookie: kept! })
    expect(again.text).toContain(`value="${DETAILS.identifierValue}"`)
    expect((await open(service, secret)).text).not.toContain(DETAILS.identifierValue)
    const other = await invited(service)
    const foreign = await open(service, other.secret, '', { cookie: kept! })
    expect(foreign.text).not.toContain(DETAILS.identifierValue)
    expect(wordsOf(foreign)).not.toContain('once more')
    const behindProxy = await fetch(`${service.origin}/o/${secret}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ step: 'details', ...DETAILS }),
    })
    expect(behindProxy.headers.get('set-cookie')).toContain('; Secure')
    const finished = await completed(service, secret)
    expect(finished.headers.get('set-cookie')).toContain('draft=; ')
    expect(finished.headers.get('set-cookie')).toContain('Max-Age=0')
  })
})

test('only sealed drafts are put into addresses and cookies', async () => {
  const { secret } = await invited(service)
  await completed(service, secret)
  const draft = 'x; Path=/\r\nx: y'
  for (const fields of [
    { step: 'book', change: 'yes', clinic: 'naperville' },
    { step: 'time', change: 'yes' },
  ]) {
    const { status, headers } = await submit(service, secret, { ...fields, draft })
    expect(status).toBe(303)
    expect(headers.get('location')).not.toContain('draft')
    expect(headers.get('set-cookie')).toMatch(/^draft=; /)
  }
})

describe('a clinic that was booked meanwhile', () => {
  test('a booking from another window stays, and the page asks unless the same was requested', async () => {
    const { order, secret } = await invited(service)
    const draft = (await draftOf(service, secret))!
    await completed(service, secret)
    expect((await submit(service, secret, { ...BOOK, draft })).headers.get('location')).toBe(`/o/${secret}`)
    const page = await submitted(service, secret, { ...BOOK, clinic: 'aurora', draft })
    expect(wordsOf(page)).toContain('You already booked a clinic. Change it?')
    expect(wordsOf(page)).toContain('Naperville Occupational Health')
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('a booking by an operator stays, and the participant is asked only for the details', async () => {
    const { order, secret } = await invited(service)
    const draft = (await draftOf(service, secret))!
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
    const page = await submitted(service, secret, { ...BOOK, draft })
    expect(wordsOf(page)).toContain('A clinic is already booked')
    expect(page.text).toContain(`value="${DETAILS.line1}"`)
    expect((await readOrder(service, order.id)).participant.birthDate).toBeNull()
    await submit(service, secret, { step: 'details', ...DETAILS })
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ clinic: { id: 'aurora' }, participant: { birthDate: DETAILS.birthDate } })
  })

  test('after a booking, earlier steps lead to the pass or show the booking that they would change', async () => {
    const { secret } = await invited(service)
    const draft = (await draftOf(service, secret))!
    await completed(service, secret)
    const answer = await open(service, secret, `?step=details&clinic=aurora&draft=${draft}`)
    expect(answer.headers.get('location')).toBe(`/o/${secret}`)
    expect(wordsOf(await followed(service, answer))).toContain('Your pass')
    for (const step of ['clinics', 'time', 'book']) {
      const page = await open(service, secret, `?step=${step}&clinic=aurora&draft=${draft}`)
      expect(wordsOf(page)).toContain('Booked now Any time it’s open Naperville Occupational Health')
      expect(page.text).not.toContain('name="draft"')
    }
  })
})
