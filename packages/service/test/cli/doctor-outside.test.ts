import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { examineOutside } from '../../src/cli/run/outside-checks.ts'
import { readConfig } from '../../src/cli/run/settings.ts'
import type { Finding } from '../../src/domain/diagnosis.ts'
import { diagnoseDisk } from '../../src/domain/outside-diagnosis.ts'
import { mailServer } from '../notifications/mail-server.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await newFolder()
})
afterAll(() => service.stop())
removeFoldersAfterAll()

const open: { close(): unknown }[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((each) => each.close()))))

const PRODUCTION = {
  OTS_MODE: 'production',
  DATABASE_URL: 'postgres://db/ots',
  OTS_KEYS: 'one:a-secret-of-some-length',
}

/** The finding of one check, as level and text. */
async function found(check: string, env: Record<string, string> = {}): Promise<string> {
  const findings = await examineOutside(readConfig({ OTS_DATA_DIR: `${folder}/not/there/yet`, ...env }))
  const { level, detail, advice = '' } = findings.find((finding) => finding.check === check) as Finding
  return `${level}: ${detail} ${advice}`
}

describe('mail server', () => {
  test('a mail server that accepts the connection is fine', async () => {
    const server = await mailServer()
    open.push(server)
    expect(await found('mail', { OTS_SMTP_URL: server.url })).toMatch(/^ok: The mail server 127\.0\.0\.1:\d+ accepts/)
  })

  test('a refused login is a problem, and the password is not printed', async () => {
    const server = await mailServer({ locked: true })
    open.push(server)
    const url = server.url.replace('//', '//me:hidden@')
    const text = await found('mail', { OTS_SMTP_URL: url })
    expect(text).toMatch(
      /^problem: The mail server 127\.0\.0\.1:\d+ refuses the login: 535 .*Correct user and password/,
    )
    expect(text).not.toContain('hidden')
  })

  test('a mail server that cannot be reached is a problem', async () => {
    const text = await found('mail', { OTS_SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    expect(text).toMatch(
      /^problem: The mail server 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED.*Check host and port/,
    )
  })

  test('no mail server is a warning in production, and fine in a sandbox, which has a mailbox', async () => {
    expect(await found('mail', PRODUCTION)).toMatch(/^warning: No mail server is set.*Set OTS_SMTP_URL\.$/)
    expect(await found('mail')).toMatch(/^ok: /)
  })
})

describe('public address', () => {
  test('an address at which the service answers is fine', async () => {
    expect(await found('publicAddress', { OTS_PUBLIC_URL: service.origin })).toMatch(/^ok: .* answers as this service/)
  })

  test('an address that another service answers is a problem that names the other', async () => {
    const answers = ['{"name":"Parking Service"}', '<h1>It works!</h1>']
    const other = createServer((_, response) => response.end(answers.shift())).listen(0, '127.0.0.1')
    await once(other, 'listening')
    open.push(other)
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await found('publicAddress', { OTS_PUBLIC_URL: url })).toMatch(/^problem: .* answered by "Parking Service"/)
    expect(await found('publicAddress', { OTS_PUBLIC_URL: url })).toMatch(/^problem: .* answered by something else/)
  })

  test('an address that does not answer is a warning, because some networks do not reach their own', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await found('publicAddress', { OTS_PUBLIC_URL: url })).toMatch(
      /^warning: .* does not answer from here: .*ECONN/,
    )
    expect(await found('publicAddress', PRODUCTION)).toMatch(/^warning: OTS_PUBLIC_URL is not set/)
    expect(await found('publicAddress')).toMatch(/^ok: /)
  })
})

describe('disk', () => {
  test('the disk of the embedded database is measured, even before its folder exists', async () => {
    expect(await found('disk')).toMatch(/The disk of .*\/not\/there\/yet .*GB are free/)
    expect(await found('disk', PRODUCTION)).toMatch(/^ok: The database is not on a disk that this command can see/)
  })

  test.each([
    [100, 500, 'ok'],
    [4, 500, 'warning'],
    [0.5, 500, 'problem'],
    // A small disk counts by its part.
    [2, 10, 'ok'],
    [0.9, 10, 'warning'],
    [0.1, 10, 'problem'],
  ])('%s GB free of %s GB are reported as %s', (free, total, level) => {
    expect(diagnoseDisk({ path: '/data', freeBytes: free * 1e9, totalBytes: total * 1e9 }).level).toBe(level)
  })
})
