import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_CODES, endpoints } from '@order-testing/contract'
import { operatorEndpoints } from '@order-testing/contract/operator'
import { addDocs } from '../../src/http/routes/docs.ts'
import type { Site } from '../../src/http/routes/site-files.ts'
import { SLOW } from '../support/processes.ts'
import { builtSite, pagesOf } from './built-site.ts'

/** What readers, and answers of the service, link to. */
const ADDRESSES = [
  '/docs/',
  ...['first-order', 'webhooks', 'sync', 'transport-agencies', 'matching', 'v1-to-v2', 'sandbox', 'going-live'].map(
    (name) => `/docs/guides/${name}`,
  ),
  ...['install', 'production', 'laboratories', 'operating'].map((name) => `/docs/guides/${name}`),
  ...['errors', 'statuses', 'matching', 'deliveries', 'signatures', 'limits'].map((name) => `/docs/reference/${name}`),
  '/docs/api/',
  '/docs/operator-api/',
  '/docs/changelog',
]

let site: Site
let app: FastifyInstance
let pages: Map<string, string>
beforeAll(async () => {
  site = await builtSite()
  pages = pagesOf(site)
  app = fastify()
  addDocs(app)
}, SLOW.timeout)
afterAll(() => app.close())

const textOf = (address: string) => site.get(pages.get(address)!)!.content.toString()

test('every page is served, and those that others link to exist', async () => {
  expect([...pages.keys()]).toEqual(expect.arrayContaining(ADDRESSES))
  for (const address of [...pages.keys(), '/docs/reference/signature-vectors.json'])
    expect([address, (await app.inject(address)).statusCode]).toEqual([address, 200])
})

test('every page has a title, a description, a language and one main heading', () => {
  for (const address of pages.keys()) {
    const text = textOf(address)
    expect([address, text]).toEqual([address, expect.stringMatching(/<html lang="en-US"[^]*<title>[^<]+<\/title>/)])
    expect([address, text.match(/<h1/g)]).toEqual([address, ['<h1']])
  }
})

test('every operation has an anchor in the reference, on the page of its tag', () => {
  for (const [folder, all] of [
    ['api', endpoints],
    ['operator-api', operatorEndpoints],
  ] as const)
    for (const [id, { tag }] of Object.entries(all))
      expect(anchorsOf(textOf(`/docs/${folder}/${tag.toLowerCase()}`))).toContain(id)
})

test('every error code has an entry on the page that error bodies link to', () => {
  expect([...anchorsOf(textOf('/docs/reference/errors'))]).toEqual(expect.arrayContaining([...ERROR_CODES]))
})

test('every link leads to a page of the site or the service, and every anchor exists', async () => {
  const anchors = new Map([...pages.keys()].map((address) => [address, anchorsOf(textOf(address))]))
  const wrong: string[] = []
  const outside = new Set<string>()
  for (const address of pages.keys())
    for (const link of linksOf(textOf(address))) {
      const { origin, pathname, hash } = new URL(link, `http://service${address}`)
      if (origin !== 'http://service') outside.add(link)
      else if (!(await leadsTo(pathname, decodeURIComponent(hash.slice(1)), anchors))) wrong.push(`${address}: ${link}`)
    }
  expect(wrong).toEqual([])
  // The address of samples becomes that of the service.
  expect([...outside].filter((link) => !/^(https:|http:\/\/127\.0\.0\.1:3000\/)/.test(link))).toEqual([])
})

async function leadsTo(path: string, anchor: string, anchors: Map<string, Set<string>>): Promise<boolean> {
  const known = anchors.get(path)
  if (known) return anchor === '' || known.has(anchor)
  return (await app.inject(path)).statusCode === 200
}

test('pages load nothing from other hosts', () => {
  for (const address of pages.keys()) {
    const loaded = [...textOf(address).matchAll(/<(?:script|link|img|iframe|source)\b[^>]*?\s(?:src|href)="([^"]*)"/g)]
    expect(loaded.map(([, each]) => each).filter((each) => !/^(\/docs\/|data:)/.test(each!))).toEqual([])
  }
})

const linksOf = (html: string) =>
  new Set([...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&')))

const anchorsOf = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))
