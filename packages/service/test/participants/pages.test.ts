import { request } from 'node:http'
import { SHOW_SCRIPT } from '@order-testing/pages'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { cancelled, created, PERSON, SECRET, stored } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { startService } from '../support/service.ts'
import {
  completed,
  DETAILS,
  browserWith,
  draftIn,
  draftOf,
  filledIn,
  followed,
  invited,
  linkTo,
  open,
  participantService,
  participantWorld,
  submitted,
  submit,
  tomorrow,
  wordsOf,
  type Page,
} from './given.ts'

const service = participantService()

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR)

const tellsNothing = (page: Page, code: string) => {
  for (const text of ['Maria', 'Lopez', 'Urine', code]) expect(page.text).not.toContain(text)
}

const saysWhoToAsk = (page: Page) => expect(wordsOf(page)).toMatch(/Acme with Tenant north .* Questions\? Ask Acme\./)

describe('the pass', () => {
  test('the pass shows the order code as text and bar code, the clinic, the time and what to bring', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { way: 'appointment', ...tomorrow() })
    const page = await open(service, secret)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<p class="code">${order.code}</p>`)
    expect(page.text).toContain(`aria-label="Barcode of order code ${order.code}"`)
    for (const part of ['Naperville Occupational Health', '9:30', 'photo ID', 'Add to calendar'])
      expect(wordsOf(page)).toContain(part)
  })

  test('the link of a scheduled order opens the pass', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    const page = await open(service, await linkTo(service, order.id))
    expect(wordsOf(page)).toContain('Your pass')
    expect(page.text).toContain(order.code)
  })

  test('the pass of a finished order shows no result and nothing to change', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const [{ id }] = order.services
    for (const status of ['checkedIn', 'collected', 'receivedAtLab', 'testing', 'positive'])
      await operate(service, 'POST', `/orders/${order.id}/services/${id}/moves`, { status })
    const page = await open(service, secret)
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('Your test is complete')
    expect(page.text).not.toMatch(/positive|step=change|step=cancel/)
  })

  test('the pass has a calendar file with the appointment, which does not name the tests', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { way: 'appointment', ...tomorrow() })
    const file = await open(service, `${secret}/appointment.ics`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(file.headers.get('content-disposition')).toContain('appointment.ics')
    expect(file.text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*DTSTART:\d{8}T\d{6}Z\r\n[\s\S]*END:VCALENDAR\r\n$/)
    expect(file.text.replaceAll('\r\n ', '')).toContain(order.code)
    expect(file.text).not.toMatch(/Urine|Maria|Acme/)
  })

  test('the pass has no calendar file without an appointment', async () => {
    const { secret } = await invited(service)
    expect((await open(service, `${secret}/appointment.ics`)).status).toBe(404)
    await completed(service, secret)
    expect((await open(service, `${secret}/appointment.ics`)).status).toBe(404)
  })
})

describe('a link', () => {
  test('a wrong link says so, with the same page for every guess', async () => {
    const { secret } = await invited(service)
    const guesses = ['guess', 'a'.repeat(32), secret.slice(0, -1), `${secret}x`, 'x'.repeat(5000)]
    const pages = await Promise.all(guesses.map((guess) => open(service, guess)))
    const same = pages.map(({ status, text }, i) => `${status} ${text.replaceAll(guesses[i]!, 'GUESS')}`)
    expect(new Set(same).size).toBe(1)
    expect(pages[0]!.status).toBe(404)
    expect(wordsOf(pages[0]!)).toContain('This link doesn’t work')
    expect((await submit(service, 'x', DETAILS)).status).toBe(404)
  })

  test('markup in a link is not shown', async () => {
    const page = await open(service, encodeURIComponent('"><script>alert(1)</script>'))
    expect(page.status).toBe(404)
    expect(page.text).not.toContain('<script')
  })

  test('an expired link says so, and shows nothing of the order', async () => {
    const order = await created(service)
    const secret = await linkTo(service, order.id, { expiresAt: ago(1) })
    const page = await open(service, secret)
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toContain('This link has expired')
    tellsNothing(page, order.code)
    expect(page.text).not.toContain('Acme')
    expect((await completed(service, secret)).status).toBe(410)
  })

  test('a link to a cancelled order says so and who to ask, and shows nothing else of it', async () => {
    const { order, secret } = await invited(service)
    await cancelled(service, order.id)
    const page = await open(service, secret)
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toContain('This test was canceled')
    tellsNothing(page, order.code)
    saysWhoToAsk(page)
    expect((await completed(service, secret)).status).toBe(410)
  })

  test('a link to an expired order says so, even before a worker has expired it', async () => {
    const order = await stored(service, { createdAt: ago(48), expiresAt: ago(1) })
    const page = await open(service, await linkTo(service, order.id))
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toContain('The deadline has passed')
    tellsNothing(page, order.code)
    saysWhoToAsk(page)
  })

  test('a link to a missed appointment says so', async () => {
    const order = await stored(service, {
      createdAt: ago(72),
      clinic: { id: 'naperville', name: 'Naperville', address: null, phone: null },
      isBooked: true,
      appointmentAt: ago(30),
      services: [{ status: 'scheduled' }],
    })
    const page = await open(service, await linkTo(service, order.id))
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toContain('The appointment was missed')
    tellsNothing(page, order.code)
    saysWhoToAsk(page)
  })

  test('a link to an order that was finished elsewhere says that nothing is left to do', async () => {
    const order = await stored(service, { services: [{ status: 'negative' }] })
    const page = await open(service, await linkTo(service, order.id))
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('All done')
    tellsNothing(page, order.code)
    saysWhoToAsk(page)
  })

  test('a link opens only its own order', async () => {
    const [one, other] = [await invited(service), await invited(service)]
    await completed(service, one.secret)
    expect((await open(service, one.secret)).text).toContain(one.order.code)
    expect((await open(service, other.secret)).text).not.toContain(one.order.code)
  })
})

describe('every page', () => {
  test('every page loads nothing but our font, is not cached or indexed, and sends no referrer', async () => {
    const { secret } = await invited(service)
    for (const page of [await open(service, secret), await open(service, 'wrong'), await submit(service, secret, {})]) {
      const policy = page.headers.get('content-security-policy')!
      expect(policy).toMatch(/^default-src 'none'; style-src( 'sha256-[\w+/=]+')+; /)
      for (const part of [
        "font-src 'self'",
        'img-src data:;',
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ])
        expect(policy).toContain(part)
      expect(policy).toMatch(/script-src 'sha256-[\w+/=]+';/)
      expect(policy).not.toMatch(/unsafe/)
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow')
      expect(page.headers.get('x-content-type-options')).toBe('nosniff')
      const rest = page.text.replace(`<script>${SHOW_SCRIPT}</script>`, '')
      expect(rest).not.toMatch(/<script|https?:\/\/| style=| on\w+="/)
    }
  })

  test('every page has a few kilobytes on the wire', async () => {
    const { secret } = await invited(service)
    const draft = await draftOf(service, secret)
    for (const path of [secret, `${secret}?step=check`, `${secret}?step=clinics`, 'wrong']) {
      const { headers } = await open(service, path, '', { 'accept-encoding': 'gzip', ...browserWith(draft) })
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(Number(headers.get('content-length'))).toBeLessThan(10_000)
    }
  })

  test('a request for a page with a Content-Encoding is refused with a page', async () => {
    const { secret } = await invited(service)
    const { status, headers } = await open(service, secret, '', { 'content-encoding': 'gzip' })
    expect([status, headers.get('content-type')]).toEqual([415, 'text/html; charset=utf-8'])
  })

  test('every page escapes the names of catalogs and requesters', async () => {
    const { secret } = await invited(service, { participant: { firstName: '<img src=x>', lastName: '"&' } })
    const { text } = await open(service, secret)
    expect(text).toContain('&lt;img src=x&gt; &quot;&amp;')
    expect(text).not.toContain('<img')
  })
})

describe('a form', () => {
  test('a form that is too large gets a readable page', async () => {
    const { secret } = await invited(service)
    const page = await submit(service, secret, { line1: 'x'.repeat(40_000) })
    expect(page.status).toBe(413)
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  test('a form with arbitrary values is refused like any other invalid form', async () => {
    const { secret } = await invited(service)
    const odd = '\u0000\uFFFF\u202E🙂'
    for (const step of ['you', 'address', 'check', 'disclosure:x', 'decline', 'clinics', 'book', 'cancel', odd]) {
      const fields = Object.fromEntries(Object.keys(DETAILS).map((name) => [name, odd]))
      const wrong = await submit(service, secret, { ...fields, step, clinic: odd, place: odd, date: odd })
      expect(wrong.status).toBe(303)
      expect((await followed(service, wrong)).status).toBe(200)
      const right = { ...DETAILS, step, clinic: odd, place: odd.repeat(500), date: odd, way: odd }
      const answer = await submit(service, secret, right)
      expect(answer.status).toBe(303)
      expect((await followed(service, answer)).status).toBe(200)
    }
  })

  test('forms are accepted only here, and only with the content type of forms', async () => {
    const { secret } = await invited(service)
    const response = await fetch(`${service.origin}/o/${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"step":"cancel"}',
    })
    expect(response.status).toBe(415)
    const { headers } = response
    const page = { status: 415, headers, text: await response.text() }
    expect(page.text).toContain('<h1>That didn’t come through</h1>')
    expect(wordsOf(page)).toContain('Nothing was changed. Open the link in your message again')
    expect(wordsOf(page)).not.toMatch(/415|content.type|media|unsupported/i)
    const elsewhere = await service.call(SECRET, {
      method: 'POST',
      path: '/api/v2/clinics/search',
      body: 'query=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(elsewhere.status).toBe(415)
  })

  test('an answered form can be read in the other language without filling it in again', async () => {
    const { secret } = await invited(service)
    const { draft } = await filledIn(service, secret, {}, { until: 'address' })
    const typed = { ...DETAILS, step: 'address', city: '', line1: '7 Elm' }
    const answer = await submit(service, secret, typed, '?lang=es', draft)
    const page = await followed(service, answer)
    expect(page.text).toContain('<html lang="es">')
    expect(wordsOf(page)).toContain('Escriba su ciudad.')
    const kept = draftIn(answer)
    const other = await submitted(service, secret, { ...typed, line1: '8 Elm', lang: 'en' }, '?lang=es', kept)
    expect(other.text).toContain('<html lang="en">')
    expect(wordsOf(other)).toContain('Enter your city.')
    expect(other.text).toContain('value="8 Elm"')
  })
})

test('logs contain no links and no form values at any level', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const talkative = await startService({ logger })
  await talkative.apply(participantWorld())
  const { secret } = await invited(talkative)
  await open(talkative, secret)
  await submit(talkative, secret, { step: 'you', ...DETAILS, birthDate: '' })
  await completed(talkative, secret)
  // The database is down: page and log say so.
  await talkative.pool.end()
  const page = await open(talkative, secret)
  expect(page.status).toBe(503)
  expect(wordsOf(page)).toContain('Something went wrong on our side')
  await talkative.stop().catch(() => {})
  const log = lines.join('')
  expect(log).toContain('/o/:secret')
  expect(log).toContain('Request failed')
  for (const text of [secret, ...Object.values(DETAILS).filter((value) => value.length > 3)])
    expect(log).not.toContain(text)
})

describe('too many requests', () => {
  const from = (address: string, path: string) =>
    new Promise<{ status: number; wait: string | undefined; text: string }>((resolve, reject) => {
      const sent = request(`${service.origin}${path}`, { headers: { 'x-forwarded-for': address } }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode!, wait: answer.headers['retry-after'], text }))
      })
      sent.on('error', reject).end()
    })

  test('too many requests to one link get a readable 429 from any address; other links stay open', async () => {
    const { secret } = await invited(service)
    const answers = await Promise.all(Array.from({ length: 61 }, (_, i) => from(`203.0.113.${i}`, `/o/${secret}`)))
    const late = answers.filter(({ status }) => status === 429)
    expect(late).toHaveLength(1)
    expect(Number(late[0]!.wait)).toBeGreaterThan(0)
    expect(late[0]!.text).toContain('Too many requests')
    expect(late[0]!.text).not.toContain('Maria')
    expect((await open(service, (await invited(service)).secret)).status).toBe(200)
  })

  test('too many guesses from one address get 429; other addresses do not', async () => {
    const answers = await Promise.all(Array.from({ length: 250 }, (_, i) => from('198.51.100.7', `/o/guess-${i}`)))
    const late = answers.filter(({ status }) => status === 429)
    expect(late).toHaveLength(10)
    expect(late.every(({ wait }) => Number(wait) > 0 && Number(wait) <= 60)).toBe(true)
    // Valid links get the same answer then.
    const { secret } = await invited(service)
    expect(await from('198.51.100.7', `/o/${secret}`)).toMatchObject({ status: 429, text: late[0]!.text })
    expect((await from('198.51.100.8', '/o/guess')).status).toBe(404)
  })
})
