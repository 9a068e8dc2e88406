import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SELF_SIGNED } from '../webhooks/certificate.ts'
import { LAB, staffed } from '../support/operator.ts'
import { SECRET } from '../orders/given.ts'
import { freePort, ots, serving, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { untilWaiting } from '../support/locks.ts'
import { controlId, oru, readAck } from './given.ts'
import { framed, Sender } from './lines.ts'

let folder: string
let database: TestDatabase
let env: Record<string, string>
let port: number
const started: Serving[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-mllp-'))
  database = await freshDatabase()
  port = await freePort()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(staffed()))
  env = {
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_CATALOG: catalog,
    DATABASE_URL: urlOf(database.target),
    OTS_MLLP_PORT: String(port),
    OTS_MLLP_TOKEN: LAB,
  }
})
afterEach(async () => {
  for (const each of started.splice(0)) if (each.process.exitCode === null) await each.end('SIGTERM')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(role: string): Promise<Serving> {
  const service = await serving({ ...env, OTS_ROLE: role })
  started.push(service)
  return service
}

test.each(['all', 'api'])(
  'a process with the role %s listens for MLLP, and answers every message before it stops',
  async (role) => {
    const service = await run(role)
    const sender = await Sender.to(port)
    const ids = Array.from({ length: 30 }, () => controlId())
    sender.write(ids.map((id) => framed(oru({ id, code: 'ZZZZ-ZZZZ' }))).join(''))
    const first = await sender.answer()
    const ended = service.end('SIGTERM')
    const answered = [first]
    for (let ack = await sender.answer(); ack !== undefined; ack = await sender.answer()) answered.push(ack)
    expect(await ended).toBe(0)
    const kept = await database.pool<{ messageId: string }[]>`select message_id as "messageId" from result_reports`
    expect(answered.map((ack) => readAck(ack!).msa.slice(1, 3).join(' '))).toEqual(
      ids.slice(0, answered.length).map((id) => `AA ${id}`),
    )
    expect(kept).toHaveLength(answered.length)
    expect(service.stdout() + service.stderr()).not.toContain(LAB)
  },
)

test('MLLP uses the configured certificate, and requires client certificates if a CA is set', async () => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(cert, SELF_SIGNED.cert), writeFile(key, SELF_SIGNED.key)])
  env = { ...env, OTS_MLLP_TLS_CERT: cert, OTS_MLLP_TLS_KEY: key, OTS_MLLP_TLS_CA: cert }
  const { origin } = await run('api')
  const trusting = { ca: SELF_SIGNED.cert, servername: 'receiver.example' }
  const sender = await Sender.securelyTo(port, { ...trusting, ...SELF_SIGNED })
  const id = controlId()
  sender.write(framed(oru({ id, code: 'ZZZZ-ZZZZ' })))
  expect(readAck((await sender.answer())!).msa.slice(1, 3)).toEqual(['AA', id])
  const plain = await Sender.to(port)
  plain.write(framed(oru({ code: 'ZZZZ-ZZZZ' })))
  await plain.closed
  const stranger = await Sender.securelyTo(port, trusting).catch(() => undefined)
  await stranger?.closed
  const figures = async () => (await fetch(`${origin}/metrics`)).text()
  await expect.poll(figures).toContain('ots_mllp_connections_dropped_total{reason="tls"} 2')
  expect(await figures()).toMatch(/^ots_mllp_connections 1$/m)
  expect(await figures()).toContain('ots_hl7_messages_total{door="mllp",outcome="queued"} 1')
  sender.socket.destroy()
})

test('MLLP listens on loopback unless OTS_MLLP_HOST is set, wherever HTTP listens', async () => {
  const local = await ots(['config'], { ...env, HOST: '0.0.0.0' })
  expect(local.stdout).toContain('OTS_MLLP_HOST=127.0.0.1\n')
  env = { ...env, OTS_MLLP_HOST: '127.0.0.2' }
  await run('api')
  await expect(Sender.to(port)).rejects.toThrow('ECONNREFUSED')
})

test.each([
  ['a certificate without a key', { OTS_MLLP_TLS_CERT: 'cert.pem' }, 'Set both OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY'],
  ['an authority without a certificate', { OTS_MLLP_TLS_CA: 'ca.pem' }, 'OTS_MLLP_TLS_CA requires OTS_MLLP_TLS_CERT'],
  [
    'a file that is not there',
    { OTS_MLLP_TLS_CERT: '/nowhere/cert.pem', OTS_MLLP_TLS_KEY: '/nowhere/key.pem' },
    'OTS_MLLP_TLS_CERT: cannot read /nowhere/cert.pem',
  ],
  [
    'a file that holds no certificate',
    { OTS_MLLP_TLS_CERT: import.meta.filename, OTS_MLLP_TLS_KEY: import.meta.filename },
    'OTS_MLLP_TLS_CERT, OTS_MLLP_TLS_KEY: unusable certificate or key',
  ],
])('a start with %s is refused, naming the setting', async (_, settings, told) => {
  const { code, stderr } = await ots(['serve'], { ...env, PORT: String(await freePort()), ...settings })
  expect([code, stderr]).toEqual([1, expect.stringContaining(told)])
})

test('a stop waits for a large message that is processed in a thread', async () => {
  const service = await run('all')
  const sender = await Sender.to(port)
  const stop = await database.pool.transaction(async (db) => {
    await db`lock table result_reports in exclusive mode`
    sender.write(framed(`${oru({ code: 'ZZZZ-ZZZZ' })}NTE|1||${'x'.repeat(2_000_000)}\r`))
    await untilWaiting(database.pool)
    return { end: service.end('SIGTERM') }
  })
  const { msa } = readAck((await sender.answer())!)
  expect(msa.slice(1)).toEqual(['AA', expect.anything(), 'queued: noMatch'])
  expect(await stop.end).toBe(0)
})

test('a worker does not listen for MLLP', async () => {
  await run('worker')
  await expect(Sender.to(port)).rejects.toThrow('ECONNREFUSED')
})

test.each([
  ['that nobody has', 'no-such-secret', 'OTS_MLLP_TOKEN: unknown, revoked or expired token.'],
  ['that brings no results', SECRET, `OTS_MLLP_TOKEN: token "${SECRET}" needs one of the scopes`],
])('a start with a token %s is refused', async (_what, secret, told) => {
  const { code, stderr } = await ots(['serve'], {
    ...env,
    PORT: String(await freePort()),
    OTS_MLLP_TOKEN: secret,
  })
  expect(code).toBe(1)
  expect(stderr).toContain(told)
})

test('a start on a port in use is refused, naming the setting to change', async () => {
  const taken = createServer().listen(port, '127.0.0.1')
  await once(taken, 'listening')
  const { code, stderr } = await ots(['serve'], { ...env, PORT: String(await freePort()) })
  taken.close()
  expect([code, stderr]).toEqual([1, expect.stringContaining(`OTS_MLLP_PORT=${port + 1}`)])
})

test('the settings are shown without the token, and the port requires a token', async () => {
  const { stdout } = await ots(['config'], env)
  expect(stdout).toContain(`OTS_MLLP_PORT=${port}\nOTS_MLLP_TOKEN=(set)\n`)
  expect(stdout).not.toContain(LAB)
  const missing = await ots(['config'], { ...env, OTS_MLLP_TOKEN: '' })
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('OTS_MLLP_PORT requires OTS_MLLP_TOKEN')])
  const same = await ots(['config'], { ...env, PORT: String(port) })
  expect(same.stderr).toContain('OTS_MLLP_PORT and PORT must differ.')
})
