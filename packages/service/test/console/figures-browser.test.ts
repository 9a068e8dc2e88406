import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { keepFigures } from '../../src/operations/figures/keep-figures.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { allowOnly, flawsInLightAndDark } from './restricted.ts'
import { consoleService, eachConsolePage, participant } from './signed-in.ts'

describe.skipIf(!hasBrowser)('the figures', () => {
  const service = consoleService()
  const opened = openBrowser()
  beforeAll(async () => {
    // Of fewer than 20 orders, only their number is shown.
    for (let n = 0; n < 20; n += 1) await service.place({ participant: participant({ firstName: `Number${n}` }) })
    const finished = await service.place({ participant: participant({ lastName: 'Vance' }) })
    await service.simulate(finished, { outcome: 'negative' })
    await service.store.transaction((tx) => tx.orderCounts.fold({ waits: true }))
    while (await keepFigures(service.store));
  })

  describe('at 1280 px', () => {
    const use = eachConsolePage(opened, service)
    const tile = (label: string) => use.page.locator('dl > div').filter({ hasText: label }).innerText()
    const card = (name: string) => use.page.getByRole('region', { name, exact: true }).first()

    test('G and F show the orders of the last 14 days, in the zone of the browser', async () => {
      await use.open('/orders')
      await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
      const asked = use.page.waitForRequest('**/api/operator/v1/figures?*')
      await use.page.keyboard.press('g')
      await use.page.keyboard.press('f')
      await use.page.waitForURL('**/console/figures')
      const query = new URL((await asked).url()).searchParams
      expect(query.get('timezone')).toBe('America/Chicago')
      expect(Date.parse(query.get('to')!) - Date.parse(query.get('from')!)).toBe(13 * 86_400_000)
      await use.page.getByText('Busiest:').first().waitFor()
      expect(await tile('Orders placed')).toContain('21')
      expect(await tile('Orders placed')).toContain('Nothing to compare in the 14 days before')
      await card('Positivity').getByText('under 5').first().waitFor()
    })

    test('each chart has a table with the same values, which is reached by keyboard', async () => {
      await use.open('/figures?days=7')
      const days = card('Orders by day and status')
      await days.getByRole('img', { name: /^Busiest: .+ with 21 orders/ }).waitFor()
      await days.getByRole('button', { name: 'Table' }).focus()
      await use.page.keyboard.press('Enter')
      const rows = days.getByRole('row')
      await expect.poll(() => rows.count()).toBe(8)
      expect(await rows.last().innerText()).toMatch(/\s1\s+0\s+20\s+0\s+21$/)
      await card('Turnaround by stage').getByRole('button', { name: 'Table' }).click()
      await card('Turnaround by stage')
        .getByRole('row', { name: /^Medical review Reviewer/ })
        .waitFor()
      await use.open('/figures?days=30')
      await days.getByRole('button', { name: 'Table' }).click()
      await expect.poll(() => rows.count()).toBe(21)
      await days.getByRole('button', { name: 'Show 10 more of 30' }).press('Enter')
      await expect.poll(() => rows.count()).toBe(31)
    })

    test('filters are in the address, and an empty period says so', async () => {
      await use.open('/figures')
      await use.page.getByText('Busiest:').first().waitFor()
      const asked = use.page.waitForRequest(/figures\?.*isDot=true/)
      await use.page.getByLabel('DOT or non-DOT').selectOption('DOT')
      await asked
      await use.page.waitForURL('**/figures?dot=true')
      await use.page.getByText('No orders in these days').waitFor()
      await use.page.getByLabel('DOT or non-DOT').selectOption('DOT and non-DOT')
      await use.page.getByLabel('Company').selectOption('Boxelder Fulfillment')
      await use.page.getByText('Busiest:').first().waitFor()
      await use.page.getByLabel('Period').selectOption('Chosen days')
      await use.page.getByLabel('From').fill('2025-03-01')
      await use.page.getByLabel('To', { exact: true }).fill('2025-03-09')
      await use.page.keyboard.press('Enter')
      await use.page.getByText('No orders in these days').waitFor()
      const search = new URL(use.page.url()).searchParams
      expect(Object.fromEntries(search)).toMatchObject({ from: '2025-03-01', to: '2025-03-09' })
      expect(search.get('company')).not.toBeNull()
    })

    test('a name that looks like a formula is text in the exported file', async () => {
      await use.context.route('**/api/operator/v1/figures?*', async (route) => {
        const answer = await route.fetch({
          headers: { ...route.request().headers(), authorization: 'Bearer demo-token-operator-0003' },
        })
        const clinics = [{ id: 'x', name: '=HYPERLINK("https://evil.example")', booked: 30, noShow: 10 }]
        await route.fulfill({ json: { ...((await answer.json()) as object), clinics } })
      })
      await use.open('/figures')
      await use.page.getByText('=HYPERLINK').waitFor()
      const saved = use.page.waitForEvent('download')
      await use.page.getByRole('button', { name: 'Export CSV' }).click()
      const file = await readFile(await (await saved).path(), 'utf8')
      expect(file).toContain(`"'=HYPERLINK(""https://evil.example"")",30,33.3 %`)
      expect(file).toContain('Orders placed,21,')
      expect((await saved).suggestedFilename()).toMatch(/^figures-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    })

    test('a failure keeps the filters, and can be tried again', async () => {
      let isBroken = true
      await use.context.route('**/api/operator/v1/figures?*', (route) =>
        isBroken
          ? route.fulfill({ status: 422, json: { errors: [{ code: 'x', detail: 'Broken on purpose.' }] } })
          : route.fallback(),
      )
      await use.open('/figures?days=30')
      await use.page.getByText('Broken on purpose.').waitFor()
      expect(await use.page.getByLabel('Period').inputValue()).toBe('30')
      isBroken = false
      await use.page.getByRole('button', { name: 'Try again' }).click()
      await use.page.getByText('Busiest:').first().waitFor()
    })

    test('somebody whose role does not allow figures has no entry for them, and reads why', async () => {
      await allowOnly(use.context, ['operator.audit.read'])
      await use.open('/figures')
      await use.page.getByText(/Your role lacks operator\./).waitFor()
      await use.page.getByRole('link', { name: 'Audit' }).waitFor()
      expect(await use.page.getByRole('link', { name: 'Figures' }).count()).toBe(0)
    })
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const use = eachConsolePage(opened, service, { width })

    test('charts and tables have no flaw that axe finds, in light and dark, and fit', async () => {
      await use.open('/figures?days=30')
      await use.page.getByText('Busiest:').first().waitFor()
      expect(await flawsInLightAndDark(use)).toEqual([])
      for (const button of await use.page.getByRole('button', { name: 'Table' }).all()) await button.click()
      expect(await flawsInLightAndDark(use)).toEqual([])
      const pictures = process.env['SCREENSHOTS']
      if (pictures !== undefined) await use.page.screenshot({ path: `${pictures}/console-figures-${width}.png` })
    })
  })
})
