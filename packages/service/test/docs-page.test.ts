import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { docsPage } from '../src/http/routes/docs-page.ts'

const REFERENCES = [
  { path: '/docs', document: '/api/v2/openapi.json', file: 'openapi.json' },
  { path: '/operator/docs', document: '/api/operator/v1/openapi.json', file: 'openapi-operator.json' },
]
const OURS = [...REFERENCES.flatMap(({ path }) => [path, `${path}/start.js`]), '/docs/page.css']

let app: FastifyInstance
beforeAll(() => {
  app = fastify()
  docsPage(app)
})

afterAll(() => app.close())

test('a script that could not be read is read again on the next request', async () => {
  const read = vi.spyOn(fs, 'readFile').mockRejectedValueOnce(new Error('Too many open files.'))
  syncBuiltinESMExports()
  const other = fastify()
  docsPage(other)
  expect((await other.inject('/docs/reference.js')).statusCode).toBe(500)
  expect((await other.inject('/docs/reference.js')).statusCode).toBe(200)
  read.mockRestore()
  syncBuiltinESMExports()
  await other.close()
})

describe.each(REFERENCES)('the page $path', ({ path: place, document, file }) => {
  let page: string
  beforeAll(async () => {
    page = (await app.inject(place)).body
  })

  test('the page shows the published document', async () => {
    const answer = await app.inject(document)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toBe(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'))
  })

  test('the page is HTML with a link to the document for readers without scripts', () => {
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).toMatch(/<noscript>.*JavaScript.*<\/noscript>/)
    expect(page).toContain(`<a href="${document}">`)
  })

  test('the page is also found with a trailing slash', async () => {
    const { statusCode, headers } = await app.inject(`${place}/`)
    expect([statusCode, headers.location]).toEqual([302, place])
  })

  test('the page has no inline script, style or handler', () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  })

  test('the page refers to nothing outside this service', () => {
    const outside = references(page).filter((address) => !/^(\/(?!\/)|data:)/.test(address))
    expect(outside).toEqual([])
  })

  test('the page refers only to existing paths', async () => {
    const inside = references(page).filter((address) => address.startsWith('/'))
    expect(inside).toEqual(expect.arrayContaining(['/docs/page.css', '/docs/reference.js', `${place}/start.js`]))
    const answers = await Promise.all(inside.map((address) => app.inject(address)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(inside.map(() => 200))
  })

  test('the reference reads our document and contacts no other host', async () => {
    const { body } = await app.inject(`${place}/start.js`)
    const [, settings] = /^Scalar\.createApiReference\('#reference', (.*)\)$/m.exec(body) ?? []
    expect(JSON.parse(settings ?? '{}')).toMatchObject({
      url: document,
      withDefaultFonts: false,
      telemetry: false,
      persistAuth: false,
      agent: { disabled: true },
    })
  })
})

test.each(OURS)('%s contains no URL of another host', async (path) => {
  expect((await app.inject(path)).body).not.toMatch(/https?:|["'(]\/\//)
})

describe.each([...OURS, '/docs/reference.js', ...REFERENCES.map(({ document }) => document)])('%s', (path) => {
  test('the policy allows only files of this service', async () => {
    const { headers } = await app.inject(path)
    expect(policyOf(headers['content-security-policy'])).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'font-src': "'self' data:",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
    })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  test('a cached file is not sent again', async () => {
    const { headers } = await app.inject(path)
    const again = await app.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await app.inject({ url: path, headers: { 'if-none-match': 'W/"another"' } })
    expect(other.statusCode).toBe(200)
  })

  test('a file is compressed for clients that accept it', async () => {
    const plain = await app.inject(path)
    const packed = await app.inject({ url: path, headers: { 'accept-encoding': 'br, gzip' } })
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })
})

/** What a browser may load or follow from a page. */
function references(html: string): string[] {
  return [...html.matchAll(/\s(?:src|href|action|data|poster|srcset)="([^"]*)"/g)].map(([, address]) => address ?? '')
}

function policyOf(header: unknown): Record<string, string> {
  const directives = String(header).split('; ')
  return Object.fromEntries(directives.map((each) => [each.split(' ', 1)[0], each.slice(each.indexOf(' ') + 1)]))
}
