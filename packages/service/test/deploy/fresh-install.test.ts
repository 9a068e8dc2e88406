import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRESH_INSTALL, readGuides } from '../guides/blocks.ts'
import { Terminal } from '../guides/terminal.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, PATIENT, serving, SLOW } from '../support/processes.ts'
import { freshDatabase, urlOf } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const blocks = (await readGuides()).flatMap((guide) => guide.blocks)
const blockOf = (firstLine: string) => blocks.find(({ text }) => text.startsWith(firstLine))!.text

let folder: string
let terminal: Terminal
beforeAll(async () => {
  folder = await newFolder()
  // With the settings of the shell, since npm may need proxies and certificates.
  const env = { ...process.env, NODE_OPTIONS: undefined, NODE_ENV: undefined, TMPDIR: folder, REPOSITORY: ROOT }
  terminal = new Terminal({ cwd: folder, env })
})
afterAll(() => terminal.close())
removeFoldersAfterAll()

const LONG = { timeout: 3 * SLOW.timeout }

/** Tells the archives of this build from packages of the same name in a registry. */
const versionOf = async (path: string) =>
  (JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as { version: string }).version

test('a clone of the repository is installed and started as the guide install says', LONG, async () => {
  await terminal.run(blockOf(FRESH_INSTALL[0]!))
  const port = await freePort()
  const child = spawn('npm', ['start'], {
    cwd: join(folder, 'order-testing-service'),
    env: { ...process.env, DATABASE_URL: undefined, PORT: String(port), NODE_OPTIONS: undefined },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    detached: true,
  })
  let printed = ''
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  try {
    await expect.poll(() => printed, { ...PATIENT, timeout: LONG.timeout }).toContain('Press Ctrl-C to stop.')
    const [, line] = /^ *curl .*'(http\S+companies\S+)'$/m.exec(printed)!
    const answer = await fetch(line!, { headers: { authorization: 'Bearer demo-token-full-scope-0001' } })
    expect(await answer.json()).toMatchObject({ total: 11 })
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
  }
})

test('archives of the clone are installed and serve as the guide production says', LONG, async () => {
  const prefix = join(folder, 'opt/order-testing')
  for (const line of FRESH_INSTALL.slice(1)) await terminal.run(blockOf(line).replaceAll('/opt/order-testing', prefix))
  expect(await versionOf(join(prefix, 'node_modules/@order-testing/service'))).toBe(
    await versionOf(join(ROOT, 'packages/service')),
  )
  const database = await freshDatabase()
  const env = { DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: join(folder, 'data') }
  const service = await serving(env, undefined, join(prefix, 'node_modules/.bin/ots'))
  expect((await fetch(`${service.origin}/docs/`)).status).toBe(200)
  await service.end('SIGTERM')
  await database.drop()
})
