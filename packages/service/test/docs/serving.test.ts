import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fs, { mkdir, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addDocs } from '../../src/http/routes/docs.ts'
import { refuseUnknownRoutes } from '../../src/http/methods.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'

const INLINE = 'document.documentElement.classList.add("dark")'
const page = (text: string) => `<!doctype html><script id="dark">${INLINE}</script><p>${text}</p>`

/** A site in small. */
const FILES: Record<string, string> = {
  'index.html': page('Home'),
  '404.html': page('No page'),
  'changelog.html': page('Changes'),
  'guides/webhooks.html': page('Webhooks'),
  'api/index.html': page('Overview'),
  'api/orders.html': page('Orders'),
  'assets/app.Ab12Cd34.js': 'export const app = 1\n'.repeat(100),
  'assets/inter.Ab12Cd34.woff2': 'font',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'reference/signature-vectors.json': '{}',
  '.stamp': 'secret',
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

removeFoldersAfterAll()

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await newFolder()
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  app = serving({ folder })
})
afterAll(() => app.close())

function serving(docs: Parameters<typeof addDocs>[1]): FastifyInstance {
  const server = fastify()
  refuseUnknownRoutes(server)
  addDocs(server, docs)
  return server
}

test.each([
  ['/docs/', 'Home'],
  ['/docs/changelog', 'Changes'],
  ['/docs/guides/webhooks', 'Webhooks'],
  ['/docs/api/', 'Overview'],
  ['/docs/api/orders?from=mail', 'Orders'],
])('the page %s has an address without an extension', async (path, text) => {
  const { statusCode, headers, body } = await app.inject(path)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain(`<p>${text}</p>`)
})

test.each([
  ['/docs', '/docs/'],
  ['/docs/index.html', '/docs/'],
  ['/docs/api', '/docs/api/'],
  ['/docs/api/index.html', '/docs/api/'],
  ['/docs/guides/webhooks.html', '/docs/guides/webhooks'],
  ['/docs/guides/webhooks/?a=b', '/docs/guides/webhooks?a=b'],
  ['/operator/docs', '/docs/operator-api/'],
  ['/operator/docs/', '/docs/operator-api/'],
])('%s leads to %s', async (path, target) => {
  const { statusCode, headers } = await app.inject(path)
  expect([statusCode, headers.location]).toEqual([302, target])
})

test.each([
  ['/docs/assets/app.Ab12Cd34.js', 'text/javascript; charset=utf-8'],
  ['/docs/assets/inter.Ab12Cd34.woff2', 'font/woff2'],
  ['/docs/favicon.svg', 'image/svg+xml'],
  ['/docs/reference/signature-vectors.json', 'application/json; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
])('%s is sent as %s', async (path, type) => {
  const { statusCode, headers } = await app.inject(path)
  expect([statusCode, headers['content-type']]).toEqual([200, type])
})

test.each(['/docs/nothing', '/docs/guides/', '/docs/404.html', '/docs/404', '/docs/404/', '/docs/nothing.html'])(
  'people get the page of the site for unknown pages such as %s, programs the error body',
  async (path) => {
    const [shown, told] = await Promise.all([app.inject({ url: path, headers: HTML }), app.inject(path)])
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(shown.body).toContain('<p>No page</p>')
    expect(told.statusCode).toBe(404)
    expect(told.json()).toMatchObject({ statusCode: 404, errors: [{ code: 'notFound' }] })
  },
)

test.each([
  '/docs/.stamp',
  '/docs/../package.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/assets/..%5c..%5c.stamp',
  '/docs//etc/passwd',
])('%s leads to no file outside of the site', async (path) => {
  const { statusCode, body } = await app.inject(path)
  expect(statusCode).toBe(404)
  expect(body).not.toContain('secret')
})

test('HEAD answers without a body, other methods are refused', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/docs/changelog' })
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
    200,
    '',
    String(FILES['changelog.html']!.length),
  ])
  const post = await app.inject({ method: 'POST', url: '/docs/changelog' })
  expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD'])
})

test('a page may run only scripts of this service and those whose hashes are listed', async () => {
  const { headers } = await app.inject('/docs/')
  const hash = createHash('sha256').update(INLINE).digest('base64')
  expect(headers['content-security-policy']).toBe(
    [
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  )
  expect(headers['referrer-policy']).toBe('no-referrer')
})

describe.each(['/docs/changelog', '/docs/assets/app.Ab12Cd34.js', '/openapi.json', '/api/operator/v1/openapi.json'])(
  '%s',
  (path) => {
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
  },
)

test('files with a hash in their names are kept for good, all others are asked for again', async () => {
  const caching = async (path: string) => (await app.inject(path)).headers['cache-control']
  expect(await caching('/docs/assets/app.Ab12Cd34.js')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/docs/', '/docs/favicon.svg', '/openapi.json']) expect(await caching(path)).toBe('no-cache')
})

test('the OpenAPI documents are the published ones', async () => {
  const published = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
  expect((await app.inject('/api/v2/openapi.json')).body).toBe(published('openapi.json'))
  expect((await app.inject('/openapi.json')).body).toBe(published('openapi.json'))
  expect((await app.inject('/api/operator/v1/openapi.json')).body).toBe(published('openapi-operator.json'))
})

test('the samples get the tokens of a sandbox, and none in production', async () => {
  const tokens = { integrator: 'demo-integrator', operator: 'demo-operator' }
  const sandbox = serving({ folder, demo: tokens })
  expect((await sandbox.inject('/docs/tokens.json')).json()).toEqual(tokens)
  expect((await app.inject('/docs/tokens.json')).json()).toEqual({})
  await sandbox.close()
})

test('without a built site a page says how to build it, and the site is served once it is there', async () => {
  const later = join(await newFolder(), 'docs')
  const server = serving({ folder: later })
  const [shown, told] = await Promise.all([server.inject({ url: '/docs/', headers: HTML }), server.inject('/docs/')])
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(shown.body).toMatch(/<html lang="en">[^]*<title>[^]*<h1>The documentation is not built<\/h1>[^]*npm run docs/)
  expect(shown.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(told.json()).toMatchObject({ statusCode: 404, errors: [{ code: 'notFound' }] })
  await mkdir(later)
  await writeFile(join(later, 'index.html'), page('Home'))
  expect((await server.inject('/docs/')).statusCode).toBe(200)
  await server.close()
})

test('a site that could not be read is read again on the next request', async () => {
  const read = vi.spyOn(fs, 'readFile').mockRejectedValueOnce(new Error('Too many open files.'))
  syncBuiltinESMExports()
  const server = serving({ folder })
  expect((await server.inject('/docs/')).statusCode).toBe(500)
  expect((await server.inject('/docs/')).statusCode).toBe(200)
  read.mockRestore()
  syncBuiltinESMExports()
  await server.close()
})

test('without documentation (OTS_DOCS=off) its paths are unknown, and the OpenAPI documents are served', async () => {
  const server = serving({ folder, isServed: false })
  for (const path of ['/docs', '/docs/', '/docs/changelog', '/operator/docs', '/docs/tokens.json']) {
    const { statusCode, body } = await server.inject({ url: path, headers: HTML })
    expect([statusCode, body]).toEqual([404, expect.stringContaining('Unknown path')])
  }
  expect((await server.inject('/openapi.json')).statusCode).toBe(200)
  await server.close()
})
