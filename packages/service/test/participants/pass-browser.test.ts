import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { cancelled, created, PERSON, rewrite, stored, TENANT } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { PATIENT } from '../support/processes.ts'
import { eachPage, flawsOf, follow, hasBrowser, openBrowser } from './browser.ts'
import { invited, linkTo, participantService, participantWorld, requested, tomorrow } from './given.ts'

const CONTACTS = {
  der: { name: 'Ruth Calder', phone: '+18155550101' },
  reviewer: { name: 'Dr. Amara Osei', phone: '+13125550190' },
}

/** With a brand and people to ask. */
const WORLD = participantWorld({
  hq: { confirmIdentity: undefined, ...CONTACTS },
  services: [
    {
      id: 'dot-exam',
      name: 'DOT Physical Examination',
      category: 'occupationalHealth',
      type: 'dotPhysical',
      isDot: true,
    },
  ],
  packages: [{ id: 'driver', name: 'Driver', services: ['dot-urine', 'dot-exam'] }],
  offered: ['driver'],
}) as { tenant: object; companies: object[]; clinics: { services: string[] }[] }

describe.skipIf(!hasBrowser)('the pass in a browser', () => {
  const service = participantService()
  const opened = openBrowser()
  beforeAll(async () => {
    const branding = {
      helpPhone: '+16305550101',
      helpEmail: 'hr@acme.example',
      privacyUrl: 'https://acme.example/privacy',
    }
    await service.apply({
      ...WORLD,
      clinics: WORLD.clinics.map((clinic) => ({ ...clinic, services: [...clinic.services, 'dot-exam'] })),
      tenant: { ...WORLD.tenant, name: 'Northfold Compliance Partners' },
      companies: WORLD.companies.map((company, i) => (i === 0 ? { ...company, branding } : company)),
    })
  })

  const DRIVER = {
    package: { id: 'driver' },
    agency: { id: 'fmcsa' },
    participant: {
      ...PERSON,
      birthDate: '1990-03-07',
      identifiers: [{ type: 'driverLicense', value: 'L12345678', issuingState: 'IL', issuingCountry: 'US' }],
    },
    settings: { schedulingOption: 'schedule', expiresIn: 20 },
  }

  describe.each([390, 1280])('%i px wide', (width) => {
    let page: Page
    eachPage(opened, service, { width, use: (fresh) => (page = fresh) })

    const visit = (secret: string, query = '') => page.goto(`${service.origin}/o/${secret}${query}`)
    const checked = async (name: string) => expect(await flawsOf(page, name)).toEqual([])
    const identify = async () => {
      await page.fill('#birthMonth', '3')
      await page.fill('#birthDay', '7')
      await page.fill('#birthYear', '1990')
      await follow(page, 'main form button')
    }
    const move = async (order: { id: string; services: { id: string }[] }, at: number, statuses: string[]) => {
      for (const status of statuses)
        await operate(service, 'POST', `/orders/${order.id}/services/${order.services[at]!.id}/moves`, { status })
    }

    test('a new device answers a question, then the pass follows the visit to the report', async () => {
      const order = await created(service, DRIVER)
      const secret = await linkTo(service, order.id)
      await visit(secret)
      await checked('pass-1-question')
      await page.fill('#birthMonth', '3')
      await page.fill('#birthDay', '8')
      await page.fill('#birthYear', '1990')
      await follow(page, 'main form button')
      await expect.poll(() => page.evaluate('document.activeElement.className'), PATIENT).toBe('summary')
      await checked('pass-2-wrong-answer')
      await identify()
      expect(await page.textContent('h1')).toBe('You’re booked, Maria')
      expect(await page.textContent('main')).toContain('Glasses, contacts, hearing aids')
      expect(await page.textContent('main')).toContain('60 to 90 minutes')
      await checked('pass-3-booked')
      await visit(secret, '?lang=es')
      await checked('pass-4-booked-es')
      await move(order, 0, ['checkedIn'])
      await visit(secret)
      expect(await page.textContent('h1')).toBe('You’re checked in')
      expect(await page.isVisible('.codes')).toBe(true)
      await checked('pass-5-checked-in')
      await move(order, 0, ['collected'])
      await visit(secret)
      expect(await page.textContent('h1')).toBe('You’re partly done')
      expect(await page.textContent('.stages')).toMatch(/DOT Urine\s+Collected[^]*DOT Physical Examination\s+To do/)
      await checked('pass-6-partly')
      await move(order, 1, ['checkedIn', 'inProgress'])
      await visit(secret)
      expect(await page.textContent('h1')).toBe('That’s it, you’re done')
      expect(await page.textContent('main')).toContain('Dr. Amara Osei’s office will call you from (312) 555-0190')
      expect(await page.isVisible('.codes')).toBe(false)
      await page.click('.again summary')
      expect(await page.isVisible('.codes')).toBe(true)
      await page.click('.again summary')
      await checked('pass-7-collected')
      await visit(secret, '?lang=es')
      await checked('pass-8-collected-es')
      const { services } = (await service.store.orders.find(TENANT, order.id))!
      const reported = services.map((each) => ({ ...each, status: 'negative' as const }))
      await rewrite(service, order.id, { services: reported })
      await visit(secret)
      expect(await page.textContent('h1')).toBe('Your test is complete')
      expect(await page.textContent('main')).toContain('Ruth Calder')
      await checked('pass-9-complete')
      await visit(secret, '?lang=es')
      await checked('pass-10-complete-es')
    })

    test('notices say what happened, what to do and who to call', async () => {
      const late = await stored(service, {
        createdAt: new Date(Date.now() - 172_800_000),
        expiresAt: new Date(Date.now() - 3_600_000),
      })
      const { order, secret } = await invited(service)
      const old = await linkTo(service, order.id, { expiresAt: new Date(0) })
      await cancelled(service, order.id)
      for (const [name, link, words] of [
        ['expired', await linkTo(service, late.id), 'Ask Acme for more time'],
        ['cancelled', secret, 'Acme canceled it on'],
        ['expired-link', old, 'Send me a new link'],
        ['wrong-link', 'guess', 'newer message has replaced it'],
      ] as const) {
        await visit(link)
        expect(await page.textContent('main')).toContain(words)
        await checked(`notice-${name}`)
      }
      await visit(old, '?lang=es')
      await checked('notice-expired-link-es')
      await page.goto(service.origin)
      expect(await page.textContent('main')).toContain('Lost your link?')
      await checked('start')
    })

    test('a requester sees all open orders, and chooses for one of them', async () => {
      const requester = { email: `pat-${width}@acme.example`, firstName: 'Pat', lastName: 'Doe' }
      const one = await requested(service, { requester }, { expiresIn: 5 })
      const other = await requested(service, { requester, participant: { ...PERSON, firstName: 'Juan' } })
      await page.goto(`${service.origin}/o/${one.requester}`)
      await follow(page, 'text=All your open orders')
      await checked('requests-1')
      await follow(page, `a[href$="/orders/${other.order.code}"]`)
      expect(await page.textContent('main')).toContain('For Juan')
      await follow(page, 'button[value="naperville"]')
      await page.check('#way-appointment')
      const { date, time } = tomorrow('10:15', 3)
      await page.fill('#date', date)
      await page.fill('#time', time)
      await follow(page, 'main .fill > button')
      expect(await page.textContent('h1')).toBe('A clinic is booked')
      expect(new URL(page.url()).pathname).toBe(`/o/${one.requester}/orders/${other.order.code}`)
      await follow(page, 'text=All your open orders')
      expect(await page.textContent('main')).toContain('Booked:')
      await checked('requests-2')
      await page.goto(`${service.origin}/o/${one.requester}?step=orders&lang=es`)
      await checked('requests-3-es')
    })
  })
})
