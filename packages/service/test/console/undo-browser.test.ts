import { beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, participant, type Placed } from './signed-in.ts'

interface Task {
  id: string
  claimedBy: { isMe: boolean } | null
  doneAt: string | null
}

describe.skipIf(!hasBrowser)('Undo in the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)

  const row = (order: Placed) => use.page.getByRole('button', { name: new RegExp(order.code) })
  const taskOf = async ({ id }: Placed, state = 'open') =>
    ((await service.operator(`/tasks?orderId=${id}&state=${state}`)) as unknown as { data: Task[] }).data[0]!
  const claimElsewhere = (order: Placed) =>
    service.operator(`/tasks/tsk_${order.id}/claim`, { method: 'PUT', body: {} })
  const deaf = () => use.context.route('**/api/console/v1/live', (route) => route.fulfill({ status: 404, body: '' }))

  async function withTask(): Promise<Placed> {
    const order = await service.place({ participant: participant({ lastName: 'Marsh' }) })
    await service.pool`
      insert into tasks (tenant_id, id, reason, actor, subject_id, order_id, details, found_at, due_at)
      values ('demo', ${`tsk_${order.id}`}, 'linkNotOpened', 'participant', ${order.id}, ${order.id},
        ${JSON.stringify({ since: new Date(Date.now() - 200_000_000).toISOString() })}::text::jsonb, now(), now())`
    return order
  }

  beforeEach(() => service.pool`delete from tasks`)

  async function atRow(order: Placed): Promise<void> {
    await use.open('')
    await row(order).waitFor()
    await use.page.keyboard.press('j')
  }

  test('a claim that a colleague was faster with offers no Undo, which would release the claim of the colleague', async () => {
    const order = await withTask()
    await deaf()
    await atRow(order)
    await claimElsewhere(order)
    await use.page.keyboard.press('c')
    await use.page.getByText('Somebody else has claimed it meanwhile. Nothing was changed.').waitFor()
    expect(await use.page.getByText('Claimed:').count()).toBe(0)
    expect(await use.page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await use.page.keyboard.press('z')
    expect(await taskOf(order)).toMatchObject({ claimedBy: { isMe: true } })
  })

  test('a change that got no answer is taken back in the list, without saying that it was made', async () => {
    const order = await withTask()
    await deaf()
    await atRow(order)
    await use.context.route('**/tasks/*/done', (route) => route.abort('internetdisconnected'))
    await use.page.keyboard.press('e')
    await use.page.getByText('It is not known whether this was done').waitFor()
    await row(order).waitFor()
    expect(await use.page.getByText(/^Done: /).count()).toBe(0)
    expect(await use.page.getByText('Nothing was changed').count()).toBe(0)
  })

  test('Done on the task of somebody else asks first', async () => {
    const order = await withTask()
    await claimElsewhere(order)
    await atRow(order)
    await use.page.keyboard.press('e')
    const dialog = use.page.getByRole('dialog')
    await dialog.getByText('works on it').waitFor()
    await use.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await taskOf(order)).toMatchObject({ doneAt: null })
    await use.page.keyboard.press('e')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await row(order).waitFor({ state: 'detached' })
    await expect.poll(() => taskOf(order, 'done')).toMatchObject({ doneAt: expect.any(String) as string })
  })

  test('S snoozes the highlighted task while no panel is open', async () => {
    const order = await withTask()
    await atRow(order)
    await use.page.keyboard.press('s')
    await use.page.getByRole('menuitem', { name: 'In an hour' }).press('Enter')
    await row(order).waitFor({ state: 'detached' })
    await expect.poll(() => taskOf(order, 'snoozed')).toBeDefined()
    await use.page.keyboard.press('z')
    await row(order).waitFor()
    await use.page.keyboard.press('s')
    await use.page.getByRole('menuitem', { name: 'Pick a time' }).press('Enter')
    await use.page.getByRole('dialog').getByLabel('Time').waitFor()
  })

  test('only the newest of several toasts shows the key of Undo', async () => {
    const [first, second] = [await withTask(), await withTask()]
    await use.open('')
    for (const order of [first, second]) {
      await row(order).waitFor()
      await use.page.keyboard.press('j')
      await use.page.keyboard.press('c')
    }
    const undo = use.page.getByRole('button', { name: 'Undo' })
    await expect.poll(() => undo.count()).toBe(2)
    expect(await undo.locator('kbd').count()).toBe(1)
    expect(await undo.last().locator('kbd').count()).toBe(1)
  })

  const linksOf = async ({ id }: Placed) => {
    const rows = await service.pool`select 1 from notifications where order_id = ${id}`
    return rows.length
  }

  test('a link is sent once although it was asked for twice, and although the page is reloaded at once', async () => {
    const order = await withTask()
    const before = await linksOf(order)
    await use.open('')
    await use.page.getByRole('button', { name: 'Send again' }).dblclick()
    await use.page.getByText('Undo').first().waitFor()
    expect(await use.page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await use.page.reload()
    await expect.poll(() => linksOf(order)).toBeGreaterThan(before)
    await use.page.getByText('Live', { exact: true }).waitFor()
    expect(await linksOf(order)).toBe(before + 1)
  })
})
