import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestService } from '../support/service.ts'
import { flawsOf, picture, type Scheme } from './browser.ts'
import { mailsOf, type JourneyOrder } from './journey-given.ts'
import { WORDS, type Words } from './journey-words.ts'

export interface Form {
  language: 'en' | 'es'
  width: number
  scheme: Scheme
  hasScripts: boolean
}

/** What is typed into the pages. None of it may be in an address. */
export const TYPED = {
  year: '1990',
  number: 'L123-4567',
  phone: '(630) 555-0142',
  street: '1825 Brookdale Road',
  zip: '60563',
}
const PERSONAL = /lopez|maria|1990|123-?4567|555-?0142|brookdale|60563|%40|@/i
/** No page names a result. */
const RESULTS = /negativ|positiv|dilut|diluid|adulter|substitut|sustituid|inconclus/i

/** Somebody with a browser of their own, who reads and clicks what is visible. */
export class Person {
  readonly form: Form
  readonly words: Words
  readonly service: TestService
  page: Page
  readonly #context: BrowserContext
  #twin: Page | undefined
  readonly #addresses: string[] = []
  readonly #complaints: string[] = []

  private constructor(
    service: TestService,
    { context, page, form }: { context: BrowserContext; page: Page; form: Form },
  ) {
    this.service = service
    this.form = form
    this.words = WORDS[form.language]
    this.page = page
    this.#context = context
    context.on('request', (request) => this.#addresses.push(request.url()))
    context.on('console', (message) => this.#complaints.push(message.text()))
  }

  static async come(browser: Browser, service: TestService, form: Form): Promise<Person> {
    const { width, scheme: colorScheme, hasScripts: javaScriptEnabled } = form
    const viewport = { width, height: width < 600 ? 844 : 900 }
    const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled, locale: 'en-US' })
    return new Person(service, { context, page: await context.newPage(), form })
  }

  /** Everything that was requested came from the service, with nothing personal in an address. */
  async leave(): Promise<void> {
    await this.#twin?.close()
    await this.#context.close()
    expectDiscreet(this.#addresses, this.service.origin)
    expectQuiet(this.#complaints)
  }

  /** Opens the newest mail of an order in the mailbox, and follows a link in it. */
  async openMail(order: JourneyOrder, link: string, look: (mail: string) => Promise<void> | void = () => {}) {
    await mailsOf(this.service, order)
    await this.page.goto(`${this.service.origin}/sandbox/mailbox`)
    await this.page.getByLabel('Order code').fill(order.code)
    await this.press('button', 'Filter')
    await this.#load(this.page.locator('.mails a').first().click())
    const mail = this.page.frameLocator('iframe')
    await look((await mail.locator('body').textContent())!)
    const opened = this.#context.waitForEvent('page')
    await mail.getByRole('link', { name: link }).click()
    const mailbox = this.page
    this.page = await opened
    await this.page.waitForLoadState()
    await mailbox.close()
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.service.origin}${path}`)
  }

  /** Clicks what has this name, and waits for the page that it leads to. */
  press(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    return this.#load(this.page.getByRole(role, { name, exact: true }).first().click())
  }

  type(label: string, value: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(value)
  }

  async select(label: string | RegExp, option: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).selectOption({ label: option })
  }

  check(name: string | RegExp, role: 'radio' | 'checkbox' = 'checkbox'): Promise<void> {
    return this.page.getByRole(role, { name }).first().check()
  }

  async again(): Promise<void> {
    await this.page.reload()
  }

  /** The visible words of the page with plain spaces. */
  async reads(): Promise<string> {
    return (await this.page.locator('body').innerText()).replaceAll(/\s+/g, ' ')
  }

  /** The page has this title and these words, names no result, and is accessible. */
  async sees(name: string, title: string | RegExp, ...words: (string | RegExp)[]): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor()
    expectWords(await this.reads(), words, { isLocal: this.page.url().includes('/o/') })
    await picture(this.page, name, this.form.scheme)
    const cut = await this.page.evaluate<string[]>(CUT_OFF)
    expectFlawless([...cut, ...(await this.#flaws(name))])
    expectLanguage(await this.page.getAttribute('html', 'lang'), this.form.language)
  }

  /** Axe needs scripts, so it looks at the same address in a second window that has the same cookies. */
  async #flaws(name: string): Promise<string[]> {
    const viewport = this.page.viewportSize()
    const twin = this.#twin ?? (await this.#context.browser()!.newPage({ viewport, locale: 'en-US' }))
    this.#twin = twin
    await twin.context().addCookies(await this.#context.cookies())
    await twin.goto(this.page.url())
    return flawsOf(twin, name, [])
  }

  async #load(action: Promise<unknown>): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), action])
  }
}

function expectDiscreet(addresses: readonly string[], origin: string): void {
  const requested = addresses.filter((address) => !address.startsWith('data:'))
  expect(requested.filter((address) => !address.startsWith(origin))).toEqual([])
  expect(requested.filter((address) => PERSONAL.test(address.slice(origin.length)))).toEqual([])
}

function expectQuiet(complaints: readonly string[]): void {
  expect(complaints.filter((text) => !/status of (404|410|422)/.test(text))).toEqual([])
}

function expectWords(text: string, words: readonly (string | RegExp)[], { isLocal }: { isLocal: boolean }): void {
  for (const part of words) expect(text).toMatch(typeof part === 'string' ? literal(part) : part)
  expect(text).not.toMatch(RESULTS)
  // Times are local wherever a place is known (ruling 56).
  if (isLocal) expect(text).not.toMatch(/\bUTC\b/)
}

function expectFlawless(flaws: readonly string[]): void {
  expect(flaws).toEqual([])
}

function expectLanguage(shown: string | null, language: string): void {
  expect(shown).toBe(language)
}

/** Fields and buttons that are too narrow for what they hold. */
const CUT_OFF = `[...document.querySelectorAll('input[type=text], select, button, .button, .slot > span, .day, .chip')]
  .filter((each) => each.offsetParent && each.scrollWidth > each.clientWidth).map((each) => each.outerHTML)`

const literal = (text: string) => new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i')

type Zone = 'America/Chicago' | 'America/Denver'
const ZONES = {
  'America/Chicago': { en: 'CT', es: '\\(?hora central' },
  'America/Denver': { en: 'MT', es: '\\(?hora de la' },
}

interface Local {
  language: 'en' | 'es'
  zone: Zone
  names: 'short' | 'long'
}

const partsIn = (at: string, { language, zone: timeZone, names }: Local) =>
  Object.fromEntries(
    new Intl.DateTimeFormat(language === 'en' ? 'en-US' : 'es-US', {
      timeZone,
      weekday: names,
      day: 'numeric',
      month: names,
      hour: 'numeric',
      minute: '2-digit',
    })
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  ) as Record<'weekday' | 'day' | 'month' | 'hour' | 'minute' | 'dayPeriod', string>

/** A day as people write it: `Wed, Nov 18` or `mié 18 de nov`, and the same in full. */
function dayIn(at: string, local: Local): string {
  const { weekday, day, month } = partsIn(at, local)
  return local.language === 'en' ? `${weekday}, ${month} ${day}` : `${weekday} ${day} de ${month}`
}

/** A local time by its day, hour and zone, short or in full. */
export function momentIn(at: string, language: 'en' | 'es', zone: Zone = 'America/Chicago'): RegExp {
  const local = { language, zone, names: 'short' } as const
  const { hour, minute, dayPeriod } = partsIn(at, local)
  const day = `(${dayIn(at, local)}|${dayIn(at, { ...local, names: 'long' })})(,| at| a las?)`
  const time = `${hour}${minute === '00' ? '' : `:${minute}`} ${dayPeriod.charAt(0)}\\.? ?m\\.?`
  return new RegExp(`${day} ${time} ${ZONES[zone][language]}`, 'i')
}
