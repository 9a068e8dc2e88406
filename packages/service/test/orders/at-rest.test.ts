import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { body, cancelled, PERSON, post, SECRET, world } from './given.ts'
import { identifiers } from '../../src/store/db/sql.ts'

const HIDDEN = {
  ssn: '536-22-8841',
  license: 'L555-HIDDEN-0001',
  token: 'hidden-receiver-token',
  signing: 'hidden-signing-secret',
  header: 'hidden-header-value',
  apiKey: 'hidden-api-key',
  user: 'hidden-user-name',
  password: 'hidden-password',
  custom: 'hidden-custom-value',
}

const participant = {
  ...PERSON,
  identifiers: [
    { type: 'ssn', value: HIDDEN.ssn },
    { type: 'driverLicense', value: HIDDEN.license, issuingState: 'IL' },
  ],
}

const AUTHS = [
  { type: 'bearer', token: HIDDEN.token, secretKey: HIDDEN.signing },
  { type: 'apiKey', apiKey: HIDDEN.apiKey },
  { type: 'basic', username: HIDDEN.user, password: HIDDEN.password },
  { type: 'custom', custom: { 'X-Secret': HIDDEN.custom } },
]

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService({ logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) })
  await service.apply(world())
  for (const [i, auth] of AUTHS.entries()) {
    const callback = { url: `https://hooks.example.com/${i}`, auth, headers: { 'X-Header': HIDDEN.header } }
    const sent = body({
      participant,
      callback,
      orderMatching: { enabled: true },
      testReason: i < 2 ? 'random' : 'sweep',
    })
    for (const path of ['/api/v1/orders', '/api/v2/orders']) {
      const answer = await post(service, sent, { path, headers: { 'idempotency-key': `${path} ${i}` } })
      await cancelled(service, answer.body.id)
      // And requests that are refused, or fail, with the same in them.
      await post(service, { ...sent, participant: { ...participant, ssn: HIDDEN.ssn } }, { path })
    }
  }
  await service.call(SECRET, `/api/v2/orders?specimenId=${HIDDEN.ssn}`)
})
afterAll(() => service.stop())

/** All that a table holds, as text, and bytes as the text they may spell. */
async function dump(): Promise<Map<string, string>> {
  const tables = await service.pool<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const dumped = new Map<string, string>()
  for (const { name } of tables) {
    const rows = await service.pool<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) as row from ${identifiers(name)} t`
    const texts = rows.map(({ row }) =>
      Object.values(row)
        .map((value) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('latin1') : text
        })
        .join(' '),
    )
    dumped.set(name, texts.join('\n'))
  }
  return dumped
}

const spellings = (secret: string) => [
  secret,
  secret.replaceAll('-', ''),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

describe('identifiers and the secrets of callbacks', () => {
  test('are in no table in a form that can be read', async () => {
    const tables = await dump()
    for (const name of ['orders', 'callbacks', 'events', 'deliveries', 'idempotency_keys'])
      expect({ name, isEmpty: tables.get(name) === '' }).toEqual({ name, isEmpty: false })
    // The search finds what is kept in plain.
    expect(tables.get('orders')).toContain('Lopez')
    expect(tables.get('callbacks')).toContain('https://hooks.example.com/0')
    const found = [...tables].flatMap(([name, text]) =>
      Object.entries(HIDDEN).flatMap(([what, secret]) =>
        spellings(secret).some((spelling) => text.toLowerCase().includes(spelling.toLowerCase()))
          ? [`${what} in ${name}`]
          : [],
      ),
    )
    expect(found).toEqual([])
  })

  test('are in no line of the log, at the most talkative level', async () => {
    // A failure whose statement held them all.
    await service.pool`alter table orders add constraint never check (code = '') not valid`
    expect((await post(service, body({ participant }))).status).toBe(500)
    await service.pool`alter table orders drop constraint never`
    const log = lines.join('')
    expect(log).toContain('request failed')
    const words = [...Object.values(HIDDEN), 'Lopez', 'maria@example.com', '555-0142', '1990-03-07', 'hooks.example']
    expect(words.filter((word) => log.includes(word))).toEqual([])
  })

  test('are there for those who may read them', async () => {
    const { body: page } = await service.call(SECRET, '/api/v2/orders')
    for (const order of page.data) expect(order.participant.identifiers[0].value).toBe(HIDDEN.ssn)
  })
})
