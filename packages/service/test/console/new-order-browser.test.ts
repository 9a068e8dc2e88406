import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf } from './signed-in.ts'

describe.skipIf(!hasBrowser)('an order for a client', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const dialog = () => use.page.getByRole('dialog')
  const type = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
  const choose = (label: string, option: string) =>
    dialog().getByLabel(label, { exact: true }).selectOption({ label: option })

  async function begin() {
    await use.open('/orders')
    await use.page.getByRole('button', { name: 'New order' }).waitFor()
    await use.page.keyboard.press('n')
    await dialog().getByLabel('Company', { exact: true }).waitFor()
  }

  async function fill(lastName: string) {
    await choose('Company', 'Prairie Arrow Freight')
    await choose('Location', 'Joliet Terminal')
    await choose('Package', 'DOT Urine Drug Test')
    await choose('Reason', 'Pre-employment')
    await choose('Agency', 'Federal Railroad Administration')
    await choose('Job category', 'Engine Service')
    await type('First name', 'Ana')
    await type('Last name', lastName)
    await type('Birth date', '1990-03-07')
    await type('E-mail', 'ana@example.com')
    await type('Their first name', 'Dana')
    await type('Their last name', 'Reed')
    await type('Their e-mail', 'dana@prairie.example')
  }

  test('is placed, opened and recorded, with its source', async () => {
    await begin()
    await fill('Castillo')
    await use.page.keyboard.press('Control+Enter')
    await use.page.waitForURL(/\/orders\/[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    await use.page.getByText(/^Order .* placed$/).waitFor()
    const code = use.page.url().slice(-9)
    const { order } = (await service.operator(`/orders/${code}`)) as unknown as { order: object }
    expect(order).toMatchObject({
      participant: { firstName: 'Ana', lastName: 'Castillo' },
      agency: { code: 'FRA' },
      jobCategory: { name: 'Engine Service' },
    })
    const { data } = (await service.operator('/audit?action=order.create')) as unknown as { data: object[] }
    expect(data).toMatchObject([
      { action: 'order.create', user: { name: 'Demo operator' }, after: { source: 'portal' } },
    ])
  })

  test('is not placed twice: the order on file is opened', async () => {
    const pages = new Set<string>()
    for (const told of [/^Order .* placed$/, /^Nothing was placed: .* was already on file/]) {
      await begin()
      await fill('Moreno')
      await use.page.keyboard.press('Control+Enter')
      await use.page.getByText(told).waitFor()
      pages.add(use.page.url())
    }
    expect(pages.size).toBe(1)
  })

  test('keeps what was typed when it is refused, and says beside each field why', async () => {
    await begin()
    await type('First name', 'Ana')
    await type('E-mail', 'ana@')
    await use.page.keyboard.press('Control+Enter')
    await dialog().getByText('Some fields need another look.').waitFor()
    await expect.poll(() => dialog().getByText('Needed.').count()).toBeGreaterThan(4)
    const field = (label: string) => dialog().getByLabel(label, { exact: true })
    expect(await field('First name').inputValue()).toBe('Ana')
    expect(await field('First name').getAttribute('aria-invalid')).toBe('false')
    expect(await field('E-mail').getAttribute('aria-invalid')).toBe('true')
    expect(await flawsOf(use.page)).toEqual([])
    await use.page.setViewportSize({ width: 390, height: 844 })
    expect(await flawsOf(use.page)).toEqual([])
  })
})
