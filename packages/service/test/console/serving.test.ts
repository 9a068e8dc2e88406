import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseUnknownRoutes } from '../../src/http/methods.ts'
import { addConsole } from '../../src/http/routes/console.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'

const INLINE = 'document.documentElement.dataset.scheme = "dark"'
const PAGE = `<!doctype html><script>${INLINE}</script><div id="root"></div>`

/** A console in small. */
const FILES: Record<string, string> = {
  'index.html': PAGE,
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-Ab12Cd34.js': 'export const start = 1\n',
  '.stamp': 'secret',
}

removeFoldersAfterAll()

let app: FastifyInstance
let empty: FastifyInstance
beforeAll(async () => {
  const folder = await newFolder()
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  app = fastify()
  refuseUnknownRoutes(app)
  addConsole(app, folder)
  empty = fastify()
  addConsole(empty, join(await newFolder(), 'missing'))
})
afterAll(() => Promise.all([app.close(), empty.close()]))

test('/console leads to the console', async () => {
  const { statusCode, headers } = await app.inject('/console')
  expect([statusCode, headers.location]).toEqual([302, '/console/'])
})

test.each(['/console/', '/console/orders', '/console/orders/K7M4-2QXD', '/console/invitation/secret.with.dots'])(
  '%s answers with the page of the console, which is checked each time',
  async (path) => {
    const { statusCode, body, headers } = await app.inject(path)
    expect([statusCode, body, headers['cache-control']]).toEqual([200, PAGE, 'no-cache'])
  },
)

test('a file with a hash in its name may be kept for good', async () => {
  const { body, headers } = await app.inject('/console/assets/index-Ab12Cd34.js')
  expect(body).toBe(FILES['assets/index-Ab12Cd34.js'])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('a script of an earlier build is missing, and not a page', async () => {
  const { statusCode, body } = await app.inject('/console/assets/index-Old00000.js')
  expect([statusCode, JSON.parse(body)]).toMatchObject([404, { errors: [{ code: 'notFound' }] }])
})

test('nothing outside of the console is served', async () => {
  for (const path of ['/console/.stamp', '/console/..%2f..%2fpackage.json', '/console/%2e%2e/package.json']) {
    const { body } = await app.inject(path)
    expect(body).not.toContain('secret')
    expect(body).not.toContain('dependencies')
  }
})

test('the page may run only scripts of this service and the one whose hash is listed, and apply only its style sheets', async () => {
  const { headers } = await app.inject('/console/orders')
  const hash = createHash('sha256').update(INLINE).digest('base64')
  expect(headers['content-security-policy']).toBe(
    [
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
  )
})

test('a console that was not built says how to build it', async () => {
  const { statusCode, body } = await empty.inject('/console/orders')
  expect(statusCode).toBe(404)
  expect(body).toContain('node scripts/site.js')
})
