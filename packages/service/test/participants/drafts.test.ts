import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operate } from '../support/operator.ts'
import { contentOf, TENANT } from '../orders/given.ts'
import {
  changed,
  completed,
  confirmed,
  browserWith,
  DETAILS,
  draftIn,
  draftOf,
  errorsIn,
  eventsOf,
  filledIn,
  followed,
  invited,
  open,
  participantService,
  readOrder,
  submit,
  submitted,
  wordsOf,
} from './given.ts'

const service = participantService()

const BOOK = { step: 'book', clinic: 'naperville', way: 'walkIn' }
const HOUR = 3_600_000
const listAt = (secret: string, draft: string) => open(service, secret, '?step=clinics', browserWith(draft))

describe('drafts', () => {
  /** A complete draft, sealed anew at another time or for another tenant. */
  async function resealed(secret: string, orderId: string, { age = 0, tenantId = TENANT }) {
    const draft = await draftOf(service, secret)
    const opened = service.store.drafts.open(draft!, { tenantId: TENANT, orderId }, new Date())!
    return service.store.drafts.seal(opened, { tenantId, orderId }, new Date(Date.now() - age))!
  }

  test('a draft is sealed in a cookie of the link, and neither in an address nor stored', async () => {
    const { order, secret } = await invited(service)
    const answer = await submit(service, secret, { step: 'you', ...DETAILS })
    expect(answer.headers.get('location')).toBe(`/o/${secret}?step=contact`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^draft=[\\w-]+; Path=/o/${secret}; Max-Age=14400; HttpOnly; SameSite=Lax$`),
    )
    const plain = Buffer.from(draftIn(answer)!, 'base64url').toString('latin1')
    for (const value of Object.values(DETAILS).filter((each) => each.length > 3)) {
      expect(plain).not.toContain(value)
      expect(answer.text).not.toContain(value)
    }
    expect(JSON.stringify(await contentOf(service, order.id))).not.toContain(DETAILS.birthDate)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('the addresses of all steps show nothing to somebody without the cookie', async () => {
    const { secret } = await invited(service, { package: { id: 'background' } })
    const { draft } = await filledIn(service, secret)
    for (const step of [
      'you',
      'contact',
      'address',
      'check',
      'disclosure',
      'authorization',
      'clinics',
      'time',
      'book',
    ]) {
      const path = `?step=${step}&clinic=naperville`
      const own = await open(service, secret, path, browserWith(draft))
      for (const link of own.text.matchAll(/(?:href|action)="([^"]*)"/g)) expect(link[1]).not.toContain('draft')
      const stranger = await open(service, secret, path)
      for (const value of [DETAILS.line1, '1990', '4567', '555-0142', 'Signed'])
        expect(stranger.text).not.toContain(value)
    }
  })

  test('a draft in an address or a form is ignored', async () => {
    const { order, secret } = await invited(service)
    const draft = (await draftOf(service, secret))!
    expect(wordsOf(await open(service, secret, `?step=clinics&draft=${draft}`))).toContain('Please allow cookies')
    await submit(service, secret, { ...BOOK, draft })
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('without cookies the first page says that they are needed', async () => {
    const { secret } = await invited(service)
    const answer = await submit(service, secret, { step: 'you', ...DETAILS })
    const page = await open(service, answer.headers.get('location')!.replace('/o/', ''))
    expect(wordsOf(page)).toContain('Hi Maria')
    expect(wordsOf(page)).toContain('Please allow cookies for this site, and enter it again.')
    expect(wordsOf(await open(service, secret))).not.toContain('cookies')
  })

  test('a draft expires after four hours', async () => {
    const { order, secret } = await invited(service)
    const young = await resealed(secret, order.id, { age: 3.9 * HOUR })
    expect(wordsOf(await listAt(secret, young))).toContain('Choose a clinic')
    const old = await resealed(secret, order.id, { age: 4.1 * HOUR })
    expect(wordsOf(await listAt(secret, old))).toContain('Please enter it again.')
  })

  test('a damaged, foreign or expired draft leads back to the details and books nothing', async () => {
    const [one, other] = [await invited(service), await invited(service)]
    const right = (await draftOf(service, one.secret))!
    const wrong = [
      right.slice(0, -4),
      `${right.slice(0, 60)}${right[60] === 'A' ? 'B' : 'A'}${right.slice(61)}`,
      'x',
      '%00',
      '',
      (await draftOf(service, other.secret))!,
      await resealed(one.secret, one.order.id, { tenantId: 'another' }),
      await resealed(one.secret, one.order.id, { age: 5 * HOUR }),
    ]
    for (const draft of wrong) {
      const page = await listAt(one.secret, draft)
      expect(page.status).toBe(200)
      expect(wordsOf(page)).toContain('Details 1 of 3')
      expect(page.text).not.toContain('1990')
      expect(wordsOf(await submitted(service, one.secret, BOOK, '', draft))).toContain('enter it again.')
    }
    expect(wordsOf(await submitted(service, one.secret, BOOK))).toContain('enter it again.')
    expect(await eventsOf(service, one.order.id)).toEqual([])
    await submit(service, one.secret, BOOK, '', right)
    expect((await readOrder(service, one.order.id)).status).toBe('scheduled')
  })

  test('a draft is checked in full before anything else is shown or done', async () => {
    const { order, secret } = await invited(service)
    const { draft: right } = await filledIn(service, secret)
    const owner = { tenantId: TENANT, orderId: order.id }
    const opened = service.store.drafts.open(right!, owner, new Date())!
    const values = { ...opened.values, email: 'maria@' }
    const draft = service.store.drafts.seal({ ...opened, values }, owner, new Date())
    for (const page of [await listAt(secret, draft!), await submitted(service, secret, BOOK, '', draft)]) {
      expect(wordsOf(page)).toContain('Enter an email address like')
      expect(page.text).toContain('value="maria@"')
    }
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a draft that does not fit into a cookie is refused at its longest field, and what was typed stays', async () => {
    const { secret } = await invited(service)
    // Letters that cannot be packed.
    const noise = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(randomInt(0x4e00, 0x9fff))).join('')
    const identifier = { identifierValue: noise(250), identifierState: noise(250) }
    const { draft } = await filledIn(service, secret, identifier, { until: 'address' })
    const typed = { step: 'address', line1: noise(255), line2: noise(250), city: noise(250), state: noise(250) }
    const page = await submit(service, secret, { ...typed, country: 'MX', postalCode: noise(250) }, '', draft)
    expect(page.status).toBe(422)
    expect(errorsIn(page)).toEqual(['line1'])
    expect(wordsOf(page)).toContain('this is too long. Shorten it.')
    expect(page.text).toContain(typed.line1)
  })

  test('long details in a script without spaces still fit into a cookie', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { line1: '里'.repeat(255), city: '市'.repeat(255) })
    expect((await readOrder(service, order.id)).participant.address.city).toBe('市'.repeat(255))
  })

  test('the draft of one order is not used for another in the same browser', async () => {
    const [one, other] = [await invited(service), await invited(service)]
    const draft = await draftOf(service, one.secret)
    const foreign = await open(service, other.secret, '', browserWith(draft))
    expect(foreign.text).not.toMatch(/id="birthYear"[^>]*value="\d/)
    expect(foreign.text).not.toContain('4567')
  })

  test('a draft fills the first page of the link in the same browser, until the order is completed', async () => {
    const { secret } = await invited(service)
    const { draft } = await filledIn(service, secret, {
      birthDate: '',
      birthMonth: '3',
      birthDay: '7',
      birthYear: '1990',
    })
    expect((await open(service, secret, '', browserWith(draft))).text).toMatch(/id="birthYear"[^>]*value="1990"/)
    const finished = await submit(service, secret, BOOK, '', draft)
    expect(finished.headers.getSetCookie().join('\n')).toMatch(/^draft=; Path=\S+; Max-Age=0;/m)
  })

  test('the cookie is only sent over https behind a proxy that uses it', async () => {
    const { secret } = await invited(service)
    const behindProxy = await fetch(`${service.origin}/o/${secret}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ step: 'you', ...DETAILS }),
    })
    expect(behindProxy.headers.get('set-cookie')).toContain('; Secure')
  })
})

test('nothing but a sealed draft is put into a cookie, and none after the details', async () => {
  const { secret } = await invited(service)
  await completed(service, secret)
  for (const fields of [
    { step: 'book', change: 'yes', clinic: 'naperville' },
    { step: 'time', change: 'yes' },
  ]) {
    const { status, headers } = await submit(service, secret, fields, '', 'x')
    expect(status).toBe(303)
    expect(headers.get('location')).not.toContain('draft')
    expect(headers.get('set-cookie')).toMatch(/^draft=; /)
  }
})

describe('two tabs of one browser', () => {
  const seenIn = ({ text }: { text: string }) => /name="seen" value="(\d+)"/.exec(text)?.[1] ?? ''
  const ELSEWHERE = 'This page was saved in another tab or window meanwhile.'
  const elm = { ...DETAILS, step: 'address', line1: '7 Elm' }

  test('the tab that saves a step second changes nothing, says so and shows what was saved', async () => {
    const { secret } = await invited(service)
    const { page, draft } = await filledIn(service, secret, {}, { until: 'address' })
    const first = await submit(service, secret, { ...elm, seen: seenIn(page) }, '', draft)
    const second = await submit(service, secret, { ...elm, line1: '8 Oak', seen: seenIn(page) }, '', first.draft)
    const shown = await followed(service, second)
    expect(wordsOf(shown)).toContain(ELSEWHERE)
    expect(shown.text).toContain('value="7 Elm"')
    expect(shown.text).not.toContain('8 Oak')
    const third = await submit(service, secret, { ...elm, line1: '8 Oak', seen: seenIn(shown) }, '', second.draft)
    expect(third.headers.get('location')).toContain('step=check')
    expect(wordsOf(await followed(service, third))).toContain('8 Oak')
  })

  test('the same sent twice, and another step saved meanwhile, are no conflict', async () => {
    const { secret } = await invited(service)
    const { page, draft } = await filledIn(service, secret, {}, { until: 'address' })
    const once = await submit(service, secret, { ...elm, seen: seenIn(page) }, '', draft)
    const twice = await submit(service, secret, { ...elm, seen: seenIn(page) }, '', once.draft)
    expect(twice.headers.get('location')).not.toContain('note=')
    const contact = await open(service, secret, '?step=contact', browserWith(once.draft))
    const again = {
      ...elm,
      line1: '9 Ash',
      seen: seenIn(await open(service, secret, '?step=address', browserWith(once.draft))),
    }
    const saved = await submit(service, secret, again, '', once.draft)
    const phone = { step: 'contact', phone: '(630) 555-0177', seen: seenIn(contact) }
    expect((await submit(service, secret, phone, '', saved.draft)).headers.get('location')).not.toContain('note=')
  })

  test('details that another tab has changed are not confirmed unseen', async () => {
    const { order, secret } = await invited(service)
    const { page, draft } = await filledIn(service, secret, {}, { until: 'check' })
    const edited = await submit(service, secret, elm, '', draft)
    const shown = /name="shown" value="([\w-]+)"/.exec(page.text)![1]!
    const confirm = { step: 'check', consent: 'yes', shown, seen: seenIn(page) }
    const told = await followed(service, await submit(service, secret, confirm, '', edited.draft))
    expect(wordsOf(told)).toContain(ELSEWHERE)
    expect(wordsOf(told)).toContain('7 Elm')
    const right = await submit(service, secret, { ...confirm, seen: seenIn(told) }, '', edited.draft)
    expect(right.headers.get('location')).toContain('step=clinics')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('details sent after another tab has booked lead to the pass, which says that nothing was changed', async () => {
    const { secret } = await invited(service)
    const draft = await draftOf(service, secret)
    await completed(service, secret)
    for (const step of ['you', 'address', 'check']) {
      const page = await submitted(service, secret, { ...DETAILS, step }, '', draft)
      expect(wordsOf(page)).toContain(
        'A clinic was already chosen: you see it here. What you just sent changed nothing.',
      )
    }
  })

  test('a booking that another tab has changed is not cancelled unseen', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const page = await open(service, secret, '?step=cancel')
    await changed(service, secret, { clinic: 'aurora', way: 'walkIn' })
    const answer = await confirmed(service, secret, page)
    expect(wordsOf(await followed(service, answer))).toContain('What you just sent changed nothing.')
    expect((await readOrder(service, order.id)).clinic).toMatchObject({ id: 'aurora' })
    const again = await open(service, secret, '?step=cancel')
    await confirmed(service, secret, again)
    const twice = await confirmed(service, secret, again)
    expect(wordsOf(await followed(service, twice))).toContain('Your visit was canceled.')
  })

  test('the note is shown only where something was saved', async () => {
    const { secret } = await invited(service)
    expect(wordsOf(await open(service, secret, '?step=you&note=elsewhere'))).not.toContain(ELSEWHERE)
  })
})

describe('a clinic that was booked meanwhile', () => {
  test('a booking from another window stays, and the page asks unless the same was requested', async () => {
    const { order, secret } = await invited(service)
    const draft = await draftOf(service, secret)
    await completed(service, secret)
    expect((await submit(service, secret, BOOK, '', draft)).headers.get('location')).toBe(`/o/${secret}`)
    const page = await submitted(service, secret, { ...BOOK, clinic: 'aurora' }, '', draft)
    expect(wordsOf(page)).toContain('You already booked a clinic. Change it?')
    expect(wordsOf(page)).toContain('Naperville Occupational Health')
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('a booking by an operator stays, and the participant is asked only for the details', async () => {
    const { order, secret } = await invited(service)
    const draft = await draftOf(service, secret)
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
    const page = await submitted(service, secret, BOOK, '', draft)
    expect(wordsOf(page)).toContain('Check your details')
    expect(page.text).toContain(DETAILS.line1)
    expect((await readOrder(service, order.id)).participant.birthDate).toBeNull()
    await filledIn(service, secret, {}, { draft })
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ clinic: { id: 'aurora' }, participant: { birthDate: DETAILS.birthDate } })
  })

  test('after a booking, earlier steps lead to the pass or show the booking that they would change', async () => {
    const { secret } = await invited(service)
    const draft = await draftOf(service, secret)
    await completed(service, secret)
    for (const step of ['you', 'check']) {
      const answer = await open(service, secret, `?step=${step}&clinic=aurora`, browserWith(draft))
      expect(answer.headers.get('location')).toBe(`/o/${secret}`)
      expect(wordsOf(await followed(service, answer))).toContain('Your pass')
    }
    for (const step of ['clinics', 'time', 'book']) {
      const page = await open(service, secret, `?step=${step}&clinic=aurora`, browserWith(draft))
      expect(wordsOf(page)).toContain('Booked now Any time it’s open Naperville Occupational Health')
    }
  })
})
