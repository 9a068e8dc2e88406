import { describe, expect, test } from 'vitest'
import { operate } from '../support/operator.ts'
import { contentOf, created, PERSON, rewrite } from '../orders/given.ts'
import {
  changed,
  completed,
  invited,
  linkTo,
  open,
  participantService,
  participantWorld,
  readOrder,
  requested,
  submit,
  tomorrow,
  wordsOf,
  type Page,
} from './given.ts'

const service = participantService({ hq: { confirmIdentity: undefined } })

/** The cookie that an answer sets for the device; undefined if it sets none. */
const markOf = ({ headers }: Page) =>
  headers
    .getSetCookie()
    .map((cookie) => /^(d_[\w-]{12}=[\w-]+);/.exec(cookie)?.[1])
    .find((mark) => mark !== undefined)

const BIRTH = { birthMonth: '3', birthDay: '7', birthYear: '1990' }
const answer = (secret: string, fields: Record<string, string> = BIRTH, headers = {}) =>
  submit(service, secret, { step: 'identify', ...fields }, '', undefined, headers)

/** A booked order whose participant was born on March 7, 1990. */
async function booked(members: object = {}) {
  const settings = { schedulingOption: 'schedule' }
  const order = await created(service, { participant: { ...PERSON, birthDate: '1990-03-07' }, settings, ...members })
  return { order, secret: await linkTo(service, order.id) }
}

const isAsked = (page: Page) => /Is it you, Maria\?/.test(wordsOf(page))

describe('a new device', () => {
  test('a new device is asked for the birth date before it shows anything of the pass', async () => {
    const { order, secret } = await booked()
    for (const query of ['', '?step=change', '?step=cancel']) {
      const page = await open(service, secret, query)
      expect(page.status).toBe(200)
      expect(isAsked(page)).toBe(true)
      for (const text of ['Lopez', order.code, 'Urine', '1990', 'Ogden']) expect(page.text).not.toContain(text)
      for (const box of ['bday-month', 'bday-day', 'bday-year']) expect(page.text).toContain(`autocomplete="${box}"`)
    }
  })

  test('the right answer makes the device known, for later links too, and leads to the step that was asked for', async () => {
    const { order, secret } = await booked()
    const page = await answer(secret, { ...BIRTH, next: 'cancel' })
    expect(page.headers.get('location')).toBe(`/o/${secret}?step=cancel`)
    const cookie = page.headers.getSetCookie().find((each) => each.startsWith('d_'))!
    expect(cookie).toMatch(/; Path=\/o; HttpOnly; SameSite=Lax; Expires=/)
    const later = await linkTo(service, order.id)
    expect((await open(service, later, '', { cookie: markOf(page)! })).text).toContain(order.code)
    expect(isAsked(await open(service, later))).toBe(true)
  })

  test('a device is known for one order only, and a damaged or old cookie is none', async () => {
    const [one, other] = [await booked(), await booked()]
    const mark = markOf(await answer(one.secret))!
    const theirs = markOf(await answer(other.secret))!
    const value = mark.split('=')[1]!
    expect(isAsked(await open(service, other.secret, '', { cookie: mark }))).toBe(true)
    expect(isAsked(await open(service, other.secret, '', { cookie: `${theirs.split('=')[0]}=${value}` }))).toBe(true)
    expect(isAsked(await open(service, one.secret, '', { cookie: mark.slice(0, -2) }))).toBe(true)
    expect(isAsked(await open(service, one.secret, '', { cookie: `a=b; ${mark}; ${theirs}` }))).toBe(false)
    const past = new Date(Date.now() - 100 * 86_400_000)
    const old = service.store.devices.mark({ tenantId: 'north', orderId: one.order.id }, past)
    expect(isAsked(await open(service, one.secret, '', { cookie: `${mark.split('=')[0]}=${old}` }))).toBe(true)
  })

  test('the device that completes or books an order is known', async () => {
    const { order, secret } = await invited(service)
    const mark = markOf(await completed(service, secret))!
    expect((await open(service, secret, '', { cookie: mark })).text).toContain(order.code)
    expect(isAsked(await open(service, secret))).toBe(true)
  })

  test('the files of the pass lead a new device to the question', async () => {
    const { secret } = await invited(service)
    const mark = markOf(await completed(service, secret, { way: 'appointment', ...tomorrow() }))!
    for (const file of ['pass.pdf', 'appointment.ics']) {
      const page = await open(service, `${secret}/${file}`)
      expect([page.status, page.headers.get('location')]).toEqual([303, `/o/${secret}`])
      expect((await open(service, `${secret}/${file}`, '', { cookie: mark })).status).toBe(200)
    }
  })

  test('a new device can neither change nor cancel the booking', async () => {
    const { order, secret } = await invited(service)
    const mark = markOf(await completed(service, secret))!
    const change = { step: 'book', change: 'yes', clinic: 'aurora', way: 'walkIn' }
    for (const form of [change, { step: 'cancel' }]) {
      const page = await submit(service, secret, form)
      expect([page.status, page.headers.get('location')]).toEqual([303, `/o/${secret}`])
    }
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
    await changed(service, secret, change, { cookie: mark })
    expect((await readOrder(service, order.id)).clinic.id).toBe('aurora')
  })

  test.each(['LÓPEZ', ' lo pez ', "L'opez"])(
    'without a birth date on file, the last name is asked: %j is right',
    async (lastName) => {
      const { order, secret } = await booked()
      const { participant } = (await service.store.orders.find('north', order.id))!
      await rewrite(service, order.id, { participant: { ...participant, birthDate: null } })
      expect(wordsOf(await open(service, secret))).toContain('Your last name')
      expect(markOf(await answer(secret, { lastName: 'Smith' }))).toBeUndefined()
      expect(markOf(await answer(secret, { lastName }))).toBeDefined()
    },
  )

  test('details on file are neither shown nor changed on a new device', async () => {
    const participant = { ...PERSON, birthDate: '1990-03-07' }
    const { order, secret } = await invited(service, { participant })
    for (const query of ['', '?step=check', '?step=you&edit=birthDate', '?step=clinics', '?step=help']) {
      const page = await open(service, secret, query)
      expect(isAsked(page)).toBe(true)
      for (const text of ['Lopez', 'example.com', '0142', 'Naperville']) expect(page.text).not.toContain(text)
    }
    const changes = { step: 'you', edit: 'birthDate', birthMonth: '1', birthDay: '1', birthYear: '2000' }
    expect((await submit(service, secret, changes)).headers.get('location')).toBe(`/o/${secret}`)
    expect(await contentOf(service, order.id)).toMatchObject({ participant: { birthDate: '1990-03-07' } })
    const mark = markOf(await answer(secret))!
    expect(wordsOf(await open(service, secret, '', { cookie: mark }))).toContain('Check your details')
  })

  test('details that are still missing are asked for without the question, and so is a requester', async () => {
    const { secret } = await invited(service)
    expect(isAsked(await open(service, secret))).toBe(false)
    const { requester } = await requested(service)
    await submit(service, requester, { step: 'book', clinic: 'naperville', way: 'walkIn' })
    expect(wordsOf(await open(service, requester))).toContain('A clinic is booked')
  })

  test('the setting `confirmIdentity` of the location, else of the company, switches the question off', async () => {
    const { order, secret } = await booked()
    const settings = { clinicFeeCap: 100, backgroundProvider: 'checkers', confirmIdentity: false }
    await service.apply(participantWorld({ settings, hq: { confirmIdentity: undefined } }))
    expect((await open(service, secret)).text).toContain(order.code)
    await service.apply(participantWorld({ settings, hq: { confirmIdentity: true } }))
    expect(isAsked(await open(service, secret))).toBe(true)
    await service.apply(participantWorld({ hq: { confirmIdentity: undefined } }))
  })
})

describe('wrong answers', () => {
  test('a wrong answer says so, an incomplete one what is missing, and neither makes the device known', async () => {
    const { secret } = await booked()
    for (const [fields, fault, words] of [
      [{ ...BIRTH, birthYear: '1991' }, 'mismatch', 'That doesn’t match what we have.'],
      [{ birthMonth: '3', birthDay: '', birthYear: '90' }, 'incomplete', 'Enter the month, day and year'],
    ] as const) {
      const page = await answer(secret, fields)
      expect(markOf(page)).toBeUndefined()
      expect(page.headers.get('location')).toBe(`/o/${secret}?fault=${fault}`)
      const shown = await open(service, secret, `?fault=${fault}`)
      expect(wordsOf(shown)).toContain(words)
      expect(shown.text).toMatch(/<title>Error: Is it you, Maria\?<\/title>/)
    }
  })

  test('five wrong answers lock the question for an hour, even for the right answer; incomplete ones do not count', async () => {
    const { order, secret } = await booked()
    for (let i = 0; i < 6; i++) await answer(secret, { birthMonth: '1' })
    for (let i = 0; i < 5; i++) await answer(secret, { ...BIRTH, birthDay: String(10 + i) })
    const right = await answer(secret)
    expect(markOf(right)).toBeUndefined()
    expect(right.headers.get('location')).toBe(`/o/${secret}`)
    for (const query of ['', '?fault=mismatch']) {
      const words = wordsOf(await open(service, secret, query))
      expect(words).toMatch(/This page is locked until \w+, \w+ \d+, \d+(:\d\d)? [AP]M CT\./)
      expect(words).toContain('a new link, which unlocks the page at once')
      expect(words).not.toContain('doesn’t match')
    }
    expect(wordsOf(await open(service, secret, '?lang=es'))).toContain('Esta página está bloqueada hasta el ')
    const inAnHour = service.pool`update wrong_answers set locked_until = now() - interval '1 second' where order_id = ${order.id}`
    await inAnHour
    await answer(secret, { ...BIRTH, birthDay: '20' })
    expect(markOf(await answer(secret))).toBeDefined()
  })

  test('a lock is recorded in the audit log, and a new link that an operator sends ends it', async () => {
    const { order, secret } = await booked()
    for (let i = 0; i < 5; i++) await answer(secret, { ...BIRTH, birthDay: String(10 + i) })
    const { body } = await operate(service, 'GET', `/audit?subjectId=${order.id}&action=participant.lockedOut`)
    expect(body.total).toBe(1)
    expect(markOf(await answer(secret))).toBeUndefined()
    expect((await operate(service, 'POST', `/orders/${order.id}/links`, {})).status).toBe(200)
    expect(isAsked(await open(service, secret))).toBe(true)
    expect(markOf(await answer(secret))).toBeDefined()
  })

  test('answers sent at the same time are all counted', async () => {
    const { secret } = await booked()
    await Promise.all(Array.from({ length: 8 }, (_, i) => answer(secret, { ...BIRTH, birthDay: String(10 + i) })))
    expect(markOf(await answer(secret))).toBeUndefined()
  })

  test('opening a link and asking for a fault counts nothing', async () => {
    const { order, secret } = await booked()
    for (let i = 0; i < 6; i++) await open(service, secret, '?fault=mismatch')
    expect(await service.pool`select from wrong_answers where order_id = ${order.id}`).toEqual([])
    expect(markOf(await answer(secret))).toBeDefined()
  })

  test('an erased order leaves no count of wrong answers', async () => {
    const { order, secret } = await booked()
    await answer(secret, { ...BIRTH, birthDay: '8' })
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: 'north', id: order.id }])
      await tx.orderRemoval.remove('north', [order.id])
    })
    expect(await service.pool`select from wrong_answers where order_id = ${order.id}`).toEqual([])
  })

  test('a computer that many people use keeps at most 20 cookies', async () => {
    const { secret } = await booked()
    const cookie = Array.from({ length: 25 }, (_, i) => `d_${String(i).padStart(12, '0')}=x`).join('; ')
    const set = (await answer(secret, BIRTH, { cookie })).headers.getSetCookie()
    expect(set.filter((each) => each.startsWith('d_') && each.includes('Max-Age=0'))).toHaveLength(6)
    expect(set.find((each) => each.startsWith('d_000000000000='))).toContain('Max-Age=0')
  })
})

test('the history of an order is unchanged by answers', async () => {
  const { order, secret } = await booked()
  const before = await contentOf(service, order.id)
  await answer(secret)
  await answer(secret, { ...BIRTH, birthDay: '8' })
  expect(await contentOf(service, order.id)).toEqual(before)
  const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}`)).body as { data: unknown[] }
  expect(data).toEqual([])
})
