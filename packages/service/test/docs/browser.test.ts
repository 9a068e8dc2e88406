import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fastify, { type FastifyInstance } from 'fastify'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDocs } from '../../src/http/routes/docs.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { SLOW } from '../support/processes.ts'
import { builtSite } from './built-site.ts'

const DEMO = { integrator: 'demo-token-full-scope-0001', operator: 'demo-operator-0001' }
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** One page of each kind. */
const KINDS = ['/docs/', '/docs/guides/v1-to-v2', '/docs/reference/errors', '/docs/api/clinics']

describe.skipIf(!hasBrowser)('the documentation in a browser', () => {
  const opened = openBrowser()
  let sandbox: FastifyInstance
  let origin: string
  beforeAll(async () => {
    await builtSite()
    sandbox = fastify()
    addDocs(sandbox, { demo: DEMO })
    origin = await sandbox.listen({ port: 0, host: '127.0.0.1' })
  }, SLOW.timeout)
  afterAll(() => sandbox.close())

  let context: BrowserContext
  let page: Page
  let complaints: string[]
  beforeEach(async () => {
    context = await opened.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    page = await context.newPage()
    complaints = []
    // Policy violations are reported here too.
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) complaints.push(request.url())
    })
  })
  afterEach(async () => {
    await context.close()
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  })

  /** Opens a page, and waits until its samples are filled in: the last thing that its scripts do. */
  async function open(path: string): Promise<void> {
    await page.goto(origin + path)
    await filled()
  }
  const filled = () => page.waitForSelector('.vp-doc:not(:has-text("$OTS_"))')

  async function search(text: string): Promise<string> {
    await page.keyboard.press('Control+k')
    await page.fill('.VPLocalSearchBox input', text)
    await page.waitForSelector('.VPLocalSearchBox .result')
    return page.innerText('.VPLocalSearchBox .results')
  }

  test(
    'pages of every kind have no flaws that axe can find, light and dark, on desktops and phones',
    SLOW,
    async () => {
      const flaws: string[] = []
      for (const path of KINDS) {
        await open(path)
        await page.evaluate(AXE)
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 })
          flaws.push(...(await flawsOf(`${path} ${width}`)))
        }
      }
      await search('callback')
      await page.evaluate(AXE)
      flaws.push(...(await flawsOf('search')))
      expect(flaws).toEqual([])
    },
  )

  /** In dark mode only colors differ. */
  async function flawsOf(name: string): Promise<string[]> {
    const flaws: string[] = []
    for (const [colorScheme, rules] of [
      ['light', {}],
      ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForSelector(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)')
      flaws.push(...(await page.evaluate<string[]>(findingsBy(rules))))
      const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (widest > page.viewportSize()!.width) flaws.push(`${widest} px wide`)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    return flaws.map((flaw) => `${name}: ${flaw}`)
  }

  test('samples have the address and the token of the sandbox, copy as shown, and keep the chosen language', async () => {
    await open('/docs/api/token')
    const copied = async () => {
      await page.click('.vp-code-group .blocks > .active > button.copy')
      await page.waitForSelector('.vp-code-group .active > button.copied')
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied()).toBe(`curl '${origin}/api/v2/token' \\\n  -H "Authorization: Bearer ${DEMO.integrator}"`)
    await page.click('.vp-code-group label:has-text("TypeScript")')
    expect(await copied()).toContain(`new OrderTesting({ baseUrl: '${origin}', token: '${DEMO.integrator}' })`)

    // Without loading a page: the next one is rendered by the scripts of the site.
    await page.evaluate('window.isSame = true')
    await page.click('.VPSidebar a[href="/docs/api/agencies"]')
    await page.waitForSelector('h1:has-text("Agencies")')
    await filled()
    expect(await page.innerText('.vp-code-group .active')).toContain(`token: '${DEMO.integrator}'`)
    await page.click('.VPSidebar a[href="/docs/operator-api/audit"]')
    await page.waitForSelector('h1:has-text("Audit")')
    await filled()
    expect(await page.innerText('.vp-code-group .active')).toContain(`${origin}/api/operator/v1/audit`)
    expect(await page.innerText('.vp-code-group .active')).toContain(`Bearer ${DEMO.operator}"`)
    expect(await page.evaluate('window.isSame')).toBe(true)
  })

  test('without demo tokens, as in production, samples keep the variable', async () => {
    const production = fastify()
    addDocs(production)
    const address = await production.listen({ port: 0, host: '127.0.0.1' })
    await page.goto(`${address}/docs/api/token`)
    await page.waitForSelector(`.vp-code-group .active:has-text("${address}")`)
    expect(await page.innerText('.vp-code-group .active')).toContain('Bearer $OTS_TOKEN"')
    await page.close()
    await production.close()
    expect(complaints.splice(0).filter((each) => !each.startsWith(`${address}/`))).toEqual([])
  })

  test('search finds a header and an error code, and leads there', async () => {
    await open('/docs/')
    expect(await search('Idempotency-Key')).toContain('Create an order')
    expect(await search('insufficientScope')).toMatch(/Error codes/)
    await page.click('.VPLocalSearchBox .result:has-text("Error codes"):has-text("insufficientScope")')
    await page.waitForURL(`${origin}/docs/reference/errors#insufficientScope`)
  })

  test('an unknown page says so and leads back', async () => {
    await page.goto(`${origin}/docs/nothing`)
    await page.click('.NotFound a')
    await page.waitForURL(`${origin}/docs/`)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
  })
})

const findingsBy = (rules: object) => `axe.run(${JSON.stringify({ ...rules, resultTypes: ['violations'] })})
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 2000)))`
