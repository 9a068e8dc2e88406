import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL, fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../../service/test/support/folders.ts'
import { freePort, PATIENT, SLOW } from '../../service/test/support/processes.ts'
import { startService, type TestService } from '../../service/test/support/service.ts'
import { signTestWebhook } from '../src/index.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DEMO = join(ROOT, 'packages/service/catalog/demo.json')
const LINKED = ['@order-testing/client', 'express', 'fastify', '@types/express', '@types/node']

removeFoldersAfterAll()

let service: TestService
let folder: string
let receivers: string[]
beforeAll(async () => {
  service = await startService()
  await service.apply(JSON.parse(await readFile(DEMO, 'utf8')) as object)
  folder = await newFolder()
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block!)
  const program = blocks.filter((block) => !/Webhook\(?.*onDelivery|register/s.test(block)).join('\n')
  receivers = blocks.filter((block) => !program.includes(block))
  for (const name of LINKED) {
    await mkdir(join(folder, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'program.ts'), program.replace('http://127.0.0.1:3000', service.origin))
  const port = await freePort()
  await Promise.all(
    receivers.map((block, i) => writeFile(join(folder, `receiver-${i}.ts`), block.replace('8080', String(port)))),
  )
  await writeFile(join(folder, 'port'), String(port))
  const options = { compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true } }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  await run(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: folder }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout)
  })
}, SLOW.timeout)
afterAll(() => service.stop())

const delivery = () => signTestWebhook({ payload: { object: 'event', id: 'evt_1' }, secret: 'signing-secret' })

test('the examples of the README work against the service', async () => {
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder })
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^\w{4}-\w{4} ordered$/),
    expect.stringMatching(/^invalidFormat \/participant\/birthDate ./),
    '5 of 5',
    expect.stringMatching(/^\w{4}-\w{4} ordered$/),
    expect.stringMatching(/^ord_\w+ ordered$/),
    expect.stringMatching(/^order\.updated ord_\w+$/),
    '',
  ])
})

test('the fetch handler of the README takes a delivery', async () => {
  expect(receivers[0]).toContain('fetchWebhook')
  const { default: handler } = (await import(pathToFileURL(join(folder, 'receiver-0.js')).href)) as {
    default: { fetch(request: Request): Promise<Response> }
  }
  const request = new Request('https://example.com/hook', { method: 'POST', ...(await delivery()) })
  expect((await handler.fetch(request)).status).toBe(204)
})

test.each([
  ['Express', 1],
  ['Fastify', 2],
])('the %s receiver of the README takes a delivery', async (name, i) => {
  expect(receivers[i]).toContain(`from '${name.toLowerCase()}'`)
  const port = await readFile(join(folder, 'port'), 'utf8')
  const child = spawn(process.execPath, [`receiver-${i}.js`], { cwd: folder, stdio: 'ignore' })
  try {
    const send = async () => {
      const response = await fetch(`http://localhost:${port}/hook`, { method: 'POST', ...(await delivery()) })
      return response.status
    }
    await expect.poll(() => send().catch(() => undefined), PATIENT).toBe(204)
  } finally {
    child.kill('SIGKILL')
  }
})
