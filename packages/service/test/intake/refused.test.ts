import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RefusedMessage } from '@order-testing/contract/operator'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { refusalOf } from '../http/answers.ts'
import { created, TENANT } from '../orders/given.ts'
import { DISCREET_OPERATOR, LAB, operate, staffed } from '../support/operator.ts'
import { startService, TEST_KEY, token, type TestService } from '../support/service.ts'
import { controlId, header, NEGATIVE, oru, PID, post, spm } from './given.ts'

const BOUND = 'intake-secret-of-one-laboratory'

let service: TestService
let lines: string[]
const registry = new Registry()
beforeAll(async () => {
  lines = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  service = await startService({ logger, registry })
  const bound = {
    ...token(BOUND, { id: 'bound', scopes: ['intake.lab'], companies: [] }),
    senders: [{ id: 'HEARTLAND', role: 'lab' }],
  }
  const short = token('intake-secret-to-be-revoked', { id: 'short', scopes: ['intake.lab'], companies: [] })
  await service.apply(staffed({ tokens: [bound, short] }))
})
afterAll(() => service.stop())
beforeEach(() => {
  lines.length = 0
})

const listed = async (query = ''): Promise<RefusedMessage[]> =>
  (await operate(service, 'GET', `/refusedMessages${query}`)).body.data
const adt = (id: string) => `${header(id, 'ADT^A01')}\r${PID}`

async function counted(door: string): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('ots_hl7_messages_total')!.get()
  const ofDoor = values.filter(({ labels }) => labels['door'] === door)
  return Object.fromEntries(ofDoor.map(({ labels, value }) => [labels['outcome'] as string, value]))
}

describe('a refused HL7 message', () => {
  test('a refused message is listed with its sender, address, origin and reason', async () => {
    const id = controlId()
    await post(service, adt(id), { secret: LAB })
    const [row] = await listed()
    expect(row).toMatchObject({
      object: 'refusedMessage',
      door: 'http',
      code: 'AR',
      reason: 'MSH-9: only ORU^R01 is accepted.',
      sender: 'HEARTLAND',
      controlId: id,
      tokenId: 'lab',
      address: '127.0.0.1',
      size: adt(id).length,
      count: 1,
    })
    await service.app.answerHl7(Buffer.from(adt(`${id}-2`)), LAB, '198.51.100.7')
    expect(await listed('?door=mllp&limit=1')).toMatchObject([{ controlId: `${id}-2`, address: '198.51.100.7' }])
    expect((await listed('?door=http')).map(({ controlId: each }) => each)).not.toContain(`${id}-2`)
  })

  test('a refused message is logged without personal data', async () => {
    const id = controlId()
    await post(service, adt(id), { secret: LAB })
    const line = lines.find((each) => each.includes(id))!
    expect(JSON.parse(line)).toMatchObject({ msg: 'Refused HL7 message', door: 'http', code: 'AR', token: 'lab' })
    expect(lines.join('')).not.toContain('Lopez')
  })

  test('a refused message that is sent again is counted, not stored again', async () => {
    const id = controlId()
    for (let i = 0; i < 3; i++) await post(service, adt(id), { secret: LAB })
    const rows = (await listed()).filter((row) => row.controlId === id)
    expect(rows).toMatchObject([{ count: 3 }])
  })

  test('a message with a revoked token is listed for operators', async () => {
    await operate(service, 'DELETE', '/tokens/short')
    const id = controlId()
    await service.app.answerHl7(Buffer.from(oru({ id })), 'intake-secret-to-be-revoked', '198.51.100.8')
    expect(await listed('?door=mllp&limit=1')).toMatchObject([
      { tokenId: 'short', controlId: id, reason: 'This connection is no longer authorized.' },
    ])
  })

  test('bytes that are not a message are listed as they came', async () => {
    const told = { reason: 'A message must begin with <VT>.', address: '198.51.100.9' }
    service.app.refuseHl7(Buffer.from('GET / HTTP/1.1\r\n'), LAB, told)
    await expect
      .poll(async () => (await listed('?door=mllp&limit=1'))[0]?.reason)
      .toBe('A message must begin with <VT>.')
    const [row] = await listed('?door=mllp&limit=1')
    expect(row).toMatchObject({ sender: '', controlId: '', address: '198.51.100.9', size: 16 })
  })

  test('the text of a refused message is masked, and shown in full when asked for, with an audit entry for each', async () => {
    const id = controlId()
    await post(service, `${adt(id)}\rOBX|1|CWE|OVERALL||Positive`, { secret: LAB })
    const [row] = await listed('?limit=1')
    const path = `/refusedMessages/${row!.id}`
    const { text, ...rest } = (await operate(service, 'GET', path)).body
    expect(rest).toEqual(row)
    expect(text).toContain(`${header(id, 'ADT^A01')}\rPID|`)
    expect(text).not.toMatch(/Lopez|Positive/)
    const { text: full } = (await operate(service, 'GET', `${path}?participants=full`)).body
    expect(full).toBe(`${adt(id)}\rOBX|1|CWE|OVERALL||••••`)
    for (const query of ['', '?participants=full'])
      expect((await operate(service, 'GET', path + query, undefined, DISCREET_OPERATOR)).body).toEqual(row)
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${row!.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'refusedMessage.reveal',
      'refusedMessage.read',
    ])
    expect(refusalOf(await operate(service, 'GET', '/refusedMessages/rfm_none'))).toBe('404 notFound')
  })

  test('a refused message is sealed at rest and stored up to 64 KiB', async () => {
    const id = controlId()
    const long = `${adt(id)}\rNTE|1||${'x'.repeat(100_000)}`
    await post(service, long, { secret: LAB })
    const [row] = await listed('?limit=1')
    expect(row!.size).toBe(long.length)
    const [stored] = await service.pool<{ content: Buffer }[]>`
      select content from refused_reports where id = ${row!.id}`
    expect(stored!.content.includes('Lopez')).toBe(false)
    const { bytes } = (await service.store.refusedMessages.read(TENANT, row!.id))!
    expect(bytes.toString()).toBe(long.slice(0, 64 * 1024))
  })

  test('key rotation seals refused messages again', async () => {
    const id = controlId()
    await post(service, adt(id), { secret: LAB })
    const [row] = await listed('?limit=1')
    const fresh = { id: 'fresh', secret: 'the key that comes after it' }
    await rotateKeys(createStore(service.pool, new Keyring([fresh, TEST_KEY])))
    const { refusedMessages } = createStore(service.pool, new Keyring([fresh]))
    expect((await refusedMessages.read(TENANT, row!.id))!.bytes.toString()).toBe(adt(id))
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, fresh])))
  })

  test('a refused message is deleted a month after it was last seen', async () => {
    const id = controlId()
    await post(service, adt(id), { secret: LAB })
    await service.pool`update refused_reports set last_at = now() - interval '31 days' where control_id = ${id}`
    expect(await service.store.refusedMessages.forgetOld()).toBe(false)
    expect((await listed()).map(({ controlId: each }) => each)).not.toContain(id)
  })
})

describe('HL7 messages', () => {
  test('HL7 messages are counted by origin and outcome', async () => {
    const before = await counted('http')
    const order = await created(service)
    await post(service, oru({ code: order.code, lines: [NEGATIVE, spm()] }), { secret: LAB })
    await post(service, oru({ code: 'ZZZZ-ZZZZ' }), { secret: LAB })
    await post(service, oru({ code: 'ZZZZ-ZZZZ', status: 'Q' }), { secret: LAB })
    await post(service, 'no message', { secret: LAB })
    const after = await counted('http')
    const growth = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]!]))
    expect(growth).toEqual({ applied: 1, queued: 1, kept: 1, refused: 1, failed: 0 })
  })

  test('a flood of refused messages is counted in full, and listed up to a limit per minute', async () => {
    const before = await counted('mllp')
    const [rows] = await service.pool<{ n: number }[]>`select count(*)::int as n from refused_reports`
    await Promise.all(
      Array.from({ length: 300 }, (_, i) => service.app.answerHl7(Buffer.from(`flood ${i}`), LAB, '198.51.100.10')),
    )
    expect((await counted('mllp'))['refused']! - before['refused']!).toBe(300)
    const [now] = await service.pool<{ n: number }[]>`select count(*)::int as n from refused_reports`
    // The flood may cross from one minute into the next.
    expect(now!.n - rows!.n).toBeLessThanOrEqual(240)
  })

  test('a flood of refused messages with one token does not keep those of another from the list', async () => {
    const flood = Array.from({ length: 130 }, (_, i) => service.app.answerHl7(Buffer.from(`more ${i}`), LAB))
    await Promise.all(flood)
    const id = controlId()
    await post(service, adt(id), { secret: BOUND })
    expect(await listed('?limit=1')).toMatchObject([{ controlId: id, tokenId: 'bound' }])
  })

  test('a flood of messages with an unknown token causes no more lookups than the limit per minute', async () => {
    let lookups = 0
    service.hear(({ text }) => (lookups += text.includes('from tokens where secret_hash') ? 1 : 0))
    const told = { reason: 'A message must begin with <VT>.', address: '198.51.100.9' }
    for (let i = 0; i < 200; i++) service.app.refuseHl7(Buffer.from(`GET /${i}`), 'a secret that nobody has', told)
    await service.pool`select 1`
    service.hear(undefined)
    expect(lookups).toBe(120)
  })
})
