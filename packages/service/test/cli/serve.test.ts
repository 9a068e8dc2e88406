import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRunning } from '@order-testing/embedded-postgres'
import type { Target } from '../../src/store/db/address.ts'
import { connect } from '../../src/store/db/pool.ts'
import { newFolder } from '../support/folders.ts'
import { freePort, ots, otsProcess, PATIENT, serving, SLOW } from '../support/processes.ts'
import { freshDatabase, urlOf } from '../support/service.ts'

const KEYS = 'k1:c2l4dGVlbi1ieXRlcy1hdC1sZWFzdC1oZXJl'

let folder: string
let env: Record<string, string>
beforeEach(async () => {
  folder = await newFolder()
  env = { OTS_DATA_DIR: join(folder, 'data') }
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('ots serve', SLOW, () => {
  test('ots serve prints curl commands that work, and stops cleanly after SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const service = await serving(env, 'Press Ctrl-C')
      const lines = [...service.stdout().matchAll(/^ *(curl .*)$/gm)].map(([, line]) => line!)
      const answers = await Promise.all(lines.map(async (line) => JSON.parse(await paste(line)) as unknown))
      expect(answers).toMatchObject([
        { limit: 2, page: 1, total: 11 },
        { limit: 20, page: 1, total: 15 },
      ])
      const database = (await findRunning(env['OTS_DATA_DIR']!))!
      expect(await service.end(signal)).toBe(0)
      expect(await isAnswering(database)).toBe(false)
      await expect(fetch(service.origin)).rejects.toThrow('fetch failed')
    }
  })

  test('ots serve prints the address of the console, where one click signs in the demo operator', async () => {
    const service = await serving(env, 'Press Ctrl-C')
    const [, origin] = /^  Console +(http:\/\/localhost:\d+)\/console$/m.exec(service.stdout()) ?? []
    expect(origin).toBe(service.origin.replace('127.0.0.1', 'localhost'))
    const headers = { 'x-console': '1' }
    const options = await fetch(`${origin}/api/console/v1/signIn`)
    expect(await options.json()).toMatchObject({ mode: 'sandbox', hasPasskeys: true, hasDemo: true, oidc: null })
    const answer = await fetch(`${origin}/api/console/v1/session/demo`, { method: 'POST', headers })
    expect(await answer.json()).toMatchObject({ user: { name: 'Demo operator' }, tenant: { id: 'demo' } })
    const [cookie] = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0]!)
    const orders = await fetch(`${origin}/api/operator/v1/orders`, { headers: { ...headers, cookie: cookie! } })
    expect(orders.status).toBe(200)
    await service.end('SIGTERM')
  })

  test('a killed ots serve leaves no database server behind, and the next start finds all data', async () => {
    const service = await serving(env)
    const { stdout: secret } = await ots(['token', 'create', '--scopes', 'all'], env)
    const database = (await findRunning(env['OTS_DATA_DIR']!))!
    await service.end('SIGKILL')
    await expect.poll(() => isAnswering(database), PATIENT).toBe(false)
    const again = await serving(env)
    const headers = { authorization: `Bearer ${secret.trim()}` }
    const answer = await fetch(`${again.origin}/api/v2/services`, { headers })
    expect(answer.status).toBe(200)
    await again.end('SIGTERM')
  })

  test('ots serve reports a port in use, and what to do', async () => {
    const port = await freePort()
    const taken = createServer().listen(port, '127.0.0.1')
    const { code, stderr } = await ots(['serve'], { ...env, PORT: String(port) })
    taken.close()
    expect(code).toBe(1)
    expect(stderr).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port: PORT=${port + 1} npm start\n`,
    )
  })

  test('ots serve reports a data folder in use, with the process that uses it', async () => {
    const service = await serving(env)
    const { code, stderr } = await otsProcess(['serve'], { ...env, PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(stderr).toContain(env['OTS_DATA_DIR'])
    expect(stderr).toContain(String(service.process.pid))
    expect(stderr).not.toContain('    at ')
    await service.end('SIGTERM')
  })

  test('ots serve uses the database of DATABASE_URL without further settings', async () => {
    const database = await freshDatabase()
    await database.pool`drop schema public cascade`
    await database.pool`create schema public`
    const service = await serving({ ...env, DATABASE_URL: urlOf(database.target) })
    const headers = { authorization: 'Bearer demo-token-full-scope-0001' }
    const answer = await fetch(`${service.origin}/api/v2/clinics`, { headers })
    expect(answer.status).toBe(200)
    expect(await service.end('SIGTERM')).toBe(0)
    await expect(readFile(join(folder, 'data', 'postgres.log'))).rejects.toThrow('ENOENT')
    await database.drop()
  })

  test('ots serve ends with the npm that started it', async () => {
    const script = `node ${JSON.stringify(join(import.meta.dirname, '../../bin/ots.js'))} serve & echo $!; read _`
    const port = String(await freePort())
    const shell = execFile('sh', ['-c', script], {
      env: { ...process.env, ...env, DATABASE_URL: '', PORT: port, npm_lifecycle_event: 'start' },
    })
    const pid = Number(await new Promise<string>((resolve) => shell.stdout?.once('data', resolve)))
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true
    await expect.poll(isReady, PATIENT).toBe(true)
    shell.kill('SIGKILL')
    await expect.poll(() => isRunning(pid), PATIENT).toBe(false)
  })

  test('ots serve in production requires a database and keys', async () => {
    const { code, stderr } = await ots(['serve'], { OTS_MODE: 'production' })
    expect([code, stderr]).toEqual([1, 'OTS_MODE=production requires DATABASE_URL and OTS_KEYS.\n'])
  })

  test('ots serve in production logs JSON lines and prints no token', async () => {
    const database = await freshDatabase()
    const service = await serving({ OTS_MODE: 'production', DATABASE_URL: urlOf(database.target), OTS_KEYS: KEYS })
    await service.end('SIGTERM')
    const lines = service
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string })
    expect(lines.map(({ msg }) => msg)).toContain('Listening')
    expect(service.stdout()).not.toContain(KEYS)
    expect(service.stdout()).not.toContain('demo')
    await database.drop()
  })

  test('ots serve in production refuses a database that accepts secrets of the demo catalog', async () => {
    const database = await freshDatabase()
    const url = { DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: env['OTS_DATA_DIR'] }
    const production = { ...url, OTS_MODE: 'production', OTS_KEYS: KEYS }
    await ots(['catalog', 'apply', join(import.meta.dirname, '../../catalog/demo.json')], url)
    const { code, stderr } = await ots(['serve'], { ...production, PORT: String(await freePort()) })
    expect(code).toBe(1)
    const commands = [...stderr.matchAll(/^ {2}ots (.*)$/gm)].map(([, words]) => words)
    expect(commands).toEqual(
      ['demo', 'demo-read-only', 'demo-operator'].map((id) => `token revoke ${id} --tenant demo`),
    )
    for (const words of commands) expect((await ots(words!.split(' '), production)).code).toBe(0)
    const service = await serving(production)
    expect(await service.end('SIGTERM')).toBe(0)
    await database.drop()
  })

  test('ots serve reports all invalid settings at once', async () => {
    const settings = { PORT: 'many', OTS_MODE: 'staging', OTS_CALLBACK_ALLOW: '10.0.0.0/99' }
    const { code, stderr } = await ots(['serve'], settings)
    expect(code).toBe(1)
    expect(stderr.split('\n').map((line) => line.split(':')[0])).toEqual(['PORT', 'OTS_MODE', 'OTS_CALLBACK_ALLOW', ''])
  })

  test('ots serve refuses an unreadable file of OTS_CATALOG, and names it', async () => {
    const settings = { ...env, OTS_CATALOG: join(folder, 'none.json'), PORT: String(await freePort()) }
    const { code, stderr } = await ots(['serve'], settings)
    expect(code).toBe(1)
    expect(stderr).toContain('none.json: Cannot be read')
  })

  test('ots serve reports an unreachable database in two lines', async () => {
    const settings = { DATABASE_URL: 'postgres://127.0.0.1:9/none', PORT: String(await freePort()) }
    const { code, stderr } = await ots(['serve'], settings)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot reach the database: .*\nDatabase: postgres:\/\/127\.0\.0\.1:9\/none\n$/)
  })
})

async function isAnswering(database: Target): Promise<boolean> {
  const pool = connect(database, { max: 1 })
  const answer = await pool`select 1`.catch(() => undefined)
  await pool.end()
  return answer !== undefined
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Runs the line in a shell; on a machine without curl, sends the same request. */
async function paste(line: string): Promise<string> {
  const run = promisify(execFile)
  const hasCurl = await run('sh', ['-c', 'command -v curl']).then(
    () => true,
    () => false,
  )
  if (hasCurl) return (await run('sh', ['-c', line])).stdout
  const [, authorization, url] = /^curl -H 'Authorization: ([^']+)' '([^']+)'$/.exec(line) ?? []
  return (await fetch(url!, { headers: { authorization: authorization! } })).text()
}
