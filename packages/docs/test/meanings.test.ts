import { describe, expect, test } from 'vitest'
import { meaningPages } from '../src/meanings/index.ts'

/** Pages that other parts of the documentation have. */
const GUIDES = new Set(
  ['first-order', 'webhooks', 'sync', 'transport-agencies', 'matching', 'v1-to-v2', 'sandbox', 'going-live'].map(
    (name) => `guides/${name}.md`,
  ),
)

const pages = meaningPages()

test('the reference of meanings has one page for each subject', () => {
  expect(pages.map(({ path }) => path)).toEqual([
    'reference/errors.md',
    'reference/statuses.md',
    'reference/matching.md',
    'reference/deliveries.md',
    'reference/signatures.md',
    'reference/limits.md',
  ])
})

test('composing the pages twice gives the same text', () => {
  expect(meaningPages()).toEqual(pages)
})

describe.each(pages)('$path', ({ path, title, markdown }) => {
  test('the page begins with its title, which is its only heading of the first level', () => {
    expect(markdown.startsWith(`# ${title}\n\n`)).toBe(true)
    expect(withoutCode(markdown).match(/^# /gm)).toHaveLength(1)
  })

  test('the page has no traces of missing values', () => {
    expect(markdown).not.toMatch(/undefined|\[object|NaN|Infinity|null null/)
  })

  test('every row of a table has as many cells as its head', () => {
    const tables = withoutFences(markdown).match(/(?:^\|.*\n?)+/gm) ?? []
    expect(tables.length).toBeGreaterThan(0)
    for (const table of tables) {
      const [head = '', line, ...rows] = table.trimEnd().split('\n')
      expect(line).toBe(`|${' - |'.repeat(cellsOf(head))}`)
      expect(rows.filter((row) => cellsOf(row) !== cellsOf(head))).toEqual([])
      expect(rows.length).toBeGreaterThan(0)
    }
  })

  test('every anchor of the page is unique, and every heading below the title has one', () => {
    const anchors = anchorsOf(markdown)
    expect(anchors).toEqual([...new Set(anchors)])
    const headings = withoutFences(markdown).match(/^##+ .*$/gm) ?? []
    expect(headings.filter((heading) => !/ \{#[\w-]+\}$/.test(heading))).toEqual([])
  })

  test('every link of the page leads to a page of the documentation and to an anchor that exists', () => {
    const broken = linksOf(markdown).filter((link) => !isKnown(link, path))
    expect(broken).toEqual([])
  })

  test('nothing outside of code is taken for HTML or for a template', () => {
    const text = withoutCode(markdown).replaceAll(/<a id="[\w-]+"><\/a>/g, '')
    expect(text).not.toMatch(/[<>]|\{\{/)
  })
})

test('a broken link would be seen', () => {
  expect(isKnown('./errors.md#conflict', 'reference/limits.md')).toBe(true)
  expect(isKnown('./errors.md#konflikt', 'reference/limits.md')).toBe(false)
  expect(isKnown('../guides/unknown.md', 'reference/limits.md')).toBe(false)
  expect(isKnown('#nowhere', 'reference/limits.md')).toBe(false)
})

const cellsOf = (row: string) => row.replaceAll(String.raw`\|`, '').split('|').length - 2

const withoutFences = (markdown: string) => markdown.replaceAll(/^```[^]*?^```$/gm, '')

const withoutCode = (markdown: string) => withoutFences(markdown).replaceAll(/`[^`\n]*`/g, '')

const anchorsOf = (markdown: string) =>
  [...withoutFences(markdown).matchAll(/ \{#([\w-]+)\}$|<a id="([\w-]+)">/gm)].map(
    ([, heading, cell]) => heading ?? cell,
  )

const linksOf = (markdown: string) => [...withoutFences(markdown).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)

function isKnown(link: string, from: string): boolean {
  if (link === 'https://www.standardwebhooks.com' || link === './signature-vectors.json') return true
  const { pathname, hash } = new URL(link, `http://docs/${from}`)
  const target = pathname.slice(1)
  if (GUIDES.has(target)) return hash === ''
  const page = pages.find(({ path }) => path === target)
  return page !== undefined && (hash === '' || anchorsOf(page.markdown).includes(hash.slice(1)))
}
