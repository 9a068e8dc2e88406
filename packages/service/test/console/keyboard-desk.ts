import type { Browser, Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openConsole, type ConsoleService, type WatchedConsole } from './signed-in.ts'

type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

/** More would be too far to go for somebody who only has a keyboard. */
const MOST_TABS = 60

/**
 * A console that only has a keyboard and a screen. It hands out neither the page nor its elements, so that a script cannot
 * click, fill in or focus anything.
 */
export interface Desk {
  /** Opens the console where somebody would begin. */
  begin(path: string): Promise<void>
  /** One key after the other. */
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Replaces what the focused field holds. */
  retype(text: string): Promise<void>
  /** Presses Tab, or Shift and Tab, until this control has the focus. */
  tabTo(role: Role, name: Name): Promise<void>
  tabBackTo(role: Role, name: Name): Promise<void>
  /** Presses an arrow until this option of a menu or of a group of radio buttons has the focus. */
  moveTo(role: Role, name: Name): Promise<void>
  sees(text: Name): Promise<void>
  seesControl(role: Role, name: Name): Promise<void>
  seesNo(role: Role, name?: Name): Promise<void>
  /** The text of a part of the page. */
  read(role: Role, name: Name): Promise<string>
  /** What the focused control says, or nothing if no control has the focus. */
  focused(): Promise<string>
  path(): string
  /** The file that comes with what is done. */
  saves(action: () => Promise<void>): Promise<Download>
}

/** One page for all tests of a group. */
export function keyboardDesk(opened: { browser: Browser }, service: ConsoleService): Desk {
  let use: WatchedConsole
  beforeAll(async () => {
    use = await openConsole(opened.browser, service, { isSignedIn: false })
  })
  afterAll(() => use.close())
  const page = () => use.page
  const control = (role: Role, name: Name) => page().getByRole(role, { name })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page().keyboard.press(key)
  }
  return {
    begin: (path) => use.open(path),
    press,
    type: (text) => page().keyboard.type(text),
    retype: async (text) => {
      await press('Control+a')
      await page().keyboard.type(text)
    },
    tabTo: (role, name) => pressUntilFocused(page(), 'Tab', control(role, name)),
    tabBackTo: (role, name) => pressUntilFocused(page(), 'Shift+Tab', control(role, name)),
    moveTo: (role, name) => pressUntilFocused(page(), 'ArrowDown', control(role, name)),
    sees: (text) => page().getByText(text).first().waitFor(),
    seesControl: (role, name) => control(role, name).first().waitFor(),
    seesNo: (role, name) =>
      page()
        .getByRole(role, name === undefined ? {} : { name })
        .waitFor({ state: 'detached' }),
    read: (role, name) => control(role, name).first().innerText(),
    focused: () =>
      page().evaluate<string>(`(() => {
        const each = document.activeElement
        return each === document.body ? '' : (each.getAttribute('aria-label') ?? each.innerText).trim()
      })()`),
    path: () => new URL(page().url()).pathname.replace(/^\/console/, ''),
    saves: async (action) => (await Promise.all([page().waitForEvent('download'), action()]))[0],
  }
}

async function pressUntilFocused(page: Page, key: string, target: Locator): Promise<void> {
  await target.first().waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press(key)
  }
  if ((await focused.count()) === 0)
    throw new Error(`${MOST_TABS} presses of ${key} do not reach ${target.toString()}.`)
}
