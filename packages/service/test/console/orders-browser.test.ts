import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type Placed } from './signed-in.ts'

/** The tabs that are always there. */
const BUILT_IN = [/^\s*All orders/, /^\s*Pending/, /^\s*Scheduled/]

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

  test('keeps its filters in the address, and views of them on the server: saved, renamed, shared, moved, deleted', async () => {
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
    const save = async (name: string) => {
      await use.page.getByRole('button', { name: 'Save view' }).click()
      await use.page.getByRole('textbox', { name: 'Name of the view' }).fill(name)
      await use.page.keyboard.press('Enter')
      await use.page.getByRole('button', { name: `Change the view ${name}` }).waitFor()
    }
    await save('With the laboratory')
    await use.open('/orders?status=ordered&created=30')
    await save('Waiting')
    const tabs = () => use.page.getByRole('navigation', { name: 'Orders' }).getByRole('link').allInnerTexts()
    const choose = async (view: string, item: string) => {
      const menu = use.page.getByRole('button', { name: `Change the view ${view}` })
      await menu.focus()
      await use.page.keyboard.press('Enter')
      await use.page.getByRole('menuitem', { name: item }).press('Enter')
    }
    await choose('Waiting', 'Move left')
    await expect
      .poll(tabs)
      .toEqual(
        [...BUILT_IN, /^\s*Waiting/, /^\s*With the laboratory/].map((each) => expect.stringMatching(each) as string),
      )
    await choose('Waiting', 'Rename')
    await use.page.getByRole('textbox', { name: 'Name of the view' }).fill('Not yet seen')
    await use.page.keyboard.press('Enter')
    await use.page.getByRole('button', { name: 'Change the view Not yet seen' }).waitFor()
    await choose('Not yet seen', 'Share with colleagues')
    await use.page.getByRole('img', { name: 'Shared with colleagues' }).waitFor()
    const { data } = (await service.operator('/savedViews')) as unknown as { data: object[] }
    expect(data).toMatchObject([{ name: 'Not yet seen', isShared: true, isMine: false }])
    await choose('Not yet seen', 'Delete view')
    await use.page.getByText('View Not yet seen deleted').waitFor()
    await use.open('/orders')
    await use.page.getByRole('link', { name: /With the laboratory/ }).click()
    await use.page.waitForURL('**/orders?status=pending&created=7')
    await use.page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => rows().count()).toBeGreaterThan(1)
  })

  test('filters by any of several statuses and by what an order is not, by keyboard, and saves both in views', async () => {
    const [open, gone] = [orders[0]!, await service.place({ participant: participant() })]
    await service.operator(`/orders/${gone.id}/cancellation`, { method: 'PUT', body: { reason: 'Placed twice' } })
    const codes = async () => (await rows().allInnerTexts()).join(' ')
    await use.open('/orders?status=cancelled')
    await expect.poll(codes).toContain(gone.code)
    expect(await codes()).not.toContain(open.code)
    await use.page.getByRole('button', { name: 'Status: Cancelled' }).press('Enter')
    await use.page.getByRole('checkbox', { name: 'Also Ordered' }).press('Space')
    await use.page.waitForURL('**/orders?status=cancelled%2Cordered')
    await expect.poll(codes).toContain(open.code)
    await use.page.getByRole('checkbox', { name: 'Also Ordered' }).press('Space')
    await use.page.waitForURL('**/orders?status=cancelled')
    await use.page.keyboard.press('Escape')
    await use.page.getByRole('button', { name: 'Status: is' }).press('Enter')
    await use.page.waitForURL('**/orders?notStatus=cancelled')
    await use.page.getByRole('button', { name: 'Status: is not' }).waitFor()
    await expect.poll(codes).toContain(open.code)
    expect(await codes()).not.toContain(gone.code)
    await use.page.getByRole('button', { name: 'Save view' }).press('Enter')
    await use.page.keyboard.type('Not cancelled')
    await use.page.keyboard.press('Enter')
    await use.page.getByRole('button', { name: 'Change the view Not cancelled' }).waitFor()
    await use.page.getByRole('button', { name: 'Clear' }).press('Enter')
    await use.page.getByRole('link', { name: /Not cancelled/ }).press('Enter')
    await use.page.waitForURL('**/orders?notStatus=cancelled')
    expect(await flawsOf(use.page)).toEqual([])
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

  test('says that more orders match a search than it shows, in the list and where it is typed', async () => {
    for (let n = 0; n < 11; n++) await service.place({ participant: participant({ lastName: 'Frequenta' }) })
    const more = use.page.getByText('More orders match; these are the newest.')
    await use.open('/orders?q=frequenta')
    await more.waitFor()
    expect(await rows().count()).toBe(10)
    await use.open('/orders?q=hollis')
    await ready()
    expect(await more.count()).toBe(0)
    await use.page.keyboard.press('Control+k')
    await use.page.getByRole('dialog').locator('input').fill('frequenta')
    await more.waitFor()
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
    await use.page.getByRole('dialog').getByRole('combobox').waitFor()
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

  test('shows times in the zone of the order, and UTC on focus', async () => {
    const order = await service.place({ participant: participant() })
    const { timezone } = (await service.operator(`/orders/${order.id}`)) as unknown as { timezone: string }
    await service.operator(`/orders/${order.id}/expiry`, {
      method: 'PATCH',
      body: { expiresAt: new Date(Date.now() + 7_200_000).toISOString(), reason: 'Test' },
    })
    await use.page.setViewportSize({ width: 1600, height: 844 })
    await use.open(`/orders?q=${order.code}`)
    await ready()
    await use.page.keyboard.press('j')
    const expires = rows().first().locator('[data-column=expires] time')
    const at = new Date((await expires.getAttribute('datetime'))!)
    const zone = { timeZone: timezone, hour: 'numeric', minute: '2-digit' } as const
    expect((await expires.innerText()).replaceAll('\u202F', ' ')).toContain(
      new Intl.DateTimeFormat('en-US', zone).format(at).replaceAll('\u202F', ' '),
    )
    await expires.focus()
    await use.page.getByRole('tooltip').getByText(at.toISOString().slice(11, 16)).waitFor()
  })

  describe('of some thousands of orders', () => {
    const MANY = 2_000
    beforeAll(async () => {
      const order = await service.place({ participant: participant({ lastName: 'Many' }) })
      await service.copyOrders(order.id, MANY)
    }, 120_000)

    test('few rows are in the page, however far it is scrolled; a range is selected by keys', async () => {
      await use.open('/orders')
      await ready()
      const scrollTo = (y: number) =>
        use.page.evaluate(`document.querySelector('[role=grid] [role=rowgroup]').scrollTo(0, ${y})`)
      const last = async () => Number(await rows().last().getAttribute('aria-rowindex'))
      await expect
        .poll(
          async () => {
            await scrollTo(1e9)
            return last()
          },
          { timeout: 60_000, interval: 20 },
        )
        .toBeGreaterThan(500)
      expect(await rows().count()).toBeLessThan(80)
      await scrollTo(0)
      await use.page.keyboard.press('j')
      await use.page.keyboard.press('x')
      for (let i = 0; i < 30; i++) await use.page.keyboard.press('j')
      await use.page.keyboard.press('Shift+X')
      await use.page.getByRole('toolbar', { name: '31 selected' }).waitFor()
    })

    test('a whole filter is exported, and acted on after its number was typed; a stop leaves the rest as it is', async () => {
      await use.open('/orders?status=ordered')
      await ready()
      const [file] = await Promise.all([
        use.page.waitForEvent('download'),
        use.page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
      expect(lines.length).toBeGreaterThan(MANY)
      expect(new Set(lines).size).toBe(lines.length)
      await use.page.getByRole('dialog').waitFor({ state: 'detached' })
      await use.page.keyboard.press('j')
      await use.page.keyboard.press('x')
      await use.page.keyboard.press('Shift+A')
      await use.page.getByRole('button', { name: /^Cancel 2,?\d{3} orders…$/ }).click()
      const dialog = use.page.getByRole('dialog')
      await dialog.getByText('Each order is cancelled for good.').waitFor({ timeout: 60_000 })
      const count = /Type (\d+) to confirm/.exec(await dialog.innerText())![1]!
      await dialog.getByLabel('Reason').fill('Contract ended')
      await dialog.getByLabel(`Type ${count} to confirm`).fill(count)
      await use.page.keyboard.press('Control+Enter')
      await dialog.getByText(/^Working: [1-9]/).waitFor()
      await dialog.getByRole('button', { name: 'Stop' }).click()
      await dialog.getByText(/not tried/).waitFor()
      const cancelled = Number(/([\d,]+) orders? cancelled/.exec(await dialog.innerText())![1]!.replace(',', ''))
      const { total } = (await service.operator('/orders?status=cancelled&limit=1')) as unknown as { total: number }
      expect(cancelled).toBeGreaterThan(0)
      expect(cancelled).toBeLessThan(MANY)
      expect(total).toBeGreaterThanOrEqual(cancelled)
    })
  })
})
