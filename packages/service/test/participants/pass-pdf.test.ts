import { describe, expect, test } from 'vitest'
import { readPdf, wordsOf } from '../../../pages/test/scanner.ts'
import { cancelled, created, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { completed, invited, linkTo, open, participantService, tomorrow, wordsOf as wordsOn } from './given.ts'

const service = participantService()

const fileOf = (secret: string, query = '') => fetch(`${service.origin}/o/${secret}/pass.pdf${query}`)

describe('the pass as a PDF', () => {
  test('the PDF has the content of the page, and the order code as file name', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { way: 'appointment', ...tomorrow('09:30', 2) })
    const response = await fileOf(secret)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="pass-${order.code}.pdf"`,
      'content-language': 'en',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const pdf = await readPdf(new Uint8Array(await response.arrayBuffer()))
    const page = wordsOn(await open(service, secret))
    for (const part of [order.code, 'Naperville Occupational Health', '10 Main Street', 'Maria', '9:30', 'Acme']) {
      expect(await wordsOf(pdf)).toContain(part)
      expect(page).toContain(part)
    }
  })

  test('the PDF has the local time of a clinic for which the catalog states no zone', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    const appointmentAt = `${tomorrow('', 2).date}T18:00:00.000Z`
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'clockless', appointmentAt })
    const response = await fileOf(await linkTo(service, order.id))
    const words = await wordsOf(await readPdf(new Uint8Array(await response.arrayBuffer())))
    expect(words).toContain('Clinic without a clock')
    expect(words).toMatch(/\b1[2]?\sPM\sCT/)
    expect(words).not.toContain('UTC')
  })

  test('the page links to the PDF in the chosen language', async () => {
    const { secret } = await invited(service)
    await completed(service, secret)
    expect((await open(service, secret)).text).toContain(`href="/o/${secret}/pass.pdf"`)
    expect((await open(service, secret, '?lang=es')).text).toContain(`href="/o/${secret}/pass.pdf?lang=es"`)
    const response = await fileOf(secret, '?lang=es')
    expect(await wordsOf(await readPdf(new Uint8Array(await response.arrayBuffer())))).toContain('Pase para la prueba')
  })

  test('the PDF prints long names and names in any script', async () => {
    const names = ['李'.repeat(60), 'عبد الرحمن', 'Nguyễn Thị', '\u202e🙂 x']
    for (const lastName of names) {
      const participant = { ...PERSON, lastName }
      const order = await created(service, { participant, settings: { schedulingOption: 'schedule' } })
      const response = await fileOf(await linkTo(service, order.id))
      expect(response.status).toBe(200)
      expect((await readPdf(new Uint8Array(await response.arrayBuffer()))).numPages).toBe(1)
    }
  })

  test('wrong, expired and cancelled links get the same notices instead of a PDF', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const late = await linkTo(service, order.id, { expiresAt: new Date(0) })
    await cancelled(service, order.id)
    for (const [link, status, words] of [
      ['guess', 404, 'This link doesn’t work'],
      [late, 410, 'This link has expired'],
      [secret, 410, 'This test was canceled'],
    ] as const) {
      const page = await open(service, `${link}/pass.pdf`)
      expect(page.status).toBe(status)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(wordsOn(page)).toContain(words)
      expect(page.text).not.toContain(order.code)
    }
  })

  test('the PDF of an order without a pass redirects to its page', async () => {
    const { secret } = await invited(service)
    const page = await open(service, `${secret}/pass.pdf`)
    expect(page.status).toBe(303)
    expect(page.headers.get('location')).toBe(`/o/${secret}`)
  })

  test('the PDF counts toward the request limit of its link', async () => {
    const { secret } = await invited(service)
    for (let i = 0; i < 60; i++) await open(service, secret)
    const page = await open(service, `${secret}/pass.pdf`)
    expect(page.status).toBe(429)
    expect(wordsOn(page)).toContain('Too many requests')
  })
})
