import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { TaskFinder } from '../../src/operations/tasks/find-tasks.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type ConsoleService, type Placed } from './signed-in.ts'

/** The folder for screenshots of every page. */
const PICTURES = process.env['SCREENSHOTS']

interface Given {
  reviewed: Placed
  report: string
  task: string
}

async function given(service: ConsoleService): Promise<Given> {
  for (const lastName of ['Lopez', 'Hollis', 'Turner']) await service.place({ participant: participant({ lastName }) })
  const reviewed = await service.place({ participant: participant() })
  await service.simulate(reviewed, { outcome: 'negative', until: 'mroReview' })
  const body = {
    messageId: crypto.randomUUID(),
    sender: { kind: 'lab', id: 'lab-tamarack-falls' },
    match: { specimenId: 'S-1' },
    event: 'result',
    result: 'negative',
    occurredAt: new Date().toISOString(),
  }
  const { id } = (await service.operator('/results', { method: 'POST', body })) as unknown as { id: string }
  return { reviewed, report: id, task: await givenTask(service, reviewed) }
}

/** Finds what needs an operator four days later, when the review is slow. */
async function givenTask(service: ConsoleService, { id }: Placed): Promise<string> {
  await new TaskFinder(service.store, new PooledRandom()).round(new Date(Date.now() + 4 * 86_400_000), {
    isComplete: true,
  })
  const { data } = (await service.operator(`/tasks?orderId=${id}`)) as unknown as { data: { id: string }[] }
  return data[0]!.id
}

/** Each page with what must be there before it is looked at. */
const PAGES: [name: string, path: (given: Given) => string, ready: string][] = [
  ['sign-in', () => '/sign-in', 'h1'],
  ['today', () => '', 'main section h2'],
  ['today-beside', ({ task }) => `/?task=${task}`, 'aside h2:has-text("Participant")'],
  ['orders', () => '/orders', '[role=row][data-index]'],
  ['orders-beside', ({ reviewed }) => `/orders?order=${reviewed.code}`, 'aside h2:has-text("Participant")'],
  ['order', ({ reviewed }) => `/orders/${reviewed.code}`, 'article'],
  ['results', ({ report }) => `/results?report=${report}`, 'article'],
  ['webhooks', () => '/webhooks', 'main h2'],
  ['notifications', () => '/notifications', '[role=row][data-index]'],
  ['audit', () => '/audit', '[role=row][data-index]'],
]

describe.skipIf(!hasBrowser)('every page of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  let known: Given
  beforeAll(async () => {
    known = await given(service)
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const use = eachConsolePage(opened, service, { width })

    test.each(PAGES)('%s has no flaw that axe finds, in light and dark, and fits', async (name, path, ready) => {
      await use.open(path(known))
      await use.page.locator(ready).first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await use.page.emulateMedia({ colorScheme })
        await use.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        expect(await flawsOf(use.page)).toEqual([])
        if (PICTURES !== undefined) {
          mkdirSync(PICTURES, { recursive: true })
          await use.page.screenshot({ path: join(PICTURES, `console-${name}-${width}-${colorScheme}.png`) })
        }
      }
    })

    test('dialogs, the palette and the list of keys have no flaw either', async () => {
      await use.open(`/orders/${known.reviewed.code}`)
      await use.page.getByRole('article').first().waitFor()
      for (const keys of ['m', 'Control+k', '?']) {
        await use.page.keyboard.press(keys)
        await use.page.getByRole('dialog').waitFor()
        expect(await flawsOf(use.page)).toEqual([])
        await use.page.keyboard.press('Escape')
        await use.page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    })
  })
})
