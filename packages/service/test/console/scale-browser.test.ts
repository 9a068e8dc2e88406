import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkAllAudit } from '../../src/operations/audit/link.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { keepFigures } from '../../src/operations/figures/keep-figures.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { codeOf, fillWithOrders } from './many-orders.ts'
import { consoleService, eachConsolePage } from './signed-in.ts'

/** Orders on file (a million with OTS_TEST_ORDERS=1000000). */
const ORDERS = Number(process.env['OTS_TEST_ORDERS'] ?? 20_000)
const ROUNDS = 5

/** Limits of the console on an idle machine, and how many times as long they may take on a busy one. */
const CONTENT_MS = 1_000
const SEARCH_MS = 200
const BUSY = 5

/** Each page with what a person came for. */
const PAGES = [
  ['Today', '', 'main section h2'],
  ['Orders', '/orders', '[role=row][data-index]'],
  ['Orders by status', '/orders?status=pending', '[role=row][data-index]'],
  ['an order', `/orders/${codeOf(ORDERS - 3)}`, 'article'],
  ['Results', '/results', 'main h1'],
  ['Bookings', '/bookings', 'main h1'],
  ['Notifications', '/notifications', '[role=row][data-index]'],
  ['Webhooks', '/webhooks', 'main h2'],
  ['Catalog', '/catalog', '[role=row][data-index]'],
  ['Tokens', '/tokens', 'main h1'],
  ['People', '/people', 'main h1'],
  ['Figures', '/figures', 'main table'],
  ['Audit', '/audit', '[role=row][data-index]'],
] as const

/** Waits until the content is there and nothing on the page stands for what is still to come. */
async function settled(page: Page, content: string): Promise<void> {
  await page.locator(content).first().waitFor()
  await expect.poll(() => page.locator('main [data-bone]').count(), { interval: 10 }).toBe(0)
}

const painted = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const tell = (what: string, values: number[]) =>
  process.stdout.write(`${what}: ${median(values)} ms (${values.toSorted((a, b) => a - b).join(' ')})\n`)

describe.skipIf(!hasBrowser)(`the console with ${ORDERS} orders behind it`, () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  beforeAll(async () => {
    await fillWithOrders(service, ORDERS)
    // What the service does in the background, until it is up to date.
    await linkAllAudit(service.store)
    while (await keepFigures(service.store));
    await new TaskFinder(service.store, new PooledRandom()).round(new Date(), { isComplete: true })
  }, 3_600_000)

  test.each(PAGES)('%s shows its content within a second', async (name, path, content) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now()
      await use.open(path)
      await settled(use.page, content)
      times.push(Math.round(performance.now() - begun))
    }
    tell(name, times)
    expect(median(times)).toBeLessThan(CONTENT_MS * BUSY)
  })

  test.each([
    'maria',
    'james',
    codeOf(ORDERS - 100).slice(0, -1),
    `REQ-${ORDERS - 70}`,
    `person${ORDERS - 70}@example.com`,
    'zzyzx',
  ])('typing “%s” into the search shows its results within 200 ms', async (typed) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await use.open('/orders')
      await settled(use.page, '[role=row][data-index]')
      await use.page.keyboard.press('Control+k')
      const field = use.page.getByRole('dialog').locator('input')
      await field.fill(typed.slice(0, -1))
      const answered = use.page.waitForResponse((response) => response.request().postDataJSON()?.q === typed)
      const begun = performance.now()
      await field.pressSequentially(typed.slice(-1))
      await answered
      await painted(use.page)
      times.push(Math.round(performance.now() - begun))
    }
    tell(`search for ${typed}`, times)
    expect(median(times)).toBeLessThan(SEARCH_MS * BUSY)
  })
})
