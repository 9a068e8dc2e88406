import { ERROR_CODES } from '@order-testing/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createMarkdownRenderer } from 'vitepress'
import { meaningPages } from '../src/meanings/index.ts'

let renderer: Awaited<ReturnType<typeof createMarkdownRenderer>>
beforeAll(async () => {
  renderer = await createMarkdownRenderer('/', { highlight: (code) => code }, '/docs/')
})

describe.each(meaningPages())('$path, as the site renders it', ({ path, markdown }) => {
  const render = () => renderer.render(markdown, { path: `/${path}`, relativePath: path, cleanUrls: true })

  test('every anchor in the source is an id in the page', () => {
    const ids = [...render().matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const anchors = [...markdown.matchAll(/^#+ .* \{#([\w-]+)\}$|<a id="([\w-]+)">/gm)].map(([, a, b]) => a ?? b)
    expect(ids).toEqual(expect.arrayContaining(anchors))
    expect(ids).toHaveLength(new Set(ids).size)
  })

  test('every table is rendered as one, and no part of it is left as text', () => {
    const html = render()
    const tables = markdown.match(/^\|(?: - \|)+$/gm) ?? []
    expect(html.match(/<table/g)).toHaveLength(tables.length)
    expect(html).not.toMatch(/<p>\|/)
  })
})

test('the page of errors has an id for every code', () => {
  const [{ markdown } = { markdown: '' }] = meaningPages()
  const html = renderer.render(markdown, {})
  expect(ERROR_CODES.filter((code) => !html.includes(`<h2 id="${code}"`))).toEqual([])
})
