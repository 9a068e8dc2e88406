import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** The browser of the system: no npm package has one for every platform. */
const NAMES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const EXECUTABLE = (process.env['CHROME_PATH'] ? [process.env['CHROME_PATH']] : NAMES).find((path) => existsSync(path))
/** The folder for screenshots of every page. */
const PICTURES = process.env['SCREENSHOTS']

export const hasBrowser = EXECUTABLE !== undefined

if (!hasBrowser) {
  process.stderr.write('\nSKIPPED: no browser for the tests of pages. Install chromium, or set CHROME_PATH.\n\n')
}

const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE!, args: ['--no-sandbox', '--disable-dev-shm-usage'] })

/** A browser for all tests of a group. */
export function openBrowser(): { browser: Browser } {
  const opened = {} as { browser: Browser }
  beforeAll(async () => {
    opened.browser = await startBrowser()
  })
  afterAll(() => opened.browser.close())
  return opened
}

/** A new page for each test of a group, which may load only from the service. */
export function eachPage(
  opened: { browser: Browser },
  service: { origin: string },
  { width, use }: { width: number; use: (page: Page) => void },
): void {
  let watched: WatchedPage
  beforeEach(async () => {
    watched = await watchedPage(opened.browser, service.origin, width)
    use(watched.page)
  })
  afterEach(() => watched.close())
}

/** Clicks, and waits for the page that the click leads to. */
export async function follow(page: Page, selector: string): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.click(selector)
  await loaded
}

/** Fills in all pages of the form with valid details, up to the clinics or the end. */
export async function fillInBrowser(page: Page, details: Record<string, string> = FILLED): Promise<void> {
  while (await page.isVisible('#fill, button[value^="disclosure"]')) {
    for (const [name, value] of Object.entries({ ...FILLED, ...details })) {
      const field = page.locator(`#${name}`)
      if ((await field.count()) === 0 || !(await field.isVisible())) continue
      const isList = await field.evaluate((each) => (each as { tagName?: string }).tagName === 'SELECT')
      await (isList ? field.selectOption(value) : field.fill(value))
    }
    if (await page.isVisible('#consent')) await page.check('#consent')
    await follow(page, 'main form > button')
  }
}

const FILLED = {
  birthMonth: '3',
  birthDay: '7',
  birthYear: '1990',
  identifierType: 'driverLicense',
  identifierValue: 'L123-4567',
  identifierState: 'IL',
  email: 'maria@example.com',
  phone: '(630) 555-0142',
  line1: '1200 Ogden Avenue',
  city: 'Naperville',
  state: 'IL',
  postalCode: '60540',
  signature: 'Maria Lopez',
}

interface WatchedPage {
  page: Page
  /** Fails if the page requested another origin or violated its policy. */
  close(): Promise<void>
}

async function watchedPage(browser: Browser, origin: string, width: number): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  const complaints: string[] = []
  // Policy violations are reported here too.
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  return {
    page,
    async close() {
      await context.close()
      const blocked = complaints.filter((text) => !/status of (404|410|422)/.test(text))
      if (blocked.length > 0) throw new Error(blocked.join('\n'))
    },
  }
}

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** What axe looks for: everything in light mode; in dark mode only colors differ. */
const RULES = { light: {}, dark: { runOnly: ['cat.color'] } }

const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Accessibility problems in light and dark mode: findings of axe, overflow, and small touch targets. */
export async function flawsOf(page: Page, name: string, pictured: readonly Scheme[] = SCHEMES): Promise<string[]> {
  const { width } = page.viewportSize()!
  const flaws: string[] = []
  await page.evaluate(AXE)
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    flaws.push(...(await page.evaluate<string[]>(findingsBy(RULES[colorScheme]))))
    flaws.push(...(await page.evaluate<string[]>(SMALL)).map((html) => `too small: ${html}`))
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (widest > width) flaws.push(`${widest} px wide`)
    if (pictured.includes(colorScheme)) await picture(page, name, colorScheme)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return flaws.map((flaw) => `${name}: ${flaw}`)
}

/** Axe describes only what violates a rule: describing all that conforms takes longer than the rules. */
const findingsBy = (rules: object) => `axe.run(${JSON.stringify({ ...rules, resultTypes: ['violations'] })})
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

const SMALL = `[...document.querySelectorAll('button, .button, select, input:not([type=hidden], [type=checkbox], [type=radio])')]
  .filter((each) => each.offsetParent && each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`

/** Saves the whole page under its name, width, color scheme and language. */
export async function picture(page: Page, name: string, scheme: Scheme): Promise<void> {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  const { width } = page.viewportSize()!
  const language = (await page.getAttribute('html', 'lang')) ?? 'en'
  await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}-${language}.png`), fullPage: true })
}
