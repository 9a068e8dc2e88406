import { describe, expect, test } from 'vitest'
import { scanned, scannedSquare } from '../../../pages/test/scanner.ts'
import { clinic } from '../orders/given.ts'
import { flawsOf, hasBrowser, openBrowser } from './browser.ts'
import { CLINICS, completed, invited, linkTo, participantService, filledIn, submit, WEEKDAYS } from './given.ts'

/** Around Naperville, some next to each other. */
const DENSE = Array.from({ length: 18 }, (_, i) =>
  clinic(`dense-${i}`, '60540', {
    name: `Occupational Health Center ${i + 1}`,
    phone: '+16305550100',
    timezone: 'America/Chicago',
    hours: WEEKDAYS,
    address: {
      line1: '1200 West Ogden Avenue',
      line2: 'Suite 200',
      city: 'Naperville',
      state: 'IL',
      postalCode: '60540',
    },
    ...(i % 3 > 0 && { coordinates: { lat: 41.77 + 0.02 * ((i % 5) - 2), long: -88.15 + 0.03 * ((i % 7) - 3) } }),
  }),
)

describe.skipIf(!hasBrowser)('in a browser, among many clinics', () => {
  const service = participantService({ clinics: [...CLINICS, ...DENSE] })
  const opened = openBrowser()

  test('a page with twenty clinics and their map is small on the wire', async () => {
    const { secret } = await invited(service)
    const { page } = await filledIn(service, secret)
    expect(page.text.match(/class="pin"/g)).toHaveLength(20)
    expect(page.text.match(/class="card clinic[ "]/g)).toHaveLength(20)
    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(Number(page.headers.get('content-length'))).toBeLessThan(16_000)
  })

  test.each([390, 1280])('the map is accessible at %i px', async (width) => {
    const page = await opened.browser.newPage({ viewport: { width, height: 844 }, locale: 'en-US' })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    const secret = await linkTo(service, (await clinicless()).id)
    await page.goto(`${service.origin}/o/${secret}`)
    // Beside the list there is always room for the map.
    if (width < 900) await page.click('text=Show map')
    expect(await flawsOf(page, '16-map')).toEqual([])
    const small = await page.evaluate<number>(
      `Math.min(...[...document.querySelectorAll('.map a:not(.skip)')].map((each) => each.getBoundingClientRect().height))`,
    )
    expect(small).toBeGreaterThanOrEqual(24)
    expect(await page.getByRole('link', { name: /^3: Occupational Health Center .* away$/ }).count()).toBe(1)
    await page.focus('.map a[href="#clinic-3"]')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).hash).toBe('#clinic-3')
    expect(await page.evaluate('document.querySelector(":target .number").textContent')).toBe('3')
    const isSeen = 'document.querySelector("#clinic-3").getBoundingClientRect().top < innerHeight'
    expect(await page.evaluate(isSeen)).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('!!document.activeElement.closest("#clinic-3")')).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('the map stays in view beside a long list', async () => {
    const page = await opened.browser.newPage({ viewport: { width: 1280, height: 844 } })
    await page.goto(`${service.origin}/o/${await linkTo(service, (await clinicless()).id)}`)
    await page.evaluate('document.querySelector("#clinic-12").scrollIntoView()')
    expect(await page.evaluate('Math.round(document.querySelector(".map").getBoundingClientRect().top)')).toBe(20)
    await page.close()
  })

  test('the keyboard can skip the map', async () => {
    const page = await opened.browser.newPage()
    await page.goto(`${service.origin}/o/${await linkTo(service, (await clinicless()).id)}`)
    await page.focus('.map .skip')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('!!document.activeElement.closest("#clinic-1")')).toBe(true)
    await page.close()
  })

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('both codes of the pass can be scanned from the screen at %i px, %s', async (width, colorScheme) => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const page = await opened.browser.newPage({ viewport: { width, height: 844 }, colorScheme, deviceScaleFactor: 2 })
    await page.goto(`${service.origin}/o/${secret}`)
    expect(await scanned(await page.screenshot())).toBe(order.code)
    expect(await scanned(await page.locator('.barcode').screenshot())).toBe(order.code)
    expect(await scannedSquare(await page.locator('.codes .qr').screenshot())).toBe(order.code)
    await page.close()
  })

  /** An order whose participant only has to choose a clinic. */
  async function clinicless() {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    await submit(service, secret, { step: 'cancel' })
    return order
  }
})
