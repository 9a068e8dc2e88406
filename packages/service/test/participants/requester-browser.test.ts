import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { cancelled } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { eachPage, flawsOf, follow, hasBrowser, openBrowser } from './browser.ts'
import { eventsOf, participantService, readOrder, requested, tomorrow } from './given.ts'

describe.skipIf(!hasBrowser)('a requester in a browser', () => {
  const service = participantService()
  const opened = openBrowser()

  describe.each([390, 1280])('%i px wide', (width) => {
    let page: Page
    eachPage(opened, service, { width, use: (fresh) => (page = fresh) })

    test('a requester chooses a clinic and a time, changes both, and cancels', async () => {
      const { order, requester } = await requested(service, { package: { id: 'several' } }, { expiresIn: 20 })
      await page.goto(`${service.origin}/o/${requester}`)
      expect(await flawsOf(page, 'requester-1-clinics')).toEqual([])
      await follow(page, 'text="Search"')
      expect(await page.textContent('.summary')).toContain('Enter a city and state')
      expect(await flawsOf(page, 'requester-2-clinics-wrong')).toEqual([])
      await page.fill('#place', 'Aurora IL')
      await follow(page, 'text="Search"')
      await follow(page, 'button[value="aurora"]')
      expect(await flawsOf(page, 'requester-3-time')).toEqual([])
      await follow(page, 'main .fill > button')
      expect(await page.textContent('.summary')).toContain('Choose whether to make an appointment')
      expect(await flawsOf(page, 'requester-4-time-wrong')).toEqual([])
      await follow(page, 'text=Back')
      await follow(page, 'button[value="naperville"]')
      await page.check('#way-appointment')
      const { date, time } = tomorrow('10:15', 3)
      await page.fill('#date', date)
      await page.fill('#time', time)
      await follow(page, 'main .fill > button')
      expect(await page.textContent('h1')).toBe('A clinic is booked')
      expect(await page.textContent('.when')).toContain('10:15')
      expect(await flawsOf(page, 'requester-5-booking')).toEqual([])
      expect(await readOrder(service, order.id)).toMatchObject({ status: 'scheduled', clinic: { id: 'naperville' } })
      await follow(page, 'text=Change clinic or time')
      expect(await flawsOf(page, 'requester-6-change')).toEqual([])
      await follow(page, 'text=Change clinic')
      await follow(page, 'button[value="clockless"]')
      expect(await flawsOf(page, 'requester-7-time-without-clock')).toEqual([])
      await page.check('#way')
      await follow(page, 'text=Review the change')
      expect(await flawsOf(page, 'requester-7-confirm')).toEqual([])
      await follow(page, 'text=Yes, change it')
      expect(await page.textContent('.pass')).toContain('Clinic without a clock')
      await follow(page, 'text=Cancel booking')
      expect(await flawsOf(page, 'requester-8-cancel')).toEqual([])
      await follow(page, 'text=Cancel the booking')
      expect(await page.textContent('h1')).toBe('Choose a clinic')
      expect(await eventsOf(service, order.id)).toHaveLength(3)
    })

    test('a requester gets all pages in Spanish, and accessible notices', async () => {
      const { order, requester } = await requested(service, {}, { expiresIn: 20 })
      await page.goto(`${service.origin}/o/${requester}`)
      await follow(page, 'text=Español')
      expect(await flawsOf(page, 'requester-9-clinics-es')).toEqual([])
      await follow(page, 'button[value="naperville"]')
      await page.check('#way')
      expect(await flawsOf(page, 'requester-10-time-es')).toEqual([])
      await follow(page, 'text=Confirmar')
      expect(await page.textContent('h1')).toBe('La cita está confirmada')
      expect(await flawsOf(page, 'requester-11-booking-es')).toEqual([])
      await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, {
        status: 'checkedIn',
      })
      await page.reload()
      expect(await flawsOf(page, 'requester-12-finished-es')).toEqual([])
      const gone = await requested(service)
      await cancelled(service, gone.order.id)
      await page.goto(`${service.origin}/o/${gone.requester}`)
      expect(await flawsOf(page, 'requester-13-cancelled')).toEqual([])
    })
  })
})
