import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffed, LAB, OPERATOR } from '../support/operator.ts'
import { body as orderBody, SECRET } from '../orders/given.ts'
import { problemsOf, refusalOf } from './answers.ts'
import { cheaply as cheaplyAt, leftOut, send, startHostile, type HostileService, type Sent } from './hostile.ts'

const [KIB, MIB] = [1024, 1024 ** 2]

let service: HostileService
beforeAll(async () => {
  service = await startHostile(staffed())
}, 120_000)
afterAll(() => service.stop())

const cheaply = (what: string, sent: Sent) => cheaplyAt(service, what, sent)

const list = (item: string, count: number) => `[${Array.from({ length: count }, () => item).join(',')}]`
const members = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, i) => `"k${i.toString(36)}":${value}`).join(',')}}`

/** A body in JSON with a text in place of one of its members. */
const withText = (whole: object, member: string, text: string) =>
  JSON.stringify({ ...whole, [member]: '@' }).replace('"@"', () => text)

const order = (member: string, text: string): Sent => ({
  path: '/api/v2/orders',
  secret: SECRET,
  body: withText(orderBody(), member, text),
})
const participant = (identifiers: string) => `{"firstName":"A","lastName":"B","identifiers":${identifiers}}`
const callback = (text: string) => order('callback', `{"url":"https://hooks.example.com/",${text}}`)

describe('an order with an excessive number of items', { timeout: 120_000 }, () => {
  const MANY = 86_000

  test('87,000 identifiers are refused without reading them', async () => {
    const sent = order('participant', participant(list('{}', MANY)))
    expect(refusalOf(await cheaply('87,000 identifiers', sent))).toBe('400 tooBig /participant/identifiers')
    const keyed = { ...sent, headers: { 'idempotency-key': 'hostile' } }
    expect(refusalOf(await cheaply('87,000 identifiers with a key', keyed))).toBe('400 tooBig /participant/identifiers')
    const v1 = await cheaply('87,000 identifiers in v1', { ...sent, path: '/api/v1/orders' })
    expect(refusalOf(v1)).toBe('400 arrayMaxSize /participant/identifiers')
  })

  test('80,000 copies and 86,000 delivery methods are too big', async () => {
    const mail = order('deliveryMethods', `[{"type":"email","to":"a@b.example","cc":${list('""', 80_000)}}]`)
    expect(refusalOf(await cheaply('80,000 copies', mail))).toBe('400 tooBig /deliveryMethods/0/cc')
    const methods = order('deliveryMethods', list('{}', MANY))
    expect(refusalOf(await cheaply('86,000 delivery methods', methods))).toBe('400 tooBig /deliveryMethods')
  })

  test.each(['""', '0'])('24,000 callback headers and custom members of %s are too big', async (value) => {
    const headers = callback(`"headers":${members(24_000, value)}`)
    expect(refusalOf(await cheaply(`24,000 callback headers of ${value}`, headers))).toBe(
      '400 tooBig /callback/headers',
    )
    const custom = callback(`"auth":{"type":"custom","custom":${members(24_000, value)}}`)
    expect(refusalOf(await cheaply(`24,000 custom members of ${value}`, custom))).toBe(
      '400 tooBig /callback/auth/custom',
    )
  })

  test('of 25,000 unknown members a hundred are reported', async () => {
    const answer = await cheaply('25,000 unknown members', {
      path: '/api/v2/orders',
      secret: SECRET,
      body: members(25_000, '0'),
    })
    expect(leftOut(answer)).toEqual({
      entries: 100,
      // Beside them, seven members are missing, and location and package are not named.
      last: {
        code: 'badRequest',
        detail: '24908 more problems are not listed. Fix the ones above first.',
        meta: { omitted: 24_908, docs: '/docs/reference/errors#badRequest' },
      },
    })
    expect(answer.text.length).toBeLessThan(20 * KIB)
  })

  test('a huge name of an unknown member is not repeated in the answer', async () => {
    const sent = order('k'.repeat(200 * KIB), '0')
    const answer = await cheaply('one unknown member of 200 KiB', sent)
    expect(refusalOf(answer)).toBe('400 unrecognizedKeys')
    expect(answer.text.length).toBeLessThan(KIB)
  })

  test('huge texts are refused by every format', async () => {
    const long = (text: string) => JSON.stringify(text)
    const texts: [string, string, string][] = [
      ['a name', 'participant', `{"firstName":${long('a'.repeat(240 * KIB))},"lastName":"B"}`],
      ['an e-mail address', 'requester', `{"firstName":"A","lastName":"B","email":${long('a.'.repeat(120 * KIB))}}`],
      ['an address', 'callback', `{"url":${long(`https://${'é'.repeat(100 * KIB)}.example`)}}`],
      ['a number', 'settings', `{"schedulingOption":"link","expiresIn":${long('1'.repeat(240 * KIB))}}`],
      ['a date', 'participant', `{"firstName":"A","lastName":"B","birthDate":${long('1'.repeat(240 * KIB))}}`],
      [
        'a phone',
        'requester',
        `{"firstName":"A","lastName":"B","email":"a@b.example","phone":${long('+1'.repeat(100 * KIB))}}`,
      ],
      ['escapes', 'participant', `{"firstName":"${String.raw`\u0041`.repeat(40_000)}","lastName":"B"}`],
    ]
    for (const [what, member, text] of texts)
      expect((await cheaply(`${what} of 200 KiB`, order(member, text))).status).toBe(400)
  })

  test('deep and wide JSON is refused', async () => {
    const bodies = [
      '['.repeat(120_000) + ']'.repeat(120_000),
      list('['.repeat(98) + ']'.repeat(98), 1_300),
      list('{}', 87_000),
    ]
    for (const body of bodies) {
      const answer = await cheaply('deep or wide JSON', { path: '/api/v2/orders', secret: SECRET, body })
      expect(answer.status).toBe(400)
    }
  })
})

describe('the operator API', { timeout: 240_000 }, () => {
  const token = (scopes: string, more = ''): Sent => ({
    path: '/api/operator/v1/tokens',
    secret: OPERATOR,
    body: `{"name":"A","scopes":${scopes}${more}}`,
  })

  test('a scope that is not a string is refused with a pointer', async () => {
    for (const scope of ['{"toString":1}', '{"toString":null,"valueOf":0}', '["order.read"]', 'null', '1'])
      expect(refusalOf(await send(service, token(`["order.read",${scope}]`)))).toBe('400 invalidValue /scopes/1')
  })

  test('tens of thousands of scopes and companies are too big', async () => {
    expect(refusalOf(await cheaply('42,000 scopes', token(list('"all"', 42_000))))).toBe('400 tooBig /scopes')
    const companies = token('["order.read"]', `,"companies":${list('"a"', 60_000)}`)
    expect(refusalOf(await cheaply('60,000 companies', companies))).toBe('400 tooBig /companies')
  })

  const catalog = staffed() as Record<string, unknown>
  const diff = (member: string, text: string): Sent => ({
    path: '/api/operator/v1/catalog/diff',
    secret: OPERATOR,
    body: withText(catalog, member, text),
  })

  test.each([
    ['256 KiB', 86_000],
    ['1 MiB', 349_000],
  ])('a catalog of %s of empty clinics is answered with a hundred problems', async (size, count) => {
    const answer = await cheaply(`a catalog of ${size} of empty clinics`, diff('clinics', list('{}', count)))
    expect(answer.status).toBe(400)
    const { entries, last } = leftOut(answer)
    expect([entries, last?.code]).toEqual([100, 'badRequest'])
    expect(last?.detail).toMatch(/^At least \d+ more problems are not listed\./)
    expect(problemsOf(answer)[0]).toBe('required /clinics/0/id')
  })

  test('other catalogs of a megabyte cost the event loop little', async () => {
    const clinic = '{"id":"a","name":"a","services":[],"timezone":"America/Chicago"}'
    const bodies: [string, Sent, string][] = [
      ['numbers for services', diff('services', list('0', 500_000)), '400 invalidType /services/0'],
      ['the same clinic again and again', diff('clinics', list(clinic, 16_000)), '400 invalidValue /clinics/1/id'],
      [
        'a package with 250,000 services',
        diff('packages', `[{"id":"p","name":"p","services":${list('"x"', 250_000)}}]`),
        '400 tooBig /packages/0/services',
      ],
      [
        'a clinic with 300,000 opening hours',
        diff('clinics', `[{"id":"a","name":"a","services":[],"hours":${list('[]', 300_000)}}]`),
        '400 tooBig /clinics/0/hours',
      ],
    ]
    for (const [what, sent, refusal] of bodies) {
      const answer = await cheaply(what, sent)
      expect(`${answer.status} ${problemsOf(answer)[0]}`).toBe(refusal)
    }
  })

  test('a catalog with too many values is refused before it is parsed', async () => {
    const { status, text } = await send(service, diff('clinics', list('0', 9_000_000)))
    expect([status, text]).toEqual([413, expect.stringContaining('more than 8,000,000 values')])
  })
})

describe('result reports', { timeout: 240_000 }, () => {
  let reports = 0
  const report = (member: string, text: string): Sent => ({
    path: '/api/operator/v1/results',
    secret: LAB,
    body: withText(
      {
        messageId: `hostile-${(reports += 1)}`,
        sender: { kind: 'lab', id: 'lab-1' },
        match: { orderCode: 'ZZZZ-ZZZZ' },
        event: 'receivedAtLab',
        occurredAt: new Date().toISOString(),
      },
      member,
      text,
    ),
  })

  test('a megabyte of analytes, documents or unknown members costs little', async () => {
    const bodies: [string, Sent, string][] = [
      ['349,000 analytes', report('analytes', list('{}', 349_000)), '400 tooBig /analytes'],
      ['349,000 documents', report('documents', list('{}', 349_000)), '400 tooBig /documents'],
    ]
    for (const [what, sent, refusal] of bodies) expect(refusalOf(await cheaply(what, sent))).toBe(refusal)
    const answer = await cheaply('80,000 unknown members', { ...report('reason', '""'), body: members(80_000, '0') })
    expect(leftOut(answer)).toMatchObject({ entries: 100, last: { code: 'badRequest' } })
    expect(answer.text.length).toBeLessThan(20 * KIB)
  })

  test('fifteen megabytes of any content cost the event loop little', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(9 * MIB, 7)]).toString('base64')
    const documents = (content: string) => `[{"name":"a","contentType":"application/pdf","content":"${content}"}]`
    const bodies: [string, Sent, number][] = [
      ['15 MiB of empty lists', report('analytes', list('[]', 5 * MIB - 1_000)), 413],
      ['15 MiB of text', report('reason', `"${'a'.repeat(15 * MIB - KIB)}"`), 400],
      ['15 MiB of escapes', report('reason', `"${String.raw`\u0041`.repeat(2.4 * MIB)}"`), 400],
      ['13 MiB that are not base64', report('documents', documents(`${'A'.repeat(13 * MIB)}!`)), 400],
      ['a document of 9 MiB', report('documents', documents(pdf)), 202],
    ]
    for (const [what, sent, status] of bodies) expect((await cheaply(what, sent)).status).toBe(status)
  })

  test('reading a document of nine megabytes costs the event loop little', async () => {
    const read = (path: string): Sent => ({ method: 'GET', path, secret: OPERATOR })
    const { text } = await send(service, read('/api/operator/v1/results?senderId=lab-1&limit=1'))
    const [{ url }] = (JSON.parse(text) as { data: [{ url: string }] }).data
    const full = await cheaply('reading a report', read(url))
    const [document] = (JSON.parse(full.text) as { documents: [{ url: string }] }).documents
    const { status, headers } = await cheaply('reading its document of 9 MiB', read(document.url))
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  })

  const MSH = String.raw`MSH|^~\&|LIS|HEARTLAND|OTS|NORTH|20260302150405+0000||ORU^R01^ORU_R01|1|P|2.5.1`
  const OBR = 'OBR|1|ZZZZ-ZZZZ|1|urine|||20260301||||||||||||||||20260302|||F'
  const hl7 = (...lines: string[]): Sent => ({
    path: '/api/operator/v1/results',
    secret: LAB,
    headers: { 'content-type': 'application/hl7-v2' },
    body: [MSH, ...lines, ''].join('\r'),
  })

  test('HL7 of megabytes of escapes, repetitions and lines costs the event loop little', async () => {
    const bodies: [string, Sent][] = [
      ['HL7 with 4 MiB of \\F\\', hl7(OBR, `NTE|1||${String.raw`\F\ `.trim().repeat(1.3 * MIB)}`)],
      ['HL7 with 4 MiB of \\X41\\', hl7(OBR, `NTE|1||${String.raw`\X41\ `.trim().repeat(0.8 * MIB)}`)],
      ['HL7 with 15 MiB of empty lines', hl7('\r'.repeat(14 * MIB))],
      [
        'HL7 with 800,000 repetitions',
        hl7(OBR, ...Array.from({ length: 4_000 }, () => `OBX|1|CE|c||${'a~'.repeat(199)}`)),
      ],
      [
        'HL7 with a line of 14 MiB for 50 reports',
        hl7(`PID|1||${'x'.repeat(14 * MIB)}`, ...Array.from({ length: 50 }, () => OBR)),
      ],
    ]
    for (const [what, sent] of bodies) {
      const answer = await cheaply(what, sent)
      expect([answer.status, /^MSA\|A[ER]/m.test(answer.text.replaceAll('\r', '\n'))]).toEqual([400, true])
    }
  })
})
