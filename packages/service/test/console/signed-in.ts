import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { ServerOptions } from '../../src/http/server.ts'
import { copyOrder } from '../support/copies.ts'
import { SLOW } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { builtConsole } from './built-console.ts'

const INTEGRATOR = 'demo-token-full-scope-0001'
export const OPERATOR = 'demo-token-operator-0003'
const require = createRequire(import.meta.url)
const DEMO = require('../../catalog/demo.json') as object

/** A service with the demo catalog and the console. */
export interface ConsoleService extends TestService {
  place(members?: object): Promise<Placed>
  simulate(order: Placed, body: object): Promise<void>
  /** Adds copies of an order, older than all others. */
  copyOrders(id: string, count: number): Promise<void>
  /** Calls the operator API. */
  operator(path: string, init?: { method: string; body: unknown }): Promise<Record<string, never>>
}

export interface Placed {
  id: string
  code: string
  services: { id: string }[]
}

export function consoleService(options: Partial<ServerOptions> = {}): ConsoleService {
  const service = {} as ConsoleService
  beforeAll(async () => {
    await builtConsole()
    const started = await startService(options)
    await started.apply(DEMO)
    Object.assign(service, started, callsOf(started))
  }, SLOW.timeout)
  afterAll(() => service.stop())
  return service
}

function callsOf(service: TestService): Pick<ConsoleService, 'place' | 'simulate' | 'operator' | 'copyOrders'> {
  const succeed = async (secret: string, method: string, path: string, body?: unknown) => {
    const answer = await service.call(secret, { method, path, ...(body !== undefined && { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body as never
  }
  return {
    place: (members) => succeed(INTEGRATOR, 'POST', '/api/v2/orders', { ...ORDER, ...members }),
    copyOrders: async (id, count) => {
      const names = Array.from({ length: count }, (_, n) => ({
        id: `ord_0${String(n).padStart(25, '0')}`,
        code: `C${String(n).padStart(3, '0').slice(0, 3)}-${String(n).padStart(4, '0')}`,
      }))
      await copyOrder(service, 'demo', id, names)
      // Lists are counted by the changes of orders.
      await service.pool`
        insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
        select tenant_id, company_id, location_id, id, status, updated_at from orders
        where tenant_id = 'demo' and id = any(${names.map((name) => name.id)})`
    },
    simulate: ({ id }, body) => succeed(INTEGRATOR, 'POST', `/api/sandbox/v1/orders/${id}/simulation`, body),
    operator: (path, { method, body } = { method: 'GET', body: undefined }) =>
      succeed(OPERATOR, method, `/api/operator/v1${path}`, body),
  }
}

let people = 0

/** A person of their own in each order: otherwise the same order would be returned again. */
export const participant = (members: object = {}) => ({
  firstName: 'Maria',
  lastName: `Lopez`,
  birthDate: '1990-03-07',
  email: `maria${(people += 1)}@example.com`,
  phone: `+1630555${String(1000 + people)}`,
  ...members,
})

export const ORDER = {
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  location: { id: 'loc-boxelder-naperville' },
  package: { id: 'pkg-pre-employment-10' },
  participant: participant(),
  requester: { email: 'dana@boxelder.example', firstName: 'Dana', lastName: 'Reed' },
  settings: { schedulingOption: 'link' },
  testReason: 'preEmployment',
}

export interface Opened {
  page: Page
  context: BrowserContext
  open(path: string): Promise<void>
}

/** A new page for each test, signed in as the demo operator. */
export function eachConsolePage(
  opened: { browser: Browser },
  service: ConsoleService,
  { width = 1280, isSignedIn = true } = {},
): Opened {
  const use = {} as WatchedConsole
  beforeEach(async () => {
    Object.assign(use, await openConsole(opened.browser, service, { width, isSignedIn }))
  })
  afterEach(() => use.close())
  return use
}

export interface WatchedConsole extends Opened {
  /** Fails on violations of the policy, errors and requests to other hosts. */
  close(): Promise<void>
}

export async function openConsole(
  browser: Browser,
  service: ConsoleService,
  { width = 1280, isSignedIn = true } = {},
): Promise<WatchedConsole> {
  const complaints: string[] = []
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  if (isSignedIn) await signIn(context, service)
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(service.origin))
      complaints.push(request.url())
  })
  return {
    page,
    context,
    open: async (path) => void (await page.goto(`${service.origin}/console${path}`)),
    close: async () => {
      await context.close()
      const serious = complaints.filter(
        (text) => !/status of (400|401|404|409|422)|ERR_INTERNET_DISCONNECTED/.test(text),
      )
      if (serious.length > 0) throw new Error(serious.join('\n'))
    },
  }
}

/** As the button of the sign-in page does it. The cookie is kept by the context. */
export async function signIn(context: BrowserContext, service: { origin: string }): Promise<void> {
  const answer = await context.request.post(`${service.origin}/api/console/v1/session/demo`, {
    headers: { 'x-console': '1' },
  })
  if (!answer.ok()) throw new Error(`The demo operator was refused: ${answer.status()}`)
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds, and whether the page is wider than the screen. In dark mode only colors differ. */
export async function flawsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  // Colors in transition are those of neither scheme.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished))`)
  const isDark = (await page.locator('html[data-mantine-color-scheme=dark]').count()) > 0
  const rules = isDark ? ", runOnly: ['color-contrast', 'link-in-text-block']" : ''
  const found = await page.evaluate<string[]>(`axe.run({ resultTypes: ['violations']${rules} })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 600)))`)
  const { width } = page.viewportSize()!
  const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
  return widest > width ? [...found, `${widest} px wide`] : found
}
