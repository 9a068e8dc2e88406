import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, openConsole, participant, type Placed } from './signed-in.ts'

describe.skipIf(!hasBrowser)('The console without a connection', () => {
  const service = consoleService()
  const opened = openBrowser()
  let page: Page
  let context: BrowserContext

  beforeEach(async () => {
    ;({ page, context } = await openConsole(opened.browser, service))
  })
  // Browsers complain about what could not be loaded, which is what these tests are about.
  afterEach(() => context.close())

  const open = (path: string) => page.goto(`${service.origin}/console${path}`)
  const place = () => service.place({ participant: participant({ lastName: 'Frost' }) })
  const statusOf = async ({ id }: Placed) =>
    ((await service.operator(`/orders/${id}`)) as unknown as { order: { status: string } }).order.status
  const shell = () => page.getByRole('navigation', { name: 'Areas' })

  async function confirmCancellation(code: string): Promise<void> {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Asked to')
    await dialog.getByPlaceholder(code).fill(code)
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
  }

  test('a cancellation that is confirmed offline fails at once, and is not sent when the network is back', async () => {
    const order = await place()
    await open(`/orders/${order.code}`)
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await context.setOffline(true)
    await confirmCancellation(order.code)
    await page.getByRole('dialog').getByText('You are offline. Nothing was changed.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'GET' || sent.push(request.url()))
    await context.setOffline(false)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByText(order.code).waitFor()
    expect(sent).toEqual([])
    expect(await statusOf(order)).toBe('ordered')
  })

  test('closing a dialog aborts its request, and says that it may have arrived', async () => {
    const order = await place()
    await context.route('**/cancellation', () => undefined)
    await open(`/orders/${order.code}`)
    await page.getByRole('button', { name: 'Cancel order' }).click()
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/cancellation'))
    await confirmCancellation(order.code)
    await page.getByRole('button', { name: 'Keep order' }).click()
    await page.getByText('It is not known whether this was done').waitFor()
    expect((await aborted).failure()?.errorText).toContain('ERR_ABORTED')
  })

  test('a page that cannot be loaded offline says so inside the shell, and opens when the network is back', async () => {
    await open('')
    await shell().waitFor()
    await context.setOffline(true)
    await shell().getByRole('link', { name: 'Audit' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await page.getByText('Showing what was loaded.').waitFor()
    expect(await shell().isVisible()).toBe(true)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
  })

  test('a page opens by itself when a service that was away answers again', async () => {
    await open('/orders')
    await shell().waitFor()
    await context.route('**/*', (route) => route.abort('connectionrefused'))
    await shell().getByRole('link', { name: 'Figures' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).isVisible()).toBe(true)
    expect(await shell().isVisible()).toBe(true)
    await context.unroute('**/*')
    await page.getByRole('heading', { name: 'Figures' }).waitFor()
  })

  test('data that could not be read loads by itself when the service is back', async () => {
    const order = await place()
    const away = ['**/api/console/v1/live', '**/api/operator/**']
    for (const path of away) await context.route(path, (route) => route.fulfill({ status: 503, body: '' }))
    await open('/orders')
    await page.getByText('The service did not answer. Showing what was loaded.').waitFor()
    await page.getByText('The service answered 503.').waitFor()
    for (const path of away) await context.unroute(path)
    await page.getByText(order.code).waitFor()
    expect(await page.getByText('The service answered 503.').count()).toBe(0)
  })
})
