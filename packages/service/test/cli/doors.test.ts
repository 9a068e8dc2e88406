import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigRefusal, isPublic, printable, readConfig, refusePublicSandbox } from '../../src/cli/run/settings.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, ots, otsProcess, PATIENT, serving, SLOW } from '../support/processes.ts'
import { catalogFile, freshDatabase, token, urlOf, type TestDatabase } from '../support/service.ts'

const DEMO = fileURLToPath(new URL('../../catalog/demo.json', import.meta.url))
const KEYS = 'k1:c2l4dGVlbi1ieXRlcy1hdC1sZWFzdC1oZXJl'

let folder: string
let database: TestDatabase
let production: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  database = await freshDatabase()
  production = {
    OTS_MODE: 'production',
    OTS_KEYS: KEYS,
    DATABASE_URL: urlOf(database.target),
    OTS_DATA_DIR: join(folder, 'data'),
  }
})
removeFoldersAfterAll()
afterAll(() => database.drop())

describe('a sandbox', () => {
  const start = (env: Record<string, string>) => refusePublicSandbox(readConfig(env))

  test.each(['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'localhost', 'LOCALHOST', 'ots.localhost', '::ffff:127.0.0.1'])(
    'a sandbox starts on HOST=%s',
    (HOST) => {
      expect(() => start({ HOST })).not.toThrow()
    },
  )

  test.each(['0.0.0.0', '::', '192.168.1.20', '10.0.0.7', 'fe80::1', 'sandbox.example.com', 'localhost.example.com'])(
    'a sandbox does not start on HOST=%s without OTS_SANDBOX_PUBLIC=yes',
    (HOST) => {
      expect(() => start({ HOST })).toThrow(ConfigRefusal)
      expect(() => start({ HOST, OTS_SANDBOX_PUBLIC: 'no' })).toThrow(/OTS_SANDBOX_PUBLIC=yes/)
      expect(() => start({ HOST, OTS_SANDBOX_PUBLIC: 'yes' })).not.toThrow()
      expect(() => start({ ...production, HOST })).not.toThrow()
    },
  )

  test('a sandbox does not start on a public OTS_MLLP_HOST without OTS_SANDBOX_PUBLIC=yes', () => {
    const line = { OTS_MLLP_PORT: '2575', OTS_MLLP_TOKEN: 'a-secret' }
    expect(() => start({ ...line, OTS_MLLP_HOST: '127.0.0.2' })).not.toThrow()
    expect(() => start({ ...line, OTS_MLLP_HOST: '0.0.0.0' })).toThrow(
      /^OTS_MLLP_HOST=0\.0\.0\.0 would open this sandbox/,
    )
    expect(() => start({ ...line, HOST: '::', OTS_MLLP_HOST: '::' })).toThrow(
      /^HOST=:: and OTS_MLLP_HOST=:: would open /,
    )
    expect(() => start({ ...line, OTS_MLLP_HOST: '0.0.0.0', OTS_SANDBOX_PUBLIC: 'yes' })).not.toThrow()
    expect(() => start({ OTS_MLLP_HOST: '0.0.0.0' })).not.toThrow()
  })

  test.each([
    [{}, false],
    [{ OTS_PUBLIC_URL: 'http://localhost:8080/' }, false],
    [{ OTS_PUBLIC_URL: 'http://[::1]:8080' }, false],
    [{ OTS_PUBLIC_URL: 'https://sandbox.example.com' }, true],
    [{ OTS_SANDBOX_PUBLIC: 'yes' }, true],
  ])('a sandbox with the settings %j is public: %j', (env, expected) => {
    expect(isPublic(readConfig(env))).toBe(expected)
  })

  test('a public sandbox says why it does not start, and which setting allows it', async () => {
    const env = { HOST: '0.0.0.0', OTS_DATA_DIR: join(folder, 'sandbox'), PORT: String(await freePort()) }
    const { code, stdout, stderr } = await otsProcess(['serve'], env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^HOST=0\.0\.0\.0 would open this sandbox[^.]*: set OTS_SANDBOX_PUBLIC=yes [^.]*\.\n$/)
  })

  test(
    'a public sandbox requires the operator token for its mailbox, also behind a proxy',
    async () => {
      const own = await freshDatabase()
      const data = { OTS_DATA_DIR: join(folder, 'public'), DATABASE_URL: urlOf(own.target) }
      const service = await serving({ HOST: '0.0.0.0', OTS_SANDBOX_PUBLIC: 'yes', ...data })
      const ask = (headers: Record<string, string>) => fetch(`${service.origin}/sandbox/mailbox`, { headers })
      try {
        expect((await ask({})).status).toBe(401)
        expect((await ask({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401)
        const operator = () => /Operator token:\n\n +(\S+)\n/.exec(service.stdout())?.[1]
        await expect.poll(operator, PATIENT).toBeDefined()
        const authorization = `Bearer ${operator()}`
        expect((await ask({ 'x-forwarded-for': '203.0.113.9', authorization })).status).toBe(200)
      } finally {
        await service.end('SIGTERM')
        await own.drop()
      }
    },
    SLOW.timeout,
  )

  test('OTS_SANDBOX_PUBLIC is yes or no', () => {
    expect(() => readConfig({ OTS_SANDBOX_PUBLIC: 'true' })).toThrow(/^OTS_SANDBOX_PUBLIC: /)
  })
})

describe('secrets of the demo catalog in production', () => {
  test('ots catalog apply and diff refuse secrets of the demo catalog in production, each with its pointer', async () => {
    const { tokens } = JSON.parse(await readFile(DEMO, 'utf8')) as { tokens: object[] }
    for (const command of ['apply', 'diff']) {
      const { code, stderr } = await ots(['catalog', command, DEMO], production)
      expect(code).toBe(1)
      const lines = stderr.split('\n').filter((line) => line.includes('#/tokens/'))
      expect(lines).toHaveLength(tokens.length)
      for (const [i, line] of lines.entries()) {
        expect(line.startsWith(`${DEMO}#/tokens/${i}/secret: `)).toBe(true)
        expect(line).toContain('"ots token issue"')
      }
    }
    expect(await database.pool`select from tenants`).toHaveLength(0)
  })

  test('ots serve refuses secrets of the demo catalog of OTS_CATALOG in production', async () => {
    const env = { ...production, OTS_CATALOG: DEMO, PORT: String(await freePort()) }
    const { code, stderr } = await otsProcess(['serve'], env)
    expect(code).toBe(1)
    expect(stderr).toContain(`${DEMO}#/tokens/0/secret: `)
    expect(await database.pool`select from tenants`).toHaveLength(0)
  })

  test(
    'secrets that a sandbox command put into a production database open nothing',
    async () => {
      const { DATABASE_URL, OTS_DATA_DIR, OTS_KEYS } = production
      const service = await serving(production)
      try {
        expect((await ots(['catalog', 'apply', DEMO], { DATABASE_URL, OTS_DATA_DIR, OTS_KEYS })).code).toBe(0)
        const created = await ots(['token', 'create', '--tenant', 'demo', '--scopes', 'all'], production)
        const status = async (secret: string) =>
          (await fetch(`${service.origin}/api/v2/companies`, { headers: { authorization: `Bearer ${secret}` } })).status
        expect(await status(created.stdout.trim())).toBe(200)
        expect(await status('demo-token-full-scope-0001')).toBe(401)
      } finally {
        await service.end('SIGTERM')
        await database.pool.script('truncate tenants, tokens cascade')
      }
    },
    SLOW.timeout,
  )
})

test(
  'production starts with a catalog whose tokens have no secrets, and ots token issue generates one',
  async () => {
    const { secret: _, ...hr } = token('unused-secret-of-the-test', { id: 'hr' }) as { secret: string }
    const file = join(folder, 'acme.json')
    await writeFile(file, JSON.stringify(catalogFile('acme', { tokens: [hr] })))
    const service = await serving({ ...production, OTS_CATALOG: file })
    try {
      const issued = await ots(['token', 'issue', 'hr', '--tenant', 'acme'], production)
      expect(issued.code).toBe(0)
      const headers = { authorization: `Bearer ${issued.stdout.trim()}` }
      expect((await fetch(`${service.origin}/api/v2/companies`, { headers })).status).toBe(200)
    } finally {
      await service.end('SIGTERM')
    }
  },
  SLOW.timeout,
)

describe('OTS_MAIL_QUOTA', () => {
  test('OTS_MAIL_QUOTA is 1000 by default, and printed with the settings', () => {
    expect(printable(readConfig({}))).toMatchObject({ OTS_MAIL_QUOTA: 1000, OTS_SANDBOX_PUBLIC: 'no' })
    expect(readConfig({ OTS_MAIL_QUOTA: '0' }).mailQuota).toBe(0)
  })

  test.each(['-1', '1.5', 'many', '9999999999'])('OTS_MAIL_QUOTA cannot be %s', (OTS_MAIL_QUOTA) => {
    expect(() => readConfig({ OTS_MAIL_QUOTA })).toThrow(/^OTS_MAIL_QUOTA: /)
  })
})
