import type { Brand } from '@order-testing/pages'
import { describe, expect, test } from 'vitest'
import type { PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification } from '../../src/notify/compose.ts'
import { orderOf } from '../orders/given.ts'
import { flawsOf, hasBrowser, openBrowser } from '../participants/browser.ts'

const CLINIC = {
  id: 'naperville',
  name: 'Naperville Occupational Health',
  phone: '+16305550142',
  address: {
    line1: '1240 Rickert Drive',
    line2: 'Suite 110',
    city: 'Naperville',
    state: 'IL',
    postalCode: '60540',
    country: 'US',
  },
}
const BOXELDER = { id: 'boxelder', name: 'Boxelder Fulfillment' }
const BRAND: Brand = {
  tenant: 'Northfold Compliance Partners',
  company: 'Boxelder Fulfillment',
  logo: null,
  accent: null,
  privacyUrl: 'https://northfold.example/privacy',
  contacts: [{ name: 'Boxelder HR', phone: '+16305550101', email: 'hr@boxelder.example' }],
}
const DUE = { company: BOXELDER, expiresAt: new Date('2026-11-20T23:00:00Z') }
const BOOKED = { ...DUE, clinic: CLINIC, isBooked: true, appointmentAt: new Date('2026-11-18T16:30:00Z') }
const LONG = { id: 'a', name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3) }

/** The mail client adds these. */
const LANDMARKS = /: (landmark-one-main|region): /

interface Case {
  name: string
  kind: PersonKind
  members: Parameters<typeof orderOf>[0]
  brand?: Brand
  isCopy?: boolean
}

const CASES: Case[] = [
  { name: 'link', kind: 'link', members: DUE },
  { name: 'link-es', kind: 'link', members: { ...DUE, language: 'es' } },
  { name: 'link-copy', kind: 'link', members: DUE, isCopy: true },
  { name: 'booking', kind: 'booking', members: BOOKED },
  { name: 'booking-es', kind: 'booking', members: { ...BOOKED, language: 'es' } },
  { name: 'walk-in', kind: 'booking', members: { ...BOOKED, appointmentAt: null } },
  { name: 'accent', kind: 'bookingReminder', members: BOOKED, brand: { ...BRAND, accent: '#F2B90F', contacts: [] } },
  { name: 'long-name', kind: 'link', members: { company: LONG }, brand: { ...BRAND, company: LONG.name } },
  { name: 'cancellation', kind: 'cancellation', members: DUE },
  { name: 'requester', kind: 'clinicChosen', members: BOOKED },
]

describe.skipIf(!hasBrowser)('a mail in a browser', () => {
  const opened = openBrowser()

  test.each([390, 600])('mails are accessible at %i px, in light and dark', async (width) => {
    const page = await opened.browser.newPage({ viewport: { width, height: 700 } })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const { name, kind, members, brand = BRAND, isCopy = false } of CASES) {
      const { html } = composeNotification(kind, {
        order: orderOf(members),
        link: kind === 'cancellation' ? null : `https://orders.example/o/${'x'.repeat(32)}`,
        zone: 'America/Chicago',
        now: new Date('2026-11-17T16:00:00Z'),
        brand,
        isCopy,
      })
      await page.setContent(html)
      const flaws = await flawsOf(page, `mail-${name}`)
      expect(flaws.filter((flaw) => !LANDMARKS.test(flaw))).toEqual([])
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await page.locator('a.button').count()).toBe(kind === 'cancellation' || isCopy ? 0 : 1)
    }
    expect(requested).toEqual([])
    await page.close()
  })
})
