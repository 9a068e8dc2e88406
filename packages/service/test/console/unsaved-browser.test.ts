import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage } from './signed-in.ts'

describe.skipIf(!hasBrowser)('What is typed in the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)

  const question = () => use.page.getByRole('dialog', { name: 'Leave without saving?' })
  const keep = () => question().getByRole('button', { name: 'Keep editing' }).click()
  const leave = () => question().getByRole('button', { name: 'Leave without saving' }).click()
  const name = () => use.page.getByRole('complementary').getByLabel('Name')

  async function editCompany(): Promise<void> {
    await use.open('/orders')
    await use.page.getByRole('link', { name: 'Catalog' }).click()
    await use.page.getByText('Boxelder').first().click()
    await name().fill('Boxelder Renamed')
  }

  test('an entry of the catalog is not left without asking, by the sidebar, by Back or by Escape', async () => {
    await editCompany()
    await use.page.getByRole('link', { name: 'Orders' }).click()
    await keep()
    expect(await name().inputValue()).toBe('Boxelder Renamed')
    await use.page.goBack()
    await keep()
    expect(await name().inputValue()).toBe('Boxelder Renamed')
    await name().blur()
    await use.page.keyboard.press('Escape')
    await question().waitFor()
    await use.page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await name().inputValue()).toBe('Boxelder Renamed')
    await use.page.getByRole('link', { name: 'Orders' }).click()
    await leave()
    await use.page.waitForURL('**/console/orders')
  })

  test('an entry of the catalog that was not touched is left at once', async () => {
    await use.open('/catalog')
    await use.page.getByText('Boxelder').first().click()
    await name().waitFor()
    await use.page.getByRole('link', { name: 'Orders' }).click()
    await use.page.waitForURL('**/console/orders')
    expect(await question().count()).toBe(0)
  })

  test('a new order asks before Escape throws it away, and the browser before the page closes', async () => {
    await use.open('/orders')
    await use.page.getByRole('button', { name: 'New order' }).click()
    const form = use.page.getByRole('dialog', { name: 'New order' })
    await form.getByLabel('First name').first().fill('Maria')
    await use.page.keyboard.press('Escape')
    await keep()
    expect(await form.getByLabel('First name').first().inputValue()).toBe('Maria')
    const asked = use.page.waitForEvent('dialog')
    const reload = use.page.reload().catch(() => undefined)
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reload
    await use.page.keyboard.press('Escape')
    await leave()
    await form.waitFor({ state: 'detached' })
    await use.page.keyboard.press('n')
    await form.waitFor()
    await use.page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })
})
