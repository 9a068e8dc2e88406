import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { eachPage, fillInBrowser, flawsOf, follow, hasBrowser, openBrowser } from './browser.ts'
import { completed, DETAILS, eventsOf, invited, participantService, readOrder, requested, submit } from './given.ts'

describe.skipIf(!hasBrowser)('going back and forth in a browser', () => {
  const service = participantService()
  const opened = openBrowser()
  let page: Page
  eachPage(opened, service, { width: 390, use: (fresh) => (page = fresh) })

  /** Waits for the page with this heading: a click or a step back may still be loading it. */
  const shows = (heading: string) => page.waitForSelector(`h1:text-is("${heading}")`)
  const open = (secret: string) => page.goto(`${service.origin}/o/${secret}`)

  /** The first page, as it was filled in. The identifier is not shown again. */
  async function isFilledIn() {
    await shows('Hi Maria, let’s book your test')
    expect(await page.inputValue('#birthYear')).toBe('1990')
    expect(await page.textContent('.kept')).toContain('•••4567')
  }

  /** Every step up to the time. */
  async function toTheTime(secret: string) {
    await open(secret)
    await fillInBrowser(page)
    await page.fill('#place', 'Aurora IL')
    await follow(page, 'text=Search')
    await isSearched()
    await follow(page, 'button[value="aurora"]')
    await shows('When will you go?')
  }

  const isSearched = async () => {
    await shows('Choose a clinic')
    await page.waitForSelector('.clinics li:first-child:has-text("Aurora Clinic")')
    expect(await page.inputValue('#place')).toBe('Aurora IL')
  }
  const isListed = async () => {
    await shows('Choose a clinic')
    await page.waitForSelector('.clinics li:first-child:has-text("Naperville Occupational Health")')
    expect(await page.inputValue('#place')).toBe('Naperville, IL 60540')
  }

  test('going back and forward restores every step with its values', async () => {
    const { order, secret } = await invited(service)
    await toTheTime(secret)
    await page.goBack()
    await isSearched()
    await page.reload()
    await isSearched()
    await page.goBack()
    await isListed()
    await page.reload()
    await isListed()
    for (const heading of ['Check your details', 'Where should we look for a clinic?', 'How can we reach you?']) {
      await page.goBack()
      await shows(heading)
    }
    expect(await page.inputValue('#phone')).toBe(DETAILS.phone)
    await page.goBack()
    await isFilledIn()
    for (const heading of ['How can we reach you?', 'Where should we look for a clinic?', 'Check your details']) {
      await page.goForward()
      await shows(heading)
    }
    await page.goForward()
    await isListed()
    await page.goForward()
    await isSearched()
    await page.goForward()
    await shows('When will you go?')
    await page.reload()
    expect(await page.textContent('.clinic')).toContain('Aurora Clinic')
    expect(await eventsOf(service, order.id)).toEqual([])
    await page.check('#way')
    await follow(page, 'text=Get my pass')
    await shows('You’re booked, Maria')
    expect((await readOrder(service, order.id)).participant).toMatchObject({ birthDate: DETAILS.birthDate })
  })

  test('going back after completion shows the booking on every step and changes nothing', async () => {
    const { order, secret } = await invited(service)
    await toTheTime(secret)
    await page.check('#way')
    await follow(page, 'text=Get my pass')
    await shows('You’re booked, Maria')
    await page.goBack()
    await shows('Change your time')
    expect(await page.textContent('.now')).toContain('Aurora Clinic')
    for (let steps = 0; steps < 2; steps++) {
      await page.goBack()
      await shows('Choose a clinic')
      expect(await page.textContent('.now')).toContain('Aurora Clinic')
    }
    await page.goBack()
    await shows('You’re booked, Maria')
    await page.reload()
    await shows('You’re booked, Maria')
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('the page’s back link leads to the details as they were entered', async () => {
    expect.hasAssertions()
    const { secret } = await invited(service)
    await toTheTime(secret)
    await follow(page, 'text=Back')
    await isSearched()
    await follow(page, 'text=Back')
    await shows('Check your details')
    expect(await page.textContent('.rows')).toContain(DETAILS.line1)
    await follow(page, 'a[href*="edit=address"]')
    expect(await page.inputValue('#line1')).toBe(DETAILS.line1)
    await page.fill('#line1', '7 Elm Street')
    await follow(page, 'main .fill > button')
    await shows('Check your details')
    expect(await page.textContent('.rows')).toContain('7 Elm Street')
    for (const heading of ['Where should we look for a clinic?', 'How can we reach you?']) {
      await follow(page, 'text=Back')
      await shows(heading)
    }
    await follow(page, 'text=Back')
    await isFilledIn()
  })

  test('the browser can go back to invalid details and an invalid time', async () => {
    const { secret } = await invited(service)
    await open(secret)
    await page.fill('#birthYear', '90')
    await follow(page, 'main .fill > button')
    expect(await page.textContent('.summary')).toContain('Enter your birth year with 4 digits')
    await page.reload()
    expect(await page.textContent('.summary')).toContain('Enter your birth year with 4 digits')
    await fillInBrowser(page)
    await follow(page, 'button[value="aurora"]')
    await shows('When will you go?')
    await follow(page, 'text=Get my pass')
    expect(await page.textContent('.summary')).toContain('Choose whether you want an appointment')
    await page.check('#way')
    await page.goBack()
    await page.goBack()
    await isListed()
    await page.goBack()
    await shows('Check your details')
  })

  test('changing the language keeps the step and its values', async () => {
    const { secret } = await invited(service)
    await toTheTime(secret)
    await follow(page, 'text=Español')
    await shows('¿Cuándo irá?')
    expect(await page.textContent('.clinic')).toContain('Aurora Clinic')
    await follow(page, 'text=Volver')
    expect(await page.inputValue('#place')).toBe('Aurora IL')
    await page.fill('#place', 'Dallas TX')
    await follow(page, 'main .search button')
    expect(await page.textContent('.clinics')).toContain('Dallas Clinic')
    await follow(page, 'text=Volver')
    await shows('Revise sus datos')
    expect(await page.textContent('.rows')).toContain(DETAILS.line1)
  })

  test('a requester can go back and forward too, also while changing a booking', async () => {
    const { order, requester } = await requested(service)
    await open(requester)
    await page.fill('#place', 'Aurora IL')
    await follow(page, 'text=Search')
    await isSearched()
    await follow(page, 'button[value="aurora"]')
    await shows('When will the participant go?')
    await page.goBack()
    await isSearched()
    await page.goForward()
    await page.check('#way')
    await follow(page, 'main .fill > button')
    await shows('A clinic is booked')
    await follow(page, 'text=Change clinic or time')
    await follow(page, 'text=Change clinic')
    await follow(page, 'button[value="naperville"]')
    await page.waitForSelector('#way')
    await page.goBack()
    await shows('Choose a clinic')
    await page.goBack()
    await shows('Change the time')
    await page.goBack()
    await shows('A clinic is booked')
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('a second window asks before it replaces the booking of the first', async () => {
    const { order, secret } = await invited(service)
    await toTheTime(secret)
    await completed(service, secret)
    await page.check('#way')
    await follow(page, 'text=Get my pass')
    await shows('You already booked a clinic. Change it?')
    expect(await page.textContent('.swap del')).toContain('Naperville Occupational Health')
    expect(await flawsOf(page, '17-already-booked')).toEqual([])
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    await follow(page, 'text=Keep Naperville')
    expect(await page.textContent('.pass')).toContain('Naperville Occupational Health')
    await follow(page, 'text=Cancel booking')
    await follow(page, 'text=Cancel my booking')
    expect(await page.textContent('.note')).toContain('Your visit was canceled.')
    expect(await flawsOf(page, '18-clinics-cancelled')).toEqual([])
    await page.goBack()
    await shows('Choose a clinic')
  })

  test('an expired draft is asked for again with a note', async () => {
    const { secret } = await invited(service)
    const path = `/o/${secret}`
    await page.context().addCookies([{ name: 'draft', value: 'damaged', domain: '127.0.0.1', path }])
    await page.goto(`${service.origin}${path}?step=clinics`)
    await shows('Hi Maria, let’s book your test')
    expect(await page.textContent('.note')).toContain('Please enter it again.')
    expect(await flawsOf(page, '19-details-lost')).toEqual([])
  })

  test('a pass says that its clinic is inactive', async () => {
    const [chosen, fixed] = [await invited(service), await requested(service)]
    await completed(service, chosen.secret, { clinic: 'aurora' })
    await submit(service, fixed.requester, { step: 'book', clinic: 'aurora', way: 'walkIn' })
    await service.pool`update clinics set is_active = false where id = 'aurora'`
    await open(chosen.secret)
    expect(await page.textContent('.note')).toContain('Please choose another one.')
    expect(await flawsOf(page, '20-pass-clinic-off')).toEqual([])
    await open(fixed.participant)
    expect(await page.textContent('.note')).toContain('ask Acme')
    expect(await flawsOf(page, '21-pass-clinic-off-fixed')).toEqual([])
    await open(fixed.requester)
    expect(await page.textContent('.note')).toContain('Please choose another one.')
    expect(await flawsOf(page, '22-booking-clinic-off')).toEqual([])
    await service.pool`update clinics set is_active = true where id = 'aurora'`
  })
})
