import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, ots, SLOW } from '../support/processes.ts'

const DEMO = fileURLToPath(new URL('../../catalog/demo.json', import.meta.url))

removeFoldersAfterAll()

describe('without a database', SLOW, () => {
  test.concurrent.each([
    ['token', 'list'],
    ['token', 'create', '--scopes', 'all'],
    ['token', 'revoke', 'hr'],
    ['catalog', 'apply', DEMO],
    ['catalog', 'diff', DEMO],
    ['catalog', 'export'],
    ['audit', 'verify'],
    ['keys', 'rotate'],
    ['retention', 'holds'],
    ['retention', 'export', '--order', 'ord_1'],
  ])('ots %s %s creates none: it says what to do, and leaves no files', async (...args) => {
    const folder = await newFolder()
    const { code, stdout, stderr } = await ots(args, { OTS_DATA_DIR: join(folder, 'data') })
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `No database in ${join(folder, 'data')} yet: start the service with "ots serve", or set DATABASE_URL.\n`,
    ])
    expect(await readdir(folder)).toEqual([])
  })

  test('ots doctor creates none, and reports that as a problem', async () => {
    const folder = await newFolder()
    const { code, stdout } = await ots(['doctor'], { OTS_DATA_DIR: join(folder, 'data') })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^problem +No database in .* yet: start the service/m)])
    expect(await readdir(folder)).toEqual([])
  })
})

test('ots migrate creates the embedded database, and other commands start it for themselves', SLOW, async () => {
  const env = { OTS_DATA_DIR: join(await newFolder(), 'data') }
  expect((await ots(['migrate'], env)).stdout).toMatch(/^applied 0001_baseline\.sql\n/)
  expect((await ots(['migrate'], env)).stdout).toBe('The schema is up to date.\n')
  const database = `Database: embedded, in ${join(env.OTS_DATA_DIR, 'postgres')}\n`
  for (const args of [
    ['--verbose', 'token', 'list'],
    ['token', 'list', '--verbose'],
  ])
    expect(await ots(args, env)).toEqual({ code: 0, stdout: 'No tokens found.\n', stderr: database })
  const failed = await ots(['token', 'revoke', 'hr', '--tenant', 'acme'], env)
  expect([failed.code, failed.stderr]).toEqual([1, `Tenant "acme" has no token "hr".\n${database}`])
})

describe('with DATABASE_URL', SLOW, () => {
  test.concurrent.each(['token list', 'catalog export', 'audit verify', 'keys rotate', 'migrate'])(
    'ots %s names the database without its password if it fails, and with --verbose',
    async (command) => {
      const folder = await newFolder()
      const port = await freePort()
      const env = { DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/ots`, OTS_DATA_DIR: join(folder, 'data') }
      const args = command.split(' ')
      for (const { code, stderr } of [await ots(args, env), await ots(['--verbose', ...args], env)]) {
        expect(code).toBe(1)
        expect(stderr).toMatch(/^Cannot reach the database: /m)
        expect(stderr.match(/^Database: .*$/gm)).toEqual([`Database: postgres://***@127.0.0.1:${port}/ots`])
      }
      expect(await readdir(folder)).toEqual([])
    },
  )
})

test('ots audit --verbose prints the address of the service that it calls', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { stderr } = await ots(['audit', '--verbose', '--token', 'x', '--url', url])
  expect(stderr).toMatch(new RegExp(`^Service: ${url}\nCannot reach the service at ${url}`))
})
