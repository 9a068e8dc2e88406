import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type ConsoleService, type Placed } from './signed-in.ts'

const CLINIC = 'clinic-naperville'
const DAY_MS = 86_400_000

/** A weekday at least three days ahead: the clinics of the demo are closed on Sundays. */
function weekdayAhead(weeks = 0): string {
  const start = Date.now() + (3 + weeks * 7) * DAY_MS
  const days = [0, 1, 2].map((after) => new Date(start + after * DAY_MS))
  return days
    .find((day) => ![0, 6].includes(day.getUTCDay()))!
    .toISOString()
    .slice(0, 10)
}

interface Day {
  slots: { at: string; time: string; capacity: number; taken: number }[]
}

const slotsOf = async (service: ConsoleService, clinicId: string, date: string) =>
  ((await service.operator(`/clinics/${clinicId}/day?date=${date}`)) as unknown as Day).slots

async function booked(service: ConsoleService, appointmentAt: string | null, lastName: string): Promise<Placed> {
  const order = await service.place({ participant: participant({ lastName }) })
  await service.operator(`/orders/${order.id}/clinic`, { method: 'PUT', body: { clinicId: CLINIC, appointmentAt } })
  return order
}

/** Applies the catalog with the clinic switched on or off. */
async function switchClinic(service: ConsoleService, isActive: boolean): Promise<void> {
  const catalog = (await service.operator('/catalog')) as unknown as { clinics: { id: string }[] }
  const clinics = catalog.clinics.map((clinic) => (clinic.id === CLINIC ? { ...clinic, isActive } : clinic))
  await service.operator('/catalog', { method: 'PUT', body: { ...catalog, clinics } })
}

describe.skipIf(!hasBrowser)('the bookings of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const date = weekdayAhead()
  let first: Placed
  let second: Placed
  let walkIn: Placed
  beforeAll(async () => {
    const [, slot] = await slotsOf(service, CLINIC, date)
    first = await booked(service, slot!.at, 'Hollis')
    second = await booked(service, slot!.at, 'Turner')
    walkIn = await booked(service, null, 'Reyes')
  })

  const sheet = () => use.page.getByRole('article', { name: 'Naperville Occupational Health' })

  test('a day shows who is booked when, masked, what is free and closed, and walk-ins apart', async () => {
    await use.open(`/bookings?date=${date}&clinic=${CLINIC}`)
    const slot = sheet().getByRole('group', { name: '8:30 AM' })
    await slot.getByText('full').waitFor()
    await slot.getByRole('link', { name: new RegExp(`${first.code} Maria H\\.`) }).waitFor()
    await slot.getByRole('link', { name: new RegExp(second.code) }).waitFor()
    await sheet().getByRole('group', { name: '8:00 AM' }).getByText('2 free').waitFor()
    await sheet().getByRole('group', { name: '5:00 PM' }).getByText('closed').waitFor()
    const walkIns = sheet().getByRole('region', { name: 'Walk-ins' })
    await walkIns.getByRole('link', { name: new RegExp(`${walkIn.code} Maria R\\.`) }).waitFor()
    expect(await sheet().innerText()).not.toContain('Hollis')
  })

  test('a day is printed as the sheet alone, with its date and masked names', async () => {
    await use.open(`/bookings?date=${date}&clinic=${CLINIC}`)
    await sheet().getByRole('group', { name: '8:30 AM' }).waitFor()
    await use.page.evaluate('window.print = () => { window.isPrinted = true }')
    await use.page.keyboard.press('p')
    expect(await use.page.evaluate('window.isPrinted')).toBe(true)
    await use.page.emulateMedia({ media: 'print' })
    const text = await use.page.locator('body').innerText()
    const day = new Date(`${date}T12:00:00`).toLocaleDateString('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
    })
    expect(text).toContain(day)
    expect(text).toContain(first.code)
    expect(text).not.toMatch(/Hollis|Book here|New booking|Webhooks|West Loop/)
    const bottom = await sheet().evaluate((each) => (each as unknown as { scrollHeight: number }).scrollHeight)
    expect(await use.page.evaluate<number>('document.documentElement.scrollHeight')).toBeGreaterThanOrEqual(bottom)
  })

  test('keys go to another day and back, and to the next clinic', async () => {
    await use.open('/orders')
    await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
    await use.page.keyboard.press('g')
    await use.page.keyboard.press('b')
    await use.page.waitForURL('**/console/bookings')
    await use.page.getByRole('article').waitFor()
    await use.page.keyboard.press('ArrowRight')
    await use.page.waitForURL(/date=/)
    await use.page.keyboard.press('t')
    await use.page.getByRole('article').waitFor()
    await use.page.keyboard.press('j')
    await use.page.waitForURL(/clinic=/)
    const chosen = use.page.getByRole('navigation', { name: 'Clinics' }).locator('[aria-current=true] b')
    const name = await chosen.innerText()
    await use.page.keyboard.press('j')
    await expect.poll(() => chosen.innerText()).not.toBe(name)
  })

  test('a free slot is booked for an order that is found by its code, by keyboard and by mouse', async () => {
    const day = weekdayAhead(2)
    const [early, late] = await slotsOf(service, CLINIC, day)
    const [mine, other] = [
      await service.place({ participant: participant({ lastName: 'Adler' }) }),
      await service.place(),
    ]
    const dialog = use.page.getByRole('dialog', { name: 'New booking' })
    await use.open(`/bookings?date=${day}&clinic=${CLINIC}`)
    await sheet().getByRole('button', { name: 'Book here at 8:00 AM' }).waitFor()
    await use.page.keyboard.press('n')
    await dialog.waitFor()
    await use.page.keyboard.type(mine.code)
    await use.page.keyboard.press('Enter')
    expect(await dialog.getByRole('radio', { name: new RegExp(`${mine.code} Maria A\\.`) }).isChecked()).toBe(true)
    expect(await flawsOf(use.page)).toEqual([])
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('Booked at Naperville Occupational Health').waitFor()
    await sheet().getByRole('group', { name: '8:00 AM' }).getByText('1 free').waitFor()

    await sheet().getByRole('button', { name: 'Book here at 8:30 AM' }).click()
    await dialog.getByRole('textbox', { name: 'Order' }).fill(other.code)
    await dialog.getByRole('button', { name: /Search/ }).click()
    await dialog.getByRole('radio').check()
    await dialog.getByRole('button', { name: /^Book/ }).click()
    await sheet()
      .getByRole('group', { name: '8:30 AM' })
      .getByRole('link', { name: new RegExp(other.code) })
      .waitFor()
    const timeOf = async ({ id }: Placed) =>
      ((await service.operator(`/orders/${id}`)) as unknown as { appointmentAt: string }).appointmentAt
    expect([await timeOf(mine), await timeOf(other)]).toEqual([early!.at, late!.at])
    // The tests below count what is booked.
    for (const { id } of [mine, other])
      await service.operator(`/orders/${id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice' } })
  })

  test('a week shows what is booked, free and closed by hour, and opens a day', async () => {
    await use.open(`/bookings?date=${date}&clinic=${CLINIC}`)
    await sheet().getByRole('group', { name: '8:30 AM' }).waitFor()
    await use.page.keyboard.press('w')
    await use.page.waitForURL(/view=week/)
    const row = sheet().getByRole('row', { name: /^8:00 AM/ })
    await row.getByText('2 free').waitFor()
    expect(await row.getByText('closed').count()).toBeGreaterThan(0)
    expect(await flawsOf(use.page)).toEqual([])
    const name = new Date(`${date}T12:00:00`).toLocaleDateString('en-US', { weekday: 'short', day: 'numeric' })
    await sheet().getByRole('button', { name }).press('Enter')
    await sheet().getByRole('group', { name: '8:30 AM' }).getByText('full').waitFor()
  })

  test('bookings at a clinic that is switched off come first and are rebooked with a proposed place for each', async () => {
    await switchClinic(service, false)
    await use.open(`/bookings?date=${date}`)
    await use.page.getByText('3 bookings are at clinics that are switched off.').waitFor()
    await sheet().getByText('This clinic is switched off.').waitFor()
    await sheet()
      .getByRole('button', { name: /Rebook 3/ })
      .waitFor()
    await use.page.keyboard.press('r')
    const panel = use.page.getByRole('complementary', { name: 'Rebook 3 bookings' })
    await panel.getByRole('checkbox', { name: `Rebook ${walkIn.code}` }).uncheck()
    await panel.getByText('2 people will be notified').waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    await use.page.keyboard.press('Control+Enter')
    await panel.getByText('2 rebooked').waitFor()
    for (const order of [first, second]) {
      const read = (await service.operator(`/orders/${order.id}`)) as unknown as { order: { clinic: { id: string } } }
      expect(read.order.clinic.id).not.toBe(CLINIC)
      await panel.getByRole('listitem').filter({ hasText: order.code }).getByText('Rebooked').waitFor()
    }
    await use.page.getByText('1 booking is at clinics that are switched off.').waitFor()
    await switchClinic(service, true)
  })

  test('what the service refuses is reported for its order, which keeps its booking', async () => {
    const day = weekdayAhead(1)
    const [slot] = await slotsOf(service, CLINIC, day)
    const order = await booked(service, slot!.at, 'Okafor')
    await use.open(`/bookings?date=${day}&clinic=${CLINIC}&rebook=1`)
    const panel = use.page.getByRole('complementary', { name: 'Rebook 1 booking' })
    const button = panel.getByRole('button', { name: /Rebook 1/ })
    await panel.getByText('1 person will be notified').waitFor()
    await service.operator(`/orders/${order.id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice' } })
    await button.click()
    await panel.getByText('1 refused: the booking stays as it was').waitFor()
    const outcome = panel.getByRole('listitem').filter({ hasText: order.code })
    expect(await outcome.innerText()).toContain('Refused')
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const sized = eachConsolePage(opened, service, { width })

    test('the page has no flaw that axe finds, in light and dark, and fits', async () => {
      await sized.open(`/bookings?date=${date}&clinic=${CLINIC}`)
      await sized.page.getByRole('group', { name: '8:30 AM' }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await sized.page.emulateMedia({ colorScheme })
        await sized.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        expect(await flawsOf(sized.page)).toEqual([])
      }
    })
  })
})
