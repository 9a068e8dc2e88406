import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { allowOnly, flawsInLightAndDark } from './restricted.ts'
import { consoleService, eachConsolePage } from './signed-in.ts'

interface Issued {
  id: string
  secret: string
}

describe.skipIf(!hasBrowser)('the tokens', () => {
  const service = consoleService()
  const opened = openBrowser()
  const issued = (members: object) =>
    service.operator('/tokens', { method: 'POST', body: members }) as unknown as Promise<Issued>
  const read = (id: string) => service.operator(`/tokens/${id}`) as unknown as Promise<Record<string, unknown>>

  describe('at 1280 px', () => {
    const use = eachConsolePage(opened, service)
    const dialog = () => use.page.getByRole('dialog')
    const panel = () => use.page.getByRole('complementary', { name: 'Token' })

    test('a token is created by keyboard, its secret is shown once and works, and cannot be closed away', async () => {
      await use.open('/orders')
      await use.page.getByRole('heading', { name: 'Orders' }).waitFor()
      await use.page.keyboard.press('g')
      await use.page.keyboard.press('k')
      await use.page.waitForURL('**/console/tokens')
      await use.page.locator('[role=row][data-index]').first().waitFor()
      await use.page.keyboard.press('n')
      await dialog().getByLabel('Name').waitFor()
      await use.page.keyboard.type('Fleet HR')
      await dialog()
        .getByRole('checkbox', { name: /^order\.list/ })
        .press('Space')
      await dialog().getByRole('checkbox', { name: 'Boxelder Fulfillment' }).press('Space')
      await use.page.keyboard.press('Control+Enter')
      const secret = await dialog().getByLabel('Secret').inputValue()
      await use.page.keyboard.press('Escape')
      await dialog().getByText('Copy the secret before you close this.').waitFor()
      await dialog().getByRole('button', { name: 'Copy', exact: true }).click()
      await dialog().getByText('Copied', { exact: true }).waitFor()
      expect(await use.page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
      await use.page.keyboard.press('Escape')
      await panel().getByText('List orders and their events.').waitFor()
      await panel().getByText('Boxelder Fulfillment').waitFor()
      expect(await use.page.content()).not.toContain(secret)
      expect((await service.call(secret, { method: 'GET', path: '/api/v2/orders' })).status).toBe(200)
      expect((await service.call(secret, { method: 'GET', path: '/api/v2/clinics' })).status).toBe(401)
    })

    test('name and scopes are edited, and what was not touched stays', async () => {
      const expiresAt = '2031-05-04T10:00:00.000Z'
      const { id } = await issued({ name: 'Crew portal', scopes: ['order.list'], rateLimit: 77, expiresAt })
      const { companies } = await read(id)
      await use.open(`/tokens?token=${id}`)
      await panel().getByText('77 requests a minute').waitFor()
      await use.page.keyboard.press('e')
      await dialog().getByLabel('Name').fill('Crew portal, new')
      await dialog()
        .getByRole('checkbox', { name: /^clinic\.list/ })
        .check()
      await dialog().getByRole('button', { name: 'Save changes' }).click()
      await use.page.getByText('Token changed').waitFor()
      await panel().getByText('List clinics.').waitFor()
      expect(await read(id)).toMatchObject({
        name: 'Crew portal, new',
        scopes: expect.arrayContaining(['order.list', 'clinic.list']) as string[],
        companies,
        expiresAt,
        rateLimit: 77,
      })
    })

    test('a token is revoked only with its name typed and an answer about its callbacks', async () => {
      const { id, secret } = await issued({ name: 'Old portal', scopes: ['order.list'] })
      await use.open(`/tokens?token=${id}`)
      await panel().getByRole('button', { name: 'Revoke…' }).click()
      const confirm = dialog().getByRole('button', { name: 'Revoke token' })
      await dialog().getByLabel('Type the name of the token to confirm').fill('Old portal')
      expect(await confirm.isDisabled()).toBe(true)
      await dialog()
        .getByRole('radio', { name: /^End them/ })
        .check()
      const asked = use.page.waitForRequest((request) => request.method() === 'DELETE')
      await use.page.keyboard.press('Control+Enter')
      expect((await asked).url()).toContain('callbacks=end')
      await use.page.getByText('Old portal revoked').waitFor()
      expect(await read(id)).toMatchObject({ state: 'revoked' })
      expect((await service.call(secret, { method: 'GET', path: '/api/v2/orders' })).status).toBe(401)
      expect(await panel().getByRole('button', { name: 'Edit' }).count()).toBe(0)
    })

    test('scopes show their use, and the log of requests opens refused ones in place', async () => {
      const { id, secret } = await issued({ name: 'Logged', scopes: ['order.list', 'clinic.list'] })
      await service.call(secret, { method: 'GET', path: '/api/v2/orders' })
      await service.call(secret, { method: 'GET', path: '/api/v2/orders?limit=999' })
      const logged = () => service.operator(`/tokens/${id}/requests`) as unknown as Promise<{ total: number }>
      await expect.poll(async () => (await logged()).total, { timeout: 20_000 }).toBe(2)
      await use.open(`/tokens?token=${id}`)
      await panel().getByText('1 of 2 used in 30 days').waitFor()
      await panel().getByText('2 requests in 30 days').waitFor()
      await panel()
        .getByText(/^Not used /)
        .waitFor()
      const log = panel().getByRole('region', { name: 'Request log' })
      await expect.poll(() => log.getByRole('listitem').count()).toBe(2)
      await log.getByText('Refused only').click()
      await expect.poll(() => log.getByRole('listitem').count()).toBe(1)
      await log.locator('summary').click()
      await log.getByText('/limit', { exact: true }).waitFor()
      expect(await flawsInLightAndDark(use)).toEqual([])
    })

    test('tokens of catalog files are marked and cannot be edited', async () => {
      await use.open('/tokens')
      await use.page.locator('[role=row][data-index]').filter({ hasText: 'Catalog file' }).first().click()
      await panel().getByText('This token comes from a catalog file.').waitFor()
      await panel().getByRole('button', { name: 'Revoke…' }).waitFor()
      expect(await panel().getByRole('button', { name: 'Edit' }).count()).toBe(0)
    })

    test('senders of a token and the laboratories they speak for are shown', async () => {
      const senders = [{ id: 'HALVORSEN', role: 'lab', labs: ['lab-tamarack-falls'] }]
      const { id } = await issued({ name: 'Laboratory gate', scopes: ['intake.lab'], senders })
      await use.open(`/tokens?token=${id}`)
      await panel().getByText('Laboratory, speaks for lab-tamarack-falls').waitFor()
      expect(await panel().innerText()).toContain('HALVORSEN')
      await panel().getByRole('button', { name: 'Edit HALVORSEN' }).click()
      await dialog().getByLabel('Name').fill('Halvorsen Ridge')
      await dialog().getByLabel('Time zone').fill('America/Chicago')
      await use.page.keyboard.press('Control+Enter')
      await use.page.getByText('Sender changed').waitFor()
      await panel().getByText('Halvorsen Ridge').waitFor()
      await panel()
        .getByText(/^times in America\/Chicago/)
        .waitFor()
    })

    test('the codes of a sender are added and forgotten, except those of the catalog', async () => {
      const senders = [{ id: 'TAMARACK', role: 'lab', labs: ['lab-tamarack-falls'] }]
      const { id } = await issued({ name: 'Code line', scopes: ['intake.lab'], senders })
      await use.open(`/tokens?token=${id}`)
      await panel().getByRole('button', { name: 'Codes of TAMARACK' }).click()
      const line = (code: string) => dialog().getByRole('listitem').filter({ hasText: code })
      await line('35105N').getByText('5-Panel Urine Drug Test').waitFor()
      expect(await line('35105N').getByRole('button').count()).toBe(0)
      await dialog().getByLabel('Code', { exact: true }).fill('U9X')
      await dialog().getByLabel('Service').selectOption({ label: '10-Panel Urine Drug Test' })
      await use.page.keyboard.press('Tab')
      await dialog().getByRole('button', { name: 'Add code' }).press('Enter')
      await use.page.getByText('U9X stands for 10-Panel Urine Drug Test').waitFor()
      await line('U9X').getByText('10-Panel Urine Drug Test').waitFor()
      expect(await flawsInLightAndDark(use)).toEqual([])
      const learned = async () => (await service.operator('/laboratoryCodes?origin=learned')).total
      expect(await learned()).toBe(1)
      await dialog().getByRole('button', { name: 'Forget U9X of lab-tamarack-falls' }).click()
      await line('U9X').waitFor({ state: 'detached' })
      expect(await learned()).toBe(0)
    })

    test('somebody who may only read sees no way to change, and others no tokens at all', async () => {
      await allowOnly(use.context, ['operator.tokens.read', 'operator.audit.read'])
      await use.open('/tokens')
      await use.page.locator('[role=row][data-index]').first().click()
      await panel().getByText('Last used').waitFor()
      expect(await use.page.getByRole('button', { name: /New token|Edit|Revoke/ }).count()).toBe(0)
      await allowOnly(use.context, ['operator.audit.read'])
      await use.open('/tokens')
      await use.page.getByText(/Your role lacks operator\./).waitFor()
      expect(await use.page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
    })
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const use = eachConsolePage(opened, service, { width })

    test('list, panel and dialogs have no flaw that axe finds, in light and dark, and fit', async () => {
      const { id } = await issued({ name: 'Looked at', scopes: ['all'] })
      await use.open(`/tokens?token=${id}`)
      await use.page.getByText('Place orders at linked locations.').waitFor()
      expect(await flawsInLightAndDark(use)).toEqual([])
      for (const name of ['Edit', 'Revoke…']) {
        await use.page.getByRole('button', { name }).click()
        await use.page.getByRole('dialog').waitFor()
        expect(await flawsInLightAndDark(use)).toEqual([])
        await use.page.keyboard.press('Escape')
        await use.page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    })
  })
})
