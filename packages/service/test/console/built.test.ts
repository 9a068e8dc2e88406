import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '../../src/http/routes/site-files.ts'
import { SLOW } from '../support/processes.ts'
import { builtConsole } from './built-console.ts'

let site: Site
beforeAll(async () => {
  site = await builtConsole()
}, SLOW.timeout)

describe('the built console', () => {
  test('its first script with everything that it loads at once is under 300 KB, compressed', () => {
    const bytes = [...loadedAtOnce(site)].reduce((sum, name) => sum + gzipSync(site.get(name)!.content).length, 0)
    expect(bytes).toBeGreaterThan(50 * 1024)
    expect(bytes).toBeLessThan(300 * 1024)
  })

  test('each area, the palette and passkeys are loaded when they are opened', () => {
    const first = loadedAtOnce(site)
    const scripts = [...site.keys()].filter((name) => name.endsWith('.js'))
    for (const page of [
      'OrdersPage',
      'OrderPage',
      'ResultsPage',
      'WebhooksPage',
      'NotificationsPage',
      'AuditPage',
      'SignInPage',
      'Palette',
    ]) {
      const name = scripts.find((each) => each.startsWith(`assets/${page}-`))
      expect([page, name]).toEqual([page, expect.any(String)])
      expect(first).not.toContain(name)
    }
  })

  test('its page has no inline style and no address of another host', () => {
    const page = site.get('index.html')!.content.toString()
    expect(page).not.toMatch(/<style|\sstyle=/)
    expect(page).not.toMatch(/https?:\/\//)
  })

  test('its fonts are served with it', () => {
    const fonts = [...site.keys()].filter((name) => name.endsWith('.woff2'))
    expect(fonts.some((name) => name.includes('inter'))).toBe(true)
    expect(fonts.some((name) => name.includes('jetbrains'))).toBe(true)
  })
})

/** The scripts of the page, with what they import statically. */
function loadedAtOnce(files: Site): Set<string> {
  const page = files.get('index.html')!.content.toString()
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name) || !files.has(name)) return
    found.add(name)
    const text = files.get(name)!.content.toString()
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g)) visit(`assets/${path}`)
  }
  for (const [, path] of page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)) visit(path!)
  return found
}
