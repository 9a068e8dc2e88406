import { describe, expect, test } from 'vitest'
import { composeNotification } from '../../src/notify/compose.ts'
import { orderOf } from '../orders/given.ts'
import { flawsOf, hasBrowser, openBrowser } from '../participants/browser.ts'

const CLINIC = {
  id: 'naperville',
  name: 'Naperville Occupational Health',
  phone: '+16305550100',
  address: { line1: '10 Main Street', line2: '', city: 'Naperville', state: 'IL', postalCode: '60540', country: 'US' },
}
const BOOKED = { clinic: CLINIC, isBooked: true, appointmentAt: new Date('2027-01-09T15:30:00Z') }
const LONG = { id: 'a', name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3) }

/** The mail client adds these. */
const LANDMARKS = /: (landmark-one-main|region): /

describe.skipIf(!hasBrowser)('a mail in a browser', () => {
  const opened = openBrowser()

  test.each([390, 600])('mails are accessible at %i px, in light and dark', async (width) => {
    const page = await opened.browser.newPage({ viewport: { width, height: 700 } })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const [name, kind, members] of [
      ['link', 'link', { expiresAt: new Date('2027-01-16T05:00:00Z') }],
      ['booking-es', 'booking', { ...BOOKED, language: 'es' }],
      ['long-name', 'link', { company: LONG }],
      ['cancellation', 'cancellation', {}],
    ] as const) {
      const link = kind === 'cancellation' ? null : `https://orders.example/o/${'x'.repeat(32)}`
      const { html } = composeNotification(kind, {
        order: orderOf(members),
        link,
        zone: 'America/Chicago',
        now: new Date(),
      })
      await page.setContent(html)
      const flaws = await flawsOf(page, `mail-${name}`)
      expect(flaws.filter((flaw) => !LANDMARKS.test(flaw))).toEqual([])
      expect(await page.getByText('Hi Maria,').or(page.getByText('Hola, Maria:')).isVisible()).toBe(true)
    }
    expect(requested).toEqual([])
    await page.close()
  })
})
