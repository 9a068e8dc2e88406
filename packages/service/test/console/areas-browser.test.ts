import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, participant, type Placed } from './signed-in.ts'

describe.skipIf(!hasBrowser)('the areas of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const dialog = () => use.page.getByRole('dialog')
  let order: Placed
  beforeAll(async () => {
    order = await service.place({ participant: participant({ lastName: 'Torres' }) })
  })

  test('a notification is opened by keyboard, with its order', async () => {
    await use.open('/notifications')
    await use.page.locator('[role=row][data-index]').first().waitFor()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    const panel = use.page.getByRole('complementary', { name: 'Notifications' })
    await panel.getByText('Text and address are not stored.').waitFor()
    const link = panel.getByRole('link', { name: /^[0-9A-Z]{4}-[0-9A-Z]{4}$/ })
    const code = await link.innerText()
    await link.click()
    await use.page.waitForURL(`**/console/orders/${code}`)
    await expect.poll(() => use.page.title()).toContain(code)
  })

  test('the audit log shows what an operator did to an order, and why', async () => {
    const cancelled = await service.place({ participant: participant() })
    await service.operator(`/orders/${cancelled.id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice' } })
    await use.open(`/audit?on=${cancelled.id}&action=order.cancel`)
    const row = use.page.locator('[role=row][data-index]')
    await expect.poll(() => row.count()).toBe(1)
    await row.click()
    const panel = use.page.getByRole('complementary', { name: 'Entry' })
    await panel.getByText('Placed twice').waitFor()
    expect(await panel.innerText()).toContain('"status": "cancelled"')
  })

  describe('the shell', () => {
    test('the palette opens an order by its code, beside the list or as a page', async () => {
      await use.open('/audit')
      await use.page.getByRole('heading', { name: 'Audit' }).waitFor()
      await use.page.keyboard.press('Control+k')
      await use.page.getByRole('dialog').getByRole('combobox').waitFor()
      await use.page.keyboard.type(order.code)
      await use.page
        .getByRole('option', { name: new RegExp(`^${order.code}`) })
        .first()
        .waitFor()
      await use.page.keyboard.press('Control+Enter')
      await use.page.waitForURL(`**/orders?order=${order.code}`)
      await use.page.keyboard.press('Control+k')
      await use.page.getByRole('dialog').getByRole('combobox').waitFor()
      await use.page.keyboard.type(order.code)
      await use.page
        .getByRole('option', { name: new RegExp(`^${order.code}`) })
        .first()
        .waitFor()
      await use.page.keyboard.press('Enter')
      await use.page.waitForURL(`**/orders/${order.code}`)
      await expect.poll(() => use.page.title()).toContain(order.code)
    })

    test('G and a letter go to an area, and ? lists the keys', async () => {
      await use.open('/orders')
      await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
      for (const [key, area] of [
        ['r', 'results'],
        ['w', 'webhooks'],
        ['a', 'audit'],
        ['o', 'orders'],
      ]) {
        await use.page.keyboard.press('g')
        await use.page.keyboard.press(key!)
        await use.page.waitForURL(`**/console/${area}`)
      }
      await use.page.keyboard.press('?')
      await dialog().getByRole('textbox', { name: 'Find a shortcut' }).fill('undo')
      await dialog().getByText('Undo, for 10 s').waitFor()
      expect(await dialog().getByText('Next, previous').count()).toBe(0)
    })

    test('⇧T changes between light and dark, and the choice is kept', async () => {
      await use.open('/orders')
      await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
      const scheme = () => use.page.getAttribute('html', 'data-mantine-color-scheme')
      expect(await scheme()).toBe('light')
      await use.page.keyboard.press('Shift+T')
      await expect.poll(scheme).toBe('dark')
      await use.page.reload()
      expect(await scheme()).toBe('dark')
    })

    test('speaks Spanish once that is chosen', async () => {
      await use.open('/orders')
      await use.page.getByRole('button', { name: /Your account/ }).click()
      await use.page.getByRole('menuitemradio', { name: 'Español' }).click()
      await use.page.getByRole('heading', { name: 'Órdenes' }).waitFor()
      expect(await use.page.getAttribute('html', 'lang')).toBe('es')
    })

    test('locks after 15 minutes without use, and shows nothing until the person is back', async () => {
      await use.page.clock.install()
      await use.open('/orders')
      await use.page.getByText(order.code).first().waitFor()
      await use.page.clock.runFor(16 * 60_000)
      await use.page.getByRole('heading', { name: 'Locked' }).waitFor()
      await use.page.getByText('locked because it was not used').waitFor()
      expect(await use.page.content()).not.toContain(order.code)
      await use.page.getByRole('button', { name: 'Unlock' }).click()
      await use.page.getByText(order.code).first().waitFor()
    })

    test('unlocks also for a person who is quicker than the options to sign in', async () => {
      let click = () => {}
      const isClicked = new Promise<void>((resolve) => (click = resolve))
      await use.page.route('**/api/console/v1/signIn', async (route) => {
        await isClicked
        await route.continue()
      })
      await use.open('/orders')
      await use.page.getByText(order.code).first().waitFor()
      await use.page.keyboard.press('Shift+L')
      await use.page.getByRole('button', { name: 'Unlock' }).click()
      click()
      await use.page.getByText(order.code).first().waitFor()
      expect(await use.page.getByRole('heading', { name: 'Locked' }).count()).toBe(0)
    })

    test('stays locked when the page is reloaded, and does not call a lock by hand an idle one', async () => {
      await use.open('/orders')
      await use.page.getByText(order.code).first().waitFor()
      const locked = use.page.waitForResponse('**/session/lock')
      await use.page.keyboard.press('Shift+L')
      await use.page.getByText('the console is locked').waitFor()
      await locked
      await use.page.keyboard.press('Control+k')
      await use.page.reload()
      await use.page.getByRole('heading', { name: 'Locked' }).waitFor()
      expect(await use.page.getByText('not used').count()).toBe(0)
      expect(await use.page.getByRole('dialog').count()).toBe(0)
      await use.page.getByRole('button', { name: 'Unlock' }).click()
      await use.page.getByText(order.code).first().waitFor()
    })

    test('says that it is offline, and keeps what was loaded', async () => {
      await use.open('/orders')
      await use.page.getByText(order.code).first().waitFor()
      await use.context.setOffline(true)
      await use.page.getByText('Showing what was loaded.').waitFor()
      expect(await use.page.getByText(order.code).first().isVisible()).toBe(true)
      await use.context.setOffline(false)
      await use.page.getByText('Showing what was loaded.').waitFor({ state: 'detached' })
    })

    test('a failure gives the id of the request, and can be tried again', async () => {
      let isBroken = true
      await use.context.route('**/api/operator/v1/audit?*', (route) =>
        isBroken
          ? route.fulfill({
              status: 422,
              headers: { 'x-request-id': 'req_broken' },
              json: { errors: [{ code: 'x', detail: 'Broken on purpose.' }] },
            })
          : route.fallback(),
      )
      await use.open('/audit')
      await use.page.getByText('Broken on purpose.').waitFor()
      await use.page.getByText(/req_broken/).waitFor()
      isBroken = false
      await use.page.getByRole('button', { name: 'Try again' }).click()
      await use.page.locator('[role=row][data-index]').first().waitFor()
      expect(await use.page.getByText('Broken on purpose.').count()).toBe(0)
    })
  })
})

describe.skipIf(!hasBrowser)('somebody who is not signed in', () => {
  // Nothing listens at the discard port.
  const issuer = 'http://127.0.0.1:9'
  const service = consoleService({
    oidc: { issuer, clientId: 'console', clientSecret: 'secret', name: 'Northfold SSO' },
  })
  const opened = openBrowser()
  const use = eachConsolePage(opened, service, { isSignedIn: false })

  test('is led to sign in, and then to where they wanted to go', async () => {
    await use.open('/orders?status=pending')
    await use.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    // An address that is no name cannot have passkeys.
    await use.page.getByText('Passkeys need a name').waitFor()
    expect(await use.page.getByRole('button', { name: 'Continue with a passkey' }).count()).toBe(0)
    await use.page.getByRole('button', { name: 'Enter as the demo operator' }).click()
    await use.page.waitForURL('**/console/orders?status=pending')
    await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
  })

  test('learns why the sign-in of the company failed', async () => {
    await use.open('/orders?status=pending')
    await use.page.getByRole('link', { name: 'Continue with Northfold SSO' }).click()
    await use.page.getByRole('alert').getByText('Northfold SSO cannot be reached').waitFor()
    await use.page.getByRole('button', { name: 'Enter as the demo operator' }).click()
    await use.page.getByRole('heading', { name: 'Today' }).waitFor()
    expect(use.page.url()).not.toContain('signInError')
  })

  test('is never led to another site', async () => {
    await use.open('/sign-in?to=//evil.example/console')
    await use.page.getByRole('button', { name: 'Enter as the demo operator' }).click()
    await use.page.getByRole('heading', { name: 'Today' }).waitFor()
    expect(use.page.url().startsWith(service.origin)).toBe(true)
  })
})
