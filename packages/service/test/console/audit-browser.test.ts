import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { linkAll, recordEntries, tamper } from '../audit/given.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { flawsInLightAndDark } from './restricted.ts'
import { consoleService, eachConsolePage, participant } from './signed-in.ts'

/** More than one part of an export and of a verification. */
const MANY = 2_600

describe.skipIf(!hasBrowser)('the audit log of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const rows = () => use.page.locator('[role=row][data-index]')
  const press = (name: string) => use.page.getByRole('button', { name, exact: true }).click()

  test('entries about orders show their code, which leads to the order', async () => {
    const order = await service.place({ participant: participant() })
    await service.operator(`/orders/${order.id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice.' } })
    await use.open('/audit?action=order.cancel')
    await use.page.getByText(order.code).first().click()
    const entry = use.page.getByRole('complementary', { name: 'Entry' })
    await entry.getByText(order.id).waitFor()
    await entry.getByRole('link', { name: order.code }).click()
    await use.page.waitForURL(`**/console/orders/${order.code}`)
    await expect.poll(() => use.page.title()).toContain(order.code)
  })

  test('the log is filtered by action, subject, actor and days, all kept in the address', async () => {
    await recordEntries(service, 30, { tenantId: 'demo', action: 'order.read', tokenId: 'demo-operator' })
    await use.open('/audit')
    await rows().first().waitFor()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type('order.read')
    await use.page.getByLabel('Order or other id').fill('ord_7')
    await use.page.getByLabel('Person, or id of a token').fill('demo-operator')
    await use.page.getByLabel('From this day').fill('2026-02-28')
    await use.page.getByLabel('Until this day').fill('2026-02-28')
    await use.page.keyboard.press('Enter')
    await expect.poll(() => rows().count()).toBe(1)
    const { searchParams } = new URL(use.page.url())
    expect(Object.fromEntries(searchParams)).toEqual({
      action: 'order.read',
      on: 'ord_7',
      by: 'demo-operator',
      from: '2026-02-28',
      to: '2026-02-28',
    })
    // The entries are of the last hours of February in Chicago.
    await use.page.getByLabel('Until this day').fill('2026-02-27')
    await use.page.keyboard.press('Enter')
    await use.page.getByText('Nothing matches these filters.').waitFor()
    await press('Clear')
    await expect.poll(() => rows().count()).toBeGreaterThan(1)
  })

  test('the whole filter is exported, however many entries it has', async () => {
    await recordEntries(service, MANY, { tenantId: 'demo', action: 'order.export' })
    await use.open('/audit?action=order.export')
    await rows().first().waitFor()
    const [file] = await Promise.all([use.page.waitForEvent('download'), press('Export CSV')])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(MANY + 1)
    expect(new Set(lines).size).toBe(lines.length)
    await use.page.getByText(`${MANY.toLocaleString('en-US')} entries exported`).waitFor()
  })

  test('an export that was stopped gives no file', async () => {
    await recordEntries(service, 10, { tenantId: 'demo', action: 'order.stop' })
    await use.context.route('**/audit/export?*', async (route) => {
      await use.page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
      const line = (n: number) => `aud_${n},2026-03-04T16:02:40.100Z,x,token,,,order.stop,order,ord_${n},,,`
      const body = ['id', ...Array.from({ length: 500 }, (_, n) => line(n))].join('\r\n')
      await route.fulfill({ body, contentType: 'text/csv' })
    })
    await use.open('/audit?action=order.stop')
    await rows().first().waitFor()
    await press('Export CSV')
    await use.page.getByText('The export was stopped').waitFor()
    expect(await use.page.getByText('exported', { exact: false }).count()).toBe(0)
  })

  test('the chain is verified from the console, and an altered entry is reported and opens', async () => {
    const [, altered] = await recordEntries(service, MANY, { tenantId: 'demo' })
    await linkAll(service)
    await use.open('/audit')
    await rows().first().waitFor()
    await press('Verify chain')
    await use.page.getByText(/Chain intact\. [\d,]+ entries checked, none altered\./).waitFor()
    const { hash } = (await service.operator('/audit/head')) as unknown as { hash: string }
    await use.page.getByText(`${hash.slice(0, 8)}…${hash.slice(-8)}`).waitFor()
    expect(await flawsInLightAndDark(use)).toEqual([])

    await tamper(service, `update audit_entries set subject_id = 'ord_forged' where id = '${altered}'`)
    await press('Verify chain')
    await use.page.getByText('1 problem found.').waitFor()
    const faults = use.page.getByRole('list', { name: 'Problems' })
    await faults.getByText(`Entry ${altered}`).waitFor()
    expect(await flawsInLightAndDark(use)).toEqual([])
    await faults.getByRole('link', { name: 'Open entry' }).click()
    await use.page.getByRole('complementary', { name: 'Entry' }).getByText('ord_forged').waitFor()
  })
})
