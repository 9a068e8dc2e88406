import { SESSION_COOKIE } from '@order-testing/contract/operator'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { addedUser, signedIn } from '../users/given.ts'
import { consoleService, eachConsolePage, participant, type Placed } from './signed-in.ts'

const HOUR_MS = 3_600_000

describe.skipIf(!hasBrowser)('Today', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)

  const look = () => new TaskFinder(service.store, new PooledRandom()).round(new Date(), { isComplete: true })
  const group = (name: string, page = use.page) => page.getByRole('region', { name })
  const row = (name: RegExp, page = use.page) => page.getByRole('button', { name })
  const tab = (name: RegExp) => use.page.getByRole('group', { name: 'State of tasks' }).getByRole('button', { name })
  const panel = (page = use.page) => page.getByRole('complementary', { name: 'Task' })

  async function expiring(lastName: string): Promise<Placed> {
    const order = await service.place({ participant: participant({ lastName }) })
    const expiresAt = new Date(Date.now() + 5 * HOUR_MS)
    await service.pool`update orders set expires_at = ${expiresAt}, due_at = ${expiresAt} where id = ${order.id}`
    await look()
    return order
  }

  async function stuck(): Promise<Placed> {
    const order = await service.place({ participant: participant({ lastName: 'Banks' }) })
    await service.simulate(order, { outcome: 'negative', until: 'mroReview' })
    await service.pool`
      insert into tasks (tenant_id, id, reason, actor, subject_id, order_id, details, found_at, due_at)
      values ('demo', ${`tsk_${order.id}`}, 'stuck', 'reviewer', ${order.id}, ${order.id},
        ${JSON.stringify({ status: 'mroReview', since: new Date(Date.now() - 98.5 * HOUR_MS).toISOString(), usualSeconds: 172_800 })}::text::jsonb,
        now(), now() - interval '26 hours 30 minutes')`
    return order
  }

  beforeEach(async () => {
    await service.pool`delete from tasks`
    await service.pool`delete from result_reports where state = 'queued'`
    await service.pool`update orders set expires_at = null, due_at = null`
  })

  test('a result without an order shows the specimen and the name of the laboratory', async () => {
    const sender = { kind: 'lab', id: 'lab-halvorsen-ridge' }
    const occurredAt = new Date().toISOString()
    const message = { messageId: crypto.randomUUID(), sender, event: 'receivedAtLab', occurredAt }
    await service.operator('/results', { method: 'POST', body: { ...message, match: { specimenId: '2041877' } } })
    await look()
    await use.open('')
    await use.page.getByText('Halvorsen Ridge Toxicology').waitFor()
    await row(/^Result without an order, Specimen 2041877$/).click()
    await panel().getByText('Specimen 2041877').waitFor()
    await panel().getByText('Halvorsen Ridge Toxicology').waitFor()
    expect(await panel().innerText()).not.toContain('rsl_')
  })

  test('groups what is due, says why in words, and is worked through by keyboard', async () => {
    const soon = await expiring('Price')
    const slow = await stuck()
    await use.open('')
    const overdue = group('Overdue')
    await overdue.getByText('Slow medical review').waitFor()
    await overdue.getByText('4 d 2 h there; usual is under 2 d').waitFor()
    await overdue.getByText('1 d 2 h over').waitFor()
    await overdue.getByText(/^\S+ Maria B\.$/).waitFor()
    await use.page.getByText('Expires within 24 h').first().waitFor()
    await use.page.getByRole('group', { name: 'Reasons' }).getByRole('button', { name: 'Stuck 1' }).click()
    await row(new RegExp(soon.code)).waitFor({ state: 'detached' })
    await use.page.getByRole('button', { name: 'All 2' }).click()
    await row(new RegExp(soon.code)).waitFor()

    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    await panel().getByText(slow.code).waitFor()
    await panel().getByText('Time line').waitFor()
    await use.page.keyboard.press('c')
    await panel().getByRole('button', { name: 'Release' }).waitFor()
    await tab(/^Mine 1$/).waitFor()
    await use.page.keyboard.press('s')
    await use.page.getByRole('menuitem', { name: 'In an hour' }).click()
    await tab(/^Snoozed 1$/).waitFor()
    await row(new RegExp(slow.code)).waitFor({ state: 'detached' })

    await use.page.keyboard.press('j')
    await use.page.keyboard.press('e')
    await tab(/^Done 1$/).waitFor()
    await use.page.getByText('Nothing needs you').waitFor()
    await use.page.keyboard.press('z')
    await row(new RegExp(soon.code)).waitFor()
    await tab(/^Done 0$/).waitFor()
    expect(await service.operator('/tasks/counts')).toMatchObject({ open: 1, snoozed: 1, done: 0 })
  })

  const taskOf = async ({ id }: Placed, state = 'open') => {
    const { data } = (await service.operator(`/tasks?state=${state}`)) as unknown as {
      data: { claimedBy: object | null; order: { id: string } }[]
    }
    return data.find(({ order }) => order.id === id)
  }

  test('Undo takes back a claim, and likewise a release', async () => {
    const order = await expiring('Nolan')
    await use.open('')
    await row(new RegExp(order.code)).waitFor()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('c')
    await use.page.getByText('Claimed:').waitFor()
    await expect.poll(() => taskOf(order)).toMatchObject({ claimedBy: { isMe: false } })
    await use.page.keyboard.press('z')
    await expect.poll(() => taskOf(order)).toMatchObject({ claimedBy: null })
    await use.page.keyboard.press('c')
    await expect.poll(() => taskOf(order)).toMatchObject({ claimedBy: { isMe: false } })
    await use.page.keyboard.press('c')
    await use.page.getByText('Released:').waitFor()
    await expect.poll(() => taskOf(order)).toMatchObject({ claimedBy: null })
    await use.page.keyboard.press('z')
    await expect.poll(() => taskOf(order)).toMatchObject({ claimedBy: { isMe: false } })
  })

  test('Undo of a snooze or of Done returns the task to its place among others, and the focus to it', async () => {
    const second = await expiring('Olsen')
    const first = await stuck()
    const focused = () => use.page.locator(':focus').getAttribute('aria-label')
    await use.open('')
    await row(new RegExp(second.code)).waitFor()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    await panel().getByText(first.code).waitFor()
    await use.page.keyboard.press('s')
    await use.page.getByRole('menuitem', { name: 'In an hour' }).press('Enter')
    await row(new RegExp(first.code)).waitFor({ state: 'detached' })
    await expect.poll(focused).toContain(second.code)
    await use.page.keyboard.press('z')
    await row(new RegExp(first.code)).waitFor()
    await expect.poll(focused).toContain(first.code)
    expect(await taskOf(first, 'snoozed')).toBeUndefined()

    await use.page.keyboard.press('e')
    await row(new RegExp(first.code)).waitFor({ state: 'detached' })
    await expect.poll(focused).toContain(second.code)
    await use.page.keyboard.press('z')
    await row(new RegExp(first.code)).waitFor()
    await expect.poll(focused).toContain(first.code)
    expect(await taskOf(first, 'done')).toBeUndefined()
    expect(await use.page.getByRole('button', { name: /new$/ }).count()).toBe(0)
  })

  test('an expiry is extended from its task, which then ends by itself', async () => {
    const order = await expiring('Stone')
    await use.open('')
    await use.page.getByRole('link', { name: 'Extend expiry' }).click()
    await use.page.waitForURL(`**/orders/${order.code}?open=extend`)
    const dialog = use.page.getByRole('dialog')
    await dialog.getByLabel('Expires in, days from now').fill('91')
    await dialog.getByLabel('Reason').fill('On leave')
    expect(await dialog.getByRole('button', { name: /^Extend to/ }).isDisabled()).toBe(true)
    await dialog.getByLabel('Expires in, days from now').fill('10')
    await dialog.getByRole('button', { name: 'Extend to 10 days' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { order: changed } = (await service.operator(`/orders/${order.id}`)) as unknown as {
      order: { expiresAt: string }
    }
    expect(Date.parse(changed.expiresAt) - Date.now()).toBeGreaterThan(9.9 * 24 * HOUR_MS)
    await look()
    await use.page.keyboard.press('g')
    await use.page.keyboard.press('t')
    await use.page.getByText('Nothing needs you').waitFor()
  })

  test('the contact of an order is changed with a reason', async () => {
    const order = await service.place({ participant: participant({ lastName: 'Wells' }) })
    await use.open(`/orders/${order.code}?open=contact`)
    const dialog = use.page.getByRole('dialog')
    await dialog.getByLabel('New e-mail address').fill('maria.wells@example.org')
    await dialog.getByLabel('Reason').fill('It was misspelled')
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('Contact changed').waitFor()
    await use.page.waitForURL(`**/orders/${order.code}`)
    expect(await service.operator(`/orders/${order.id}`)).toMatchObject({
      order: { participant: { email: 'maria.wells@example.org' } },
    })
  })

  async function colleague(): Promise<Page> {
    const user = await addedUser(service, { tenantId: 'demo', name: 'Rosa Silva', role: 'coordinator' })
    const { secret } = await signedIn(service, user)
    const context = await opened.browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 844 } })
    await context.addCookies([{ name: SESSION_COOKIE, value: secret, url: service.origin }])
    return context.newPage()
  }

  test('two operators see each other work without reloading, and new tasks do not move the row in use', async () => {
    const order = await expiring('Ford')
    const other = await colleague()
    try {
      await other.goto(`${service.origin}/console`)
      await use.open('')
      await row(new RegExp(order.code)).click()
      await panel().getByRole('button', { name: 'Claim' }).waitFor()
      await row(new RegExp(order.code), other).click()
      await other.keyboard.press('c')
      await use.page.getByText('Rosa Silva works on it').first().waitFor()
      await panel().getByRole('button', { name: 'Take over' }).waitFor()

      const urgent = await stuck()
      await use.page.getByRole('button', { name: '1 new' }).waitFor()
      expect(await row(new RegExp(urgent.code)).count()).toBe(0)
      await use.page.getByRole('link', { name: 'Today 2' }).waitFor()
      await use.page.getByRole('button', { name: '1 new' }).click()
      await row(new RegExp(urgent.code)).waitFor()
    } finally {
      await other.context().close()
    }
  })

  test('an order that is placed meanwhile waits above the list until somebody asks for it', async () => {
    const first = await service.place({ participant: participant({ lastName: 'Hale' }) })
    await use.open('/orders')
    await use.page.getByText(first.code).waitFor()
    await use.page.getByText('Live', { exact: true }).waitFor()
    const second = await service.place({ participant: participant({ lastName: 'Hale' }) })
    const fresh = use.page.getByRole('button', { name: '1 new' })
    await fresh.waitFor()
    expect(await use.page.getByText(second.code).count()).toBe(0)
    await fresh.click()
    await use.page.getByText(second.code).waitFor()
  })

  test('says when it has lost the connection, and connects again', async () => {
    const live = '**/api/console/v1/live'
    await use.context.route(live, (route) => route.fulfill({ status: 404, body: '' }))
    await use.open('')
    await use.page.getByText('Reconnecting').waitFor()
    await use.context.unroute(live)
    await use.page.getByText('Live', { exact: true }).waitFor()
    expect(await use.page.getByText('Reconnecting').count()).toBe(0)
  })
})
