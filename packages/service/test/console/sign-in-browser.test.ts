import type { BrowserContext } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { addedUser } from '../users/given.ts'
import { consoleService } from './signed-in.ts'

describe.skipIf(!hasBrowser)('an invited person', () => {
  const service = consoleService()
  const opened = openBrowser()
  let context: BrowserContext | undefined
  afterEach(() => context?.close())

  /** A browser with an authenticator, which has the name that passkeys need. */
  async function device() {
    context = await opened.browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 844 } })
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return page
  }

  test('accepts with a passkey, sees what their role allows, signs out, and signs in again', async () => {
    const user = await addedUser(service, { tenantId: 'demo', name: 'Rosa Silva', role: 'coordinator' })
    const invited = await service.operator(`/users/${user.id}/invitation`, { method: 'POST', body: undefined })
    const { url } = (invited as unknown as { invitation: { url: string } }).invitation
    const page = await device()
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.goto(service.origin.replace('127.0.0.1', 'localhost') + new URL(url, service.origin).pathname)
    await page.getByText(`${user.email} · Coordinator`).waitFor()
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    const areas = page.getByRole('navigation', { name: 'Areas' })
    await areas.getByRole('link', { name: 'Orders' }).waitFor()
    // Coordinators have no access to the audit log or to webhooks.
    expect(await areas.getByRole('link', { name: /Audit|Webhooks/ }).count()).toBe(0)

    await page.getByRole('button', { name: /Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.getByRole('button', { name: 'Rosa Silva' }).waitFor()
    expect(refused).toEqual([])
  })

  test('learns that a link was used before', async () => {
    const page = await device()
    await page.goto(`${service.origin.replace('127.0.0.1', 'localhost')}/console/invitation/used`)
    await page.getByRole('heading', { name: 'This invitation was used or has expired' }).waitFor()
    expect(await page.getByRole('button', { name: 'Create a passkey' }).count()).toBe(0)
  })
})
