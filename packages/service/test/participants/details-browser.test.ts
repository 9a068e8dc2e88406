import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PATIENT } from '../support/processes.ts'
import { PERSON } from '../orders/given.ts'
import { eachPage, flawsOf, follow, hasBrowser, openBrowser } from './browser.ts'
import { DETAILS, invited, participantService, readOrder } from './given.ts'

const packages = [{ id: 'records', name: 'Records', services: ['criminal'] }]
const settings = {
  clinicFeeCap: 100,
  backgroundProvider: 'checkers',
  der: { name: 'Ruth Calder', phone: '(815) 555-0101' },
}
const DOT = { package: { id: 'dot' }, agency: { code: 'PHMSA' } }
const IN_DAYS = { schedulingOption: 'link', expiresIn: 4 }

describe.skipIf(!hasBrowser)('the details in a browser', () => {
  const service = participantService({ packages, offered: ['records'], settings })
  const opened = openBrowser()

  describe.each([390, 1280])('%i px wide', (width) => {
    let page: Page
    eachPage(opened, service, { width, use: (fresh) => (page = fresh) })
    const goOn = () => follow(page, 'main form > button')
    const open = (secret: string, query = '') => page.goto(`${service.origin}/o/${secret}${query}`)
    const titleOf = () => page.textContent('h1')

    const fillYou = async () => {
      await page.fill('#birthMonth', '4')
      await page.fill('#birthDay', '17')
      await page.fill('#birthYear', '1990')
      await page.selectOption('#identifierType', 'driverLicense')
      await page.fill('#identifierValue', 'L123-9999')
      await page.selectOption('#identifierState', 'IL')
      await goOn()
    }
    const fillContact = async () => {
      if (await page.isVisible('#email')) await page.fill('#email', DETAILS.email)
      await page.fill('#phone', '(630) 555-0199')
      await goOn()
    }
    const fillAddress = async () => {
      await page.fill('#line1', '1825 Brookdale Road')
      await page.fill('#city', 'Naperville')
      await page.selectOption('#state', 'IL')
      await page.fill('#postalCode', '60563')
      await goOn()
    }

    test('the three pages, their errors and the check page are accessible', async () => {
      const { order, secret } = await invited(service, { settings: IN_DAYS })
      await open(secret)
      expect(await titleOf()).toBe('Hi Maria, let’s book your test')
      expect(await flawsOf(page, 'details-1-you')).toEqual([])
      await page.fill('#birthMonth', '4')
      await page.fill('#birthDay', '17')
      await page.fill('#birthYear', '90')
      await page.selectOption('#identifierType', 'ssn')
      await page.fill('#identifierValue', '12345')
      await goOn()
      expect(await page.title()).toBe('Error: About you')
      await expect.poll(() => page.evaluate('document.activeElement.className'), PATIENT).toBe('summary')
      expect(await flawsOf(page, 'details-2-you-wrong')).toEqual([])
      await page.click('.summary a[href="#birthYear"]')
      expect(await page.evaluate('document.activeElement.id')).toBe('birthYear')
      await fillYou()
      expect(await titleOf()).toBe('How can we reach you?')
      expect(await flawsOf(page, 'details-3-contact')).toEqual([])
      await fillContact()
      expect(await titleOf()).toBe('Where should we look for a clinic?')
      expect(await flawsOf(page, 'details-4-address')).toEqual([])
      await fillAddress()
      expect(await titleOf()).toBe('Check your details')
      expect(await page.textContent('.rows')).toContain('Illinois •••9999')
      expect(await flawsOf(page, 'details-5-check')).toEqual([])
      await goOn()
      expect(await page.textContent('.summary')).toContain('Check the box if you agree.')
      expect(await flawsOf(page, 'details-6-check-wrong')).toEqual([])
      await follow(page, 'text=I don’t agree. What now?')
      expect(await flawsOf(page, 'details-7-decline')).toEqual([])
      await follow(page, 'main form button')
      expect(await titleOf()).toBe('We passed it on')
      expect(await flawsOf(page, 'details-8-declined')).toEqual([])
      await follow(page, 'text=Back to my details')
      expect(await flawsOf(page, 'details-9-check-after')).toEqual([])
      await page.check('#consent')
      await goOn()
      expect(await titleOf()).toBe('Choose a clinic')
      expect((await readOrder(service, order.id)).participant.birthDate).toBeNull()
    })

    test('the check page of a regulated order, and of one with everything on file, is accessible', async () => {
      const { secret } = await invited(service, { ...DOT, settings: IN_DAYS })
      await open(secret)
      await fillYou()
      await fillContact()
      await fillAddress()
      expect(await flawsOf(page, 'details-10-check-dot')).toEqual([])
      const known = await invited(service, { participant: PERSON, settings: IN_DAYS })
      await open(known.secret)
      expect(await flawsOf(page, 'details-11-check-on-file')).toEqual([])
      await follow(page, 'a[href*="edit=address"]')
      expect(await flawsOf(page, 'details-12-change')).toEqual([])
    })

    test('the pages of a background check are accessible', async () => {
      const { secret } = await invited(service, { package: { id: 'records' } })
      await open(secret)
      expect(await flawsOf(page, 'details-13-records')).toEqual([])
      await fillYou()
      await fillContact()
      await fillAddress()
      expect(await flawsOf(page, 'details-14-check-records')).toEqual([])
      await goOn()
      expect(await flawsOf(page, 'details-15-disclosure')).toEqual([])
      await goOn()
      expect(await flawsOf(page, 'details-16-authorization')).toEqual([])
      await goOn()
      expect(await flawsOf(page, 'details-17-authorization-wrong')).toEqual([])
      await page.fill('#signature', 'Maria Lopez')
      await goOn()
      expect(await flawsOf(page, 'details-18-done')).toEqual([])
    })

    test('the pages in Spanish are accessible, and switching the language keeps what was typed', async () => {
      const { secret } = await invited(service, { settings: IN_DAYS })
      await open(secret)
      await page.fill('#birthYear', '19')
      await follow(page, 'text=Español')
      expect(await page.inputValue('#birthYear')).toBe('19')
      expect(await page.locator('.summary').count()).toBe(0)
      expect(await flawsOf(page, 'details-19-you-es')).toEqual([])
      await fillYou()
      expect(await flawsOf(page, 'details-20-contact-es')).toEqual([])
      await fillContact()
      await page.fill('#line1', '1825 Brookdale Road')
      await follow(page, 'text=English')
      expect(await page.inputValue('#line1')).toBe('1825 Brookdale Road')
      await follow(page, 'text=Español')
      await fillAddress()
      expect(await flawsOf(page, 'details-21-check-es')).toEqual([])
    })
  })

  test('an identifier is masked, and a button shows it where scripts are allowed', async () => {
    const { secret } = await invited(service)
    const page = await opened.browser.newPage()
    await page.goto(`${service.origin}/o/${secret}`)
    await page.fill('#identifierValue', 'L123')
    expect(await page.getAttribute('#identifierValue', 'type')).toBe('password')
    await page.click('text=Show')
    expect(await page.getAttribute('#identifierValue', 'type')).toBe('text')
    const [field, button] = [page.locator('#identifierValue'), page.locator('.show')]
    const [outer, inner] = [(await field.boundingBox())!, (await button.boundingBox())!]
    expect(inner.y).toBeGreaterThanOrEqual(outer.y)
    expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height)
    await page.click('text=Hide')
    expect(await page.getAttribute('#identifierValue', 'type')).toBe('password')
    await page.close()
  })

  test('everything works without scripts, and without them there is no button to show the identifier', async () => {
    const { order, secret } = await invited(service)
    const context = await opened.browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${service.origin}/o/${secret}`)
    expect(await page.locator('.show').count()).toBe(0)
    await page.fill('#birthMonth', '3')
    await page.fill('#birthDay', '7')
    await page.fill('#birthYear', '1990')
    await page.selectOption('#identifierType', 'ssn')
    await page.fill('#identifierValue', '536-22-8841')
    // Enter continues; it does not switch the language.
    await page.press('#birthYear', 'Enter')
    await page.waitForSelector('#phone')
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    await page.fill('#phone', '(630) 555-0199')
    await page.press('#phone', 'Enter')
    await page.waitForSelector('#line1')
    await page.fill('#line1', '7 Rue Principale')
    await page.click('summary:has-text("Outside the United States?")')
    await page.selectOption('#country', 'CA')
    await page.click('text=Use this country')
    await page.waitForSelector('#state option[value="QC"]', { state: 'attached' })
    expect(await page.inputValue('#line1')).toBe('7 Rue Principale')
    await page.fill('#city', 'Gatineau')
    await page.selectOption('#state', 'QC')
    await page.fill('#postalCode', 'J8X 1A1')
    await page.click('main form > button')
    await page.waitForSelector('#consent')
    await page.check('#consent')
    await page.click('main form > button')
    await page.waitForSelector('#place')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
    await context.close()
  })
})
