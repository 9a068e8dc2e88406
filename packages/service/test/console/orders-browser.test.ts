import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, participant, type Placed } from './signed-in.ts'

describe.skipIf(!hasBrowser)('the list of orders', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const orders: Placed[] = []
  beforeAll(async () => {
    for (const lastName of ['Lopez', 'Hollis', '=Turner', 'Park'])
      orders.push(await service.place({ participant: participant({ lastName }), externalId: `HR-7${lastName}` }))
    await service.simulate(orders[1]!, { outcome: 'negative', until: 'testing' })
  })
  const rows = () => use.page.locator('[role=row][data-index]')
  const ready = () => rows().first().waitFor()

  test('shows the newest first, with masked names and statuses as words', async () => {
    await use.open('/orders')
    await ready()
    const [first, , third] = await rows().allInnerTexts()
    expect(first).toContain(orders[3]!.code)
    expect(first).toContain('Maria P.')
    expect(first).toContain('Ordered')
    expect(third).toContain('Pending')
    expect(await use.page.content()).not.toContain('Hollis')
  })

  test('can be used by keyboard alone: move, open beside, open the page', async () => {
    await use.open('/orders')
    await ready()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    const panel = use.page.getByRole('complementary', { name: 'Order beside the list' })
    await panel.getByRole('heading', { name: orders[2]!.code }).waitFor()
    expect(use.page.url()).toContain(`order=${orders[2]!.code}`)
    await use.page.keyboard.press('j')
    await panel.getByRole('heading', { name: orders[1]!.code }).waitFor()
    await use.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await use.page.keyboard.press('o')
    await use.page.waitForURL(`**/console/orders/${orders[1]!.code}`)
  })

  test('keeps its filters in the address, and a view of them in the browser', async () => {
    await use.open('/orders')
    await ready()
    await use.page.keyboard.press('f')
    await use.page.getByRole('menuitem', { name: 'Status' }).click()
    await use.page.getByRole('button', { name: 'Pending' }).last().click()
    await use.page.waitForURL('**/orders?status=pending')
    await expect.poll(() => rows().count()).toBe(1)
    await use.page.getByRole('button', { name: 'Filter' }).click()
    await use.page.getByRole('menuitem', { name: 'Created' }).click()
    await use.page.getByRole('button', { name: 'last 7 days' }).click()
    await use.page.getByRole('button', { name: 'Save view' }).click()
    await use.page.getByRole('textbox', { name: 'Name of the view' }).fill('With the laboratory')
    await use.page.keyboard.press('Enter')
    await use.open('/orders')
    await use.page.getByRole('link', { name: /With the laboratory/ }).click()
    await use.page.waitForURL('**/orders?status=pending&created=7')
    await use.page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => rows().count()).toBeGreaterThan(1)
  })

  test('finds an order by its code and by its external id', async () => {
    await use.open('/orders')
    await ready()
    for (const text of [orders[0]!.code.toLowerCase().replace('-', ''), 'HR-7Lopez']) {
      await use.page.keyboard.press('/')
      await use.page.getByRole('textbox', { name: 'Search these orders' }).fill(text)
      await use.page.keyboard.press('Enter')
      await expect.poll(() => rows().allInnerTexts()).toEqual([expect.stringContaining(orders[0]!.code)])
    }
  })

  test('single keys do nothing in a field, and nothing at all once they are switched off', async () => {
    await use.open('/orders')
    await ready()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type('jx?')
    expect(await use.page.getByRole('textbox', { name: 'Search these orders' }).inputValue()).toBe('jx?')
    await use.open('/orders')
    await ready()
    await use.page.keyboard.press('?')
    await use.page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await use.page.keyboard.press('Escape')
    await use.page.getByRole('dialog').waitFor({ state: 'detached' })
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('x')
    expect(await use.page.locator('[aria-selected=true]').count()).toBe(0)
    await use.page.keyboard.press('Control+k')
    await use.page.getByRole('combobox').waitFor()
  })

  test('hides a column, and remembers it', async () => {
    await use.open('/orders')
    await ready()
    const header = use.page.getByRole('columnheader', { name: 'Package' })
    await header.waitFor()
    await use.page.getByRole('button', { name: 'Columns' }).click()
    await use.page.getByRole('menuitemcheckbox', { name: 'Package' }).click()
    await header.waitFor({ state: 'detached' })
    await use.page.reload()
    await ready()
    expect(await header.count()).toBe(0)
  })

  test('exports the selected orders as a file that no spreadsheet runs as formulas', async () => {
    const order = await service.place({ participant: participant({ firstName: '=1+1' }) })
    await use.open(`/orders?q=${order.code}`)
    await ready()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('x')
    const [file] = await Promise.all([
      use.page.waitForEvent('download'),
      use.page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(order.code)
    expect(lines[1]).toContain("'=1+1 L.")
  })

  test('cancels the selected orders after their number was typed', async () => {
    const many = [
      await service.place({ participant: participant() }),
      await service.place({ participant: participant() }),
    ]
    await use.open('/orders')
    await ready()
    for (const { code } of many) await use.page.getByRole('checkbox', { name: `Select ${code}` }).check()
    await use.page.getByRole('button', { name: 'Cancel 2 orders…' }).click()
    const confirm = use.page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 orders' })
    await use.page.getByLabel('Reason').fill('Placed twice')
    expect(await confirm.isDisabled()).toBe(true)
    await use.page.getByLabel('Type 2 to confirm').fill('2')
    await confirm.click()
    await use.page.getByText('2 orders cancelled').waitFor()
    for (const { id } of many)
      expect(await service.operator(`/orders/${id}`)).toMatchObject({
        order: { status: 'cancelled' },
        cancelReason: 'Placed twice',
      })
  })

  test('sends links again only after the time to undo it', async () => {
    const order = await service.place({ participant: participant() })
    const sent = async () => {
      const { data } = (await service.operator(`/messages?orderId=${order.id}`)) as unknown as {
        data: { kind: string }[]
      }
      return data.filter(({ kind }) => kind === 'linkAgain').length
    }
    await use.page.clock.install()
    await use.open(`/orders?q=${order.code}`)
    await ready()
    const begin = async () => {
      await use.page.getByRole('button', { name: 'Send link again' }).click()
      await use.page.getByText('Sending the link again to 1 person').waitFor()
    }
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('x')
    await begin()
    await use.page.keyboard.press('z')
    await use.page.clock.runFor(15_000)
    expect(await sent()).toBe(0)
    await begin()
    await use.page.mouse.move(0, 0)
    await use.page.clock.runFor(15_000)
    await expect.poll(sent).toBe(1)
  })
})
