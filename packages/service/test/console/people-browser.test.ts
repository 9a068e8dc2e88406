import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { addedUser } from '../users/given.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { allowOnly, flawsInLightAndDark } from './restricted.ts'
import { consoleService, eachConsolePage } from './signed-in.ts'

interface Person {
  id: string
}

describe.skipIf(!hasBrowser)('people', () => {
  const service = consoleService()
  const opened = openBrowser()
  const invited = (name: string) =>
    service.operator('/users', {
      method: 'POST',
      body: { email: `${name.toLowerCase()}@northfold.example`, name, role: 'support' },
    }) as unknown as Promise<Person>
  const read = (id: string) => service.operator(`/users/${id}`) as unknown as Promise<Record<string, unknown>>

  describe('at 1280 px', () => {
    const use = eachConsolePage(opened, service)
    const dialog = () => use.page.getByRole('dialog')
    const panel = () => use.page.getByRole('complementary', { name: 'Person' })

    test('a person is invited by keyboard, and the link is shown to be copied', async () => {
      await use.open('/orders')
      await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
      await use.page.keyboard.press('g')
      await use.page.keyboard.press('p')
      await use.page.waitForURL('**/console/people')
      await use.page.getByRole('heading', { name: 'People' }).waitFor()
      await use.page.keyboard.press('n')
      await dialog().getByLabel('E-mail').waitFor()
      await use.page.keyboard.type('ana@northfold.example')
      await use.page.keyboard.press('Tab')
      await use.page.keyboard.type('Ana Reyes')
      await dialog().getByLabel('Role').selectOption('Auditor')
      await dialog().getByText('Changes nothing.').waitFor()
      await use.page.keyboard.press('Control+Enter')
      await dialog().getByText('The link was not sent by e-mail. Pass it on yourself.').waitFor()
      const link = await dialog().getByLabel('Link').inputValue()
      expect(link).toContain('/console/invitation/')
      await dialog().getByRole('button', { name: 'Copy', exact: true }).click()
      expect(await use.page.evaluate<string>('navigator.clipboard.readText()')).toBe(link)
      await dialog().getByRole('button', { name: 'Done' }).click()
      const row = use.page.getByRole('row', { name: /Ana Reyes/ })
      expect(await row.innerText()).toMatch(/Auditor\s+Invited/)
    })

    test('a role is changed, another invitation is made, and sessions are ended', async () => {
      const { id } = await invited('Bruno')
      await use.open(`/people?person=${id}`)
      await panel().getByLabel('Role').selectOption('Coordinator')
      await panel().getByRole('button', { name: 'Change role' }).click()
      await use.page.getByText('Bruno is now Coordinator').waitFor()
      expect(await read(id)).toMatchObject({ role: 'coordinator' })
      await panel().getByRole('button', { name: 'Invite again' }).click()
      expect(await dialog().getByLabel('Link').inputValue()).toContain('/console/invitation/')
      await use.page.keyboard.press('Escape')
      await panel().getByRole('button', { name: 'Sign out everywhere' }).click()
      await use.page.getByText('0 sessions ended').waitFor()
    })

    test('a person is deactivated only with the address typed, and can be activated again', async () => {
      const { id } = await invited('Carla')
      await use.open(`/people?person=${id}`)
      await panel().getByRole('button', { name: 'Deactivate…' }).click()
      const confirm = dialog().getByRole('button', { name: 'Deactivate person' })
      expect(await confirm.isDisabled()).toBe(true)
      await dialog().getByLabel('Type the e-mail address to confirm').fill('carla@northfold.example')
      await confirm.click()
      await use.page.getByText('Carla deactivated').waitFor()
      expect(await read(id)).toMatchObject({ state: 'deactivated' })
      await panel().getByRole('button', { name: 'Activate' }).click()
      await use.page.getByText('Carla activated').waitFor()
      expect(await read(id)).toMatchObject({ isActive: true })
    })

    test('somebody who may not see people has no entry for them, and reads why', async () => {
      await allowOnly(use.context, ['operator.orders.read'])
      await use.open('/people')
      await use.page.getByText(/Your role lacks operator\./).waitFor()
      expect(await use.page.getByRole('link', { name: 'People' }).count()).toBe(0)
    })
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const use = eachConsolePage(opened, service, { width })

    test('list, panel and dialogs have no flaw that axe finds, in light and dark, and fit', async () => {
      const { id } = await invited(`Dora${width}`)
      await use.open(`/people?person=${id}`)
      await use.page.getByRole('button', { name: 'Deactivate…' }).click()
      await use.page.getByRole('dialog').waitFor()
      expect(await flawsInLightAndDark(use)).toEqual([])
      await use.page.keyboard.press('Escape')
      await use.page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await flawsInLightAndDark(use)).toEqual([])
    })
  })
})

describe.skipIf(!hasBrowser)('the own account', () => {
  const service = consoleService()
  const opened = openBrowser()

  const use = eachConsolePage(opened, service, { isSignedIn: false })

  /** Signs in anew, under a name, because browsers bind passkeys to one. */
  /** Accepts an invitation on a new device, and opens the own account. */
  async function enter({ id }: { id: string }): Promise<{ page: Page; removeDevice: () => Promise<unknown> }> {
    await use.context.clearCookies()
    const invited = await service.operator(`/users/${id}/invitation`, { method: 'POST', body: undefined })
    const { url } = (invited as unknown as { invitation: { url: string } }).invitation
    const origin = service.origin.replace('127.0.0.1', 'localhost')
    const page = await use.context.newPage()
    const removeDevice = await addDevice(page)
    await page.goto(origin + new URL(url, service.origin).pathname)
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.goto(`${origin}/console/account`)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    return { page, removeDevice }
  }

  test('passkeys are added and removed, but not the last one, and another session is ended', async () => {
    await use.context.unrouteAll()
    await use.page.close()
    const user = await addedUser(service, { tenantId: 'demo', name: 'Rosa Silva', role: 'administrator' })
    await (await enter(user)).page.close()
    const entered = await enter(user)
    use.page = entered.page
    const passkeys = use.page.getByRole('region', { name: 'Passkeys' })
    const sessions = use.page.getByRole('region', { name: 'Sessions' })
    await entered.removeDevice()
    await addDevice(use.page)
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
    await passkeys.getByRole('button', { name: 'Remove' }).nth(2).waitFor()
    await sessions.getByRole('listitem').nth(1).waitFor()
    for (const width of [1280, 390]) {
      await use.page.setViewportSize({ width, height: 844 })
      expect(await flawsInLightAndDark(use)).toEqual([])
    }
    await sessions.getByRole('button', { name: 'Sign out', exact: true }).click()
    await sessions.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    await sessions.getByText('This session').waitFor()
    const removeFirst = async () => {
      await passkeys.getByRole('button', { name: 'Remove' }).first().click()
      await use.page.getByRole('dialog').waitFor()
      await use.page.keyboard.press('Control+Enter')
    }
    for (const left of [2, 1]) {
      await removeFirst()
      await passkeys.getByRole('button', { name: 'Remove' }).nth(left).waitFor({ state: 'detached' })
    }
    await removeFirst()
    await use.page.getByText('This is your only way to sign in. Add another passkey first.').waitFor()
  })
})

/** A device that creates passkeys without asking. Returns what takes it away. */
async function addDevice(page: Page): Promise<() => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
}
