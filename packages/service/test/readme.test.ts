import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from './support/folders.ts'
import { freePort, serving, SLOW } from './support/processes.ts'
import { freshDatabase, startService, urlOf, type TestService } from './support/service.ts'
import { until } from './webhooks/working.ts'

const README = new URL('../../../README.md', import.meta.url)
const DEMO = new URL('../catalog/demo.json', import.meta.url)

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(JSON.parse(await readFile(DEMO, 'utf8')) as object)
})
afterAll(() => service.stop())

test('the request in the README gets the response shown below it', async () => {
  const text = await readFile(README, 'utf8')
  const [, secret, path, answer] = /Bearer (\S+)' '\S+:3000(\S+)'\n```\n\n```json\n([^`]+)```/.exec(text) ?? []
  const { status, body } = await service.call(secret!, path!)
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(answer!))
})

removeFoldersAfterAll()

test('the first order of the README becomes negative, and its events verify', SLOW, async () => {
  const text = await readFile(README, 'utf8')
  const [, section = ''] = /## A first order([^]*?)\n## /.exec(text) ?? []
  const [, receiver = ''] = /```js\n([^]*?)```/.exec(section) ?? []
  const [, lines = ''] = /```sh\n([^]*?)```/.exec(section) ?? []
  const database = await freshDatabase()
  const sandbox = await serving({ DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: await newFolder() })
  const port = String(await freePort())
  const withPorts = (code: string) => code.replaceAll('http://127.0.0.1:3000', sandbox.origin).replaceAll('4000', port)
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const receiving = spawn(process.execPath, ['--input-type=module', '-e', withPorts(receiver)], { cwd })
  let received = ''
  receiving.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()))
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', withPorts(lines)], { cwd })
    expect(stdout).toBe('negative\n')
    await until(() => /^verified order\.updated \S{9}$/m.test(received))
  } finally {
    receiving.kill()
    await sandbox.end('SIGTERM')
    await database.drop()
  }
})
