import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../../service/test/support/folders.ts'
import { SLOW } from '../../service/test/support/processes.ts'
import { hasBrowser, openBrowser } from '../../service/test/participants/browser.ts'
import { catalogFile, startService, type TestService } from '../../service/test/support/service.ts'
import { ALL, bundle } from './bundles.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PACKAGE = join(ROOT, 'packages/client')
const TOKEN = 'north-secret-full-scope'

removeFoldersAfterAll()

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(catalogFile('north'))
})
afterAll(() => service.stop())

const PROGRAM = `
import { NotFoundError, OrderTesting, type Order } from '@order-testing/client'
import { signTestWebhook, verifyWebhook } from '@order-testing/client/webhooks'

const client = new OrderTesting({ baseUrl: 'ORIGIN', token: '${TOKEN}' })
const order: Order = await client.orders.create({
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  location: { id: 'acme-hq' },
  package: { name: 'Basic' },
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed' },
  settings: { schedulingOption: 'link' },
  testReason: 'random',
})
for await (const { id } of client.orders.list({ status: 'ordered' })) console.log(id === order.id)
// @ts-expect-error -- not a status
client.orders.list({ status: 'orderd' })
const isKnown: boolean = order.status === 'ordered' || order.status === 'a status of tomorrow'
await client.orders.get('none').catch((error: unknown) => console.log(error instanceof NotFoundError, isKnown))
const signed = await signTestWebhook({ payload: { object: 'event', id: 'evt_1' }, secret: 's' })
console.log((await verifyWebhook({ ...signed, secret: 's' })).version)
`

test('the packed archive alone type-checks and runs a program', SLOW, async () => {
  const folder = await newFolder()
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE })
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as [{ filename: string; files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path).filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path))
  expect(paths.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder })
  const installed = join(folder, 'node_modules/@order-testing/client')
  expect(await readdir(join(folder, 'node_modules'))).not.toContain('zod')
  const declarations = await run(
    'cat',
    packed.files.flatMap(({ path }) => (path.endsWith('.d.ts') ? [path] : [])),
    {
      cwd: installed,
    },
  )
  expect(declarations.stdout).toContain("from './client.js'")
  // Deno does not resolve the first, TypeScript before 5.7 does not know the second.
  expect(declarations.stdout).not.toMatch(/\.ts'|Uint8Array</)
  await writeFile(join(folder, 'program.ts'), PROGRAM.replace('ORIGIN', service.origin))
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const compiled = await run(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
  const ran = await run(process.execPath, ['program.js'], { cwd: folder })
  expect(ran.stdout).toBe('true\ntrue true\nv2\n')
})

describe('a bundle', () => {
  test.each([
    ['of everything', ALL, 8 * 1024],
    ['of the calls alone', "export { OrderTesting } from 'CLIENT/index.js'", 5 * 1024],
    ['of verifyWebhook alone', "export { verifyWebhook } from 'CLIENT/index.js'", 2 * 1024],
  ])('%s is small', async (_, source, limit) => {
    expect(gzipSync(await bundle(source)).length).toBeLessThan(limit)
  })

  test('uses nothing but what browsers, Deno and Bun have too', async () => {
    const web = {
      AbortController,
      atob,
      btoa,
      clearTimeout,
      crypto,
      fetch,
      Response,
      setTimeout,
      TextDecoder,
      TextEncoder,
      URL,
      URLSearchParams,
    }
    expect(await runInNewContext(await scriptOf(service.origin), web)).toEqual([TOKEN, 'evt_1'])
  })
})

/** A script that needs no modules: it reads the token, and verifies a delivery that it signed. */
const scriptOf = async (baseUrl: string) => `${await bundle(ALL)};
  (async () => {
    const { OrderTesting, signTestWebhook, verifyWebhook } = bundled
    const token = await new OrderTesting({ baseUrl: '${baseUrl}', token: '${TOKEN}' }).token()
    const signed = await signTestWebhook({ payload: { object: 'event', id: 'evt_1' }, secret: 's' })
    return [token.name, (await verifyWebhook({ ...signed, secret: 's' })).eventId]
  })()`

describe.skipIf(!hasBrowser)('in a browser', () => {
  const opened = openBrowser()

  test('calls succeed and webhooks are verified', async () => {
    // The page that stands for an application has a policy of its own.
    const context = await opened.browser.newContext({ bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${service.origin}/healthz`)
    expect(await page.evaluate(await scriptOf(service.origin))).toEqual([TOKEN, 'evt_1'])
    await context.close()
  })
})

test('the package has no dependencies', async () => {
  const { dependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(dependencies).toBeUndefined()
})
