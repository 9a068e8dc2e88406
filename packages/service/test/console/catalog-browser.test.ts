import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type ConsoleService } from './signed-in.ts'

const CLINIC = 'clinic-naperville'
const DAY_MS = 86_400_000

interface Catalog {
  clinics: { id: string; fee?: number; isActive: boolean; hours: Record<string, string[][]> }[]
  companies: { id: string; name: string; locations: { id: string; settings?: { clinicFeeCap?: number } }[] }[]
}

const read = async (service: ConsoleService) => (await service.operator('/catalog')) as unknown as Catalog
const clinicOf = async (service: ConsoleService) => (await read(service)).clinics.find(({ id }) => id === CLINIC)!

describe.skipIf(!hasBrowser)('the catalog of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const panel = (name: string) => use.page.getByRole('complementary', { name })

  test('entries are found by keyboard, and opened beside the list', async () => {
    await use.open('/orders')
    await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
    await use.page.keyboard.press('g')
    await use.page.keyboard.press('c')
    await use.page.waitForURL('**/console/catalog')
    await use.page.getByRole('button', { name: /^Clinics 47/ }).click()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type('naperville')
    await expect.poll(() => use.page.locator('[role=row][data-index]').count()).toBe(1)
    // Keys work on the list once no control has the focus.
    await use.page.locator('input:focus').blur()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    await panel('Naperville Occupational Health').getByLabel('Fee in dollars').waitFor()
  })

  test('a changed clinic shows the difference and who is affected before it is applied', async () => {
    const at = [3, 4, 5].map((days) => new Date(Date.now() + days * DAY_MS)).find((day) => day.getUTCDay() % 6 !== 0)!
    const day = (await service.operator(`/clinics/${CLINIC}/day?date=${at.toISOString().slice(0, 10)}`)) as unknown as {
      slots: { at: string; time: string }[]
    }
    const order = await service.place({ participant: participant() })
    const appointmentAt = day.slots.find(({ time }) => time === '15:00')!.at
    await service.operator(`/orders/${order.id}/clinic`, { method: 'PUT', body: { clinicId: CLINIC, appointmentAt } })
    await use.open(`/catalog?kind=clinics&entry=${CLINIC}`)
    const clinic = panel('Naperville Occupational Health')
    await clinic.getByLabel('Fee in dollars').fill('65')
    await clinic.getByText('was 62').waitFor()
    const weekday = at.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
    await clinic.getByLabel(weekday).fill('noon')
    await clinic.getByText('Expected times such as').waitFor()
    await clinic.getByLabel(weekday).fill('08:00-12:00')
    await clinic.getByRole('region', { name: 'Difference' }).getByText('1 change').waitFor()
    const affected = clinic.getByRole('region', { name: 'Who is affected' })
    await affected.getByText('1 booking loses its place').waitFor()
    await affected.getByText(order.code).waitFor()
    await affected.getByText('Closed then').waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    expect((await clinicOf(service)).fee).toBe(62)
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('Naperville Occupational Health changed').waitFor()
    const changed = await clinicOf(service)
    expect(changed.fee).toBe(65)
    expect(changed.hours[weekday.slice(0, 3).toLowerCase()]).toEqual([['08:00', '12:00']])
  })

  test('a location shows what it inherits, and overrides it', async () => {
    await use.open('/catalog?kind=companies&entry=co-boxelder')
    const company = panel('Boxelder Fulfillment')
    await company.getByLabel('Fee cap in dollars').fill('90')
    await company.getByRole('button', { name: /^Apply/ }).click()
    await use.page.getByText('Boxelder Fulfillment changed').waitFor()
    await use.open('/catalog?kind=locations&entry=loc-boxelder-columbus')
    const location = panel('Columbus Sortation Center')
    await location.getByText('90, from Boxelder Fulfillment').waitFor()
    await location.getByLabel('Fee cap in dollars').fill('75')
    await location.getByRole('button', { name: /^Apply/ }).click()
    await use.page.getByText('Columbus Sortation Center changed').waitFor()
    await location.getByText('instead of 90 from Boxelder Fulfillment').waitFor()
    const { companies } = await read(service)
    const boxelder = companies.find(({ id }) => id === 'co-boxelder')!
    expect(boxelder.locations.find(({ id }) => id === 'loc-boxelder-columbus')?.settings?.clinicFeeCap).toBe(75)
  })

  test('clinics are on a map that follows the list, by mouse and by keyboard', async () => {
    await use.open('/catalog?kind=clinics')
    const map = use.page.getByRole('img', { name: /^Map of 4\d clinics/ })
    await map.waitFor()
    const dots = await map.locator('circle').count()
    await use.page.getByRole('button', { name: 'Closer' }).click()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type('naperville')
    await use.page.getByRole('img', { name: 'Map of 1 clinic.' }).waitFor()
    expect(dots).toBeGreaterThan(40)
    await use.page.locator('svg circle[data-active]').click()
    await panel('Naperville Occupational Health').waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    await use.page.getByRole('button', { name: 'List', exact: true }).press('Enter')
    await use.page.waitForURL(/view=list/)
    await use.page.getByRole('img', { name: /^Map of/ }).waitFor({ state: 'detached' })
  })

  test('services and packages are edited by forms, and what others changed meanwhile is not undone', async () => {
    const file = (await read(service)) as Catalog & { packages: { id: string; name: string; services: string[] }[] }
    const [first] = file.packages
    await use.open(`/catalog?kind=packages&entry=${first!.id}`)
    const form = panel(first!.name)
    await form
      .getByRole('group', { name: /^Services/ })
      .getByRole('checkbox', { checked: false })
      .first()
      .check()
    await form.getByLabel('Name in Spanish').fill('Paquete')
    await form.getByRole('region', { name: 'Difference' }).getByText('names').waitFor()
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText(`${first!.name} changed`).waitFor()
    const changed = ((await read(service)) as typeof file).packages.find(({ id }) => id === first!.id)
    expect(changed).toMatchObject({ names: { es: 'Paquete' } })
    expect(changed!.services).toHaveLength(first!.services.length + 1)

    await use.open('/catalog?kind=services&entry=svc-dot-urine-5')
    const urine = use.page.locator('aside')
    await urine.getByLabel('Medical review').waitFor()
    const now = await read(service)
    const clinics = now.clinics.map((clinic) => (clinic.id === 'clinic-katy' ? { ...clinic, fee: 63 } : clinic))
    await service.operator('/catalog', { method: 'PUT', body: { ...now, clinics } })
    await urine.getByLabel('Name', { exact: true }).fill('DOT Urine')
    await urine.getByRole('alert').filter({ hasText: 'Somebody else changed the catalog' }).waitFor()
    expect(await urine.getByRole('button', { name: /^Apply/ }).isDisabled()).toBe(true)
  })

  test('a change is refused if somebody else changed the catalog meanwhile', async () => {
    await use.open('/catalog?kind=companies&entry=co-boxelder')
    const company = panel('Boxelder Fulfillment')
    await company.getByLabel('Help phone').fill('(630) 555-0199')
    await company.getByRole('region', { name: 'Difference' }).getByText('1 change').waitFor()
    const file = await read(service)
    const clinics = file.clinics.map((clinic) => (clinic.id === 'clinic-katy' ? { ...clinic, fee: 61 } : clinic))
    await service.operator('/catalog', { method: 'PUT', body: { ...file, clinics } })
    await company.getByRole('button', { name: /^Apply/ }).click()
    await company.getByRole('alert').filter({ hasText: 'Somebody else changed the catalog' }).waitFor()
    expect((await read(service)).clinics.find(({ id }) => id === 'clinic-katy')?.fee).toBe(61)
  })

  test('the catalog is exported as a file, and a changed file is imported after its difference was shown', async () => {
    await use.open('/catalog')
    const saving = use.page.waitForEvent('download')
    await use.page.getByRole('button', { name: 'Export' }).click()
    expect((await saving).suggestedFilename()).toBe('demo.json')
    const file = await read(service)
    const clinics = file.clinics.map((clinic) => (clinic.id === CLINIC ? { ...clinic, isActive: false } : clinic))
    await use.page.getByLabel('Import a catalog file').setInputFiles({
      name: 'changed.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ ...file, clinics })),
    })
    const dialog = use.page.getByRole('dialog')
    await dialog.getByText('isActive').waitFor()
    await dialog.getByText('1 open booking at clinics that it switches off.').waitFor()
    expect((await clinicOf(service)).isActive).toBe(true)
    // Somebody else is faster: what they changed must not be undone unseen.
    await service.operator('/catalog', { method: 'PUT', body: { ...file, clinics: file.clinics.slice(1) } })
    await use.page.keyboard.press('Control+Enter')
    await dialog.getByRole('alert').filter({ hasText: 'Somebody else changed the catalog' }).waitFor()
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('Catalog file applied').waitFor()
    expect((await clinicOf(service)).isActive).toBe(false)
  })

  test('a file that switches off many entries is applied only once their number was typed', async () => {
    await use.open('/catalog')
    await use.page.getByLabel('Import a catalog file').setInputFiles({
      name: 'nearly-empty.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ tenant: { id: 'demo', name: 'Demo' } })),
    })
    const dialog = use.page.getByRole('dialog')
    const apply = dialog.getByRole('button', { name: /^Apply/ })
    const field = dialog.getByLabel(/^This switches off \d+ entries\. Type \d+ to apply it$/)
    await field.waitFor()
    await use.page.keyboard.press('Control+Enter')
    expect(await apply.isDisabled()).toBe(true)
    await field.fill((await field.getAttribute('placeholder'))!)
    expect(await apply.isEnabled()).toBe(true)
    await dialog.getByRole('button', { name: /^Discard/ }).click()
    expect((await read(service)).clinics.length).toBeGreaterThan(0)
  })

  test('a clinic that is switched off under a booking leads to its rebooking', async () => {
    const file = await read(service)
    const clinics = file.clinics.map((clinic) => (clinic.id === CLINIC ? { ...clinic, isActive: true } : clinic))
    await service.operator('/catalog', { method: 'PUT', body: { ...file, clinics } })
    await use.open(`/catalog?kind=clinics&entry=${CLINIC}`)
    const clinic = panel('Naperville Occupational Health')
    await clinic.getByLabel('Active').click()
    await clinic.getByText('1 open booking at clinics that it switches off.').waitFor()
    await clinic.getByRole('button', { name: 'Apply and rebook' }).click()
    await use.page.waitForURL(/\/bookings\?/)
    await panel('Rebook 1 booking').waitFor()
    expect((await clinicOf(service)).isActive).toBe(false)
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const sized = eachConsolePage(opened, service, { width })

    test('the list and an entry have no flaw that axe finds, in light and dark, and fit', async () => {
      for (const path of ['/catalog?kind=clinics', '/catalog?kind=companies&entry=co-boxelder']) {
        await sized.open(path)
        await sized.page
          .locator(path.includes('entry') ? 'aside h3' : '[role=row][data-index]')
          .first()
          .waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await sized.page.emulateMedia({ colorScheme })
          await sized.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
          expect(await flawsOf(sized.page)).toEqual([])
        }
      }
    })
  })
})
