import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { created, SECRET } from '../orders/given.ts'
import { LAB, MRO, operate, OPERATOR, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { controlId, header, keptAs, NEGATIVE, obr, oru, PID, post, toldBy } from './given.ts'

const CLINIC = 'intake-secret-clinic'
const UNKNOWN = 'ZZZZ-ZZZZ'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ tokens: [token(CLINIC, { id: 'clinic', scopes: ['intake.clinic'], companies: [] })] }))
})
afterAll(() => service.stop())

/** The report that a message is mapped to. It names no order, so it is always stored. */
async function made(message: string | Uint8Array<ArrayBuffer>, id: string, secret = OPERATOR) {
  const ack = await post(service, message, { secret })
  if (ack.status !== 202) throw new Error(toldBy(ack))
  return (await keptAs(service, id)).message
}

async function madeOf(lines: string[], { status = 'F', secret = OPERATOR } = {}) {
  const id = controlId()
  return made(oru({ id, code: UNKNOWN, status, lines }), id, secret)
}

describe('the mapping of segments to a report', () => {
  test('a report is read from the standard fields', async () => {
    const id = controlId()
    const lines = [
      header(id),
      PID,
      `ORC|RE|${UNKNOWN}^NORTH|ACC-77`,
      obr({ panel: '10P^Ten panel^L' }),
      NEGATIVE,
      'NTE|1|L|First remark',
      'SPM|1|CCF-1&NORTH&1.2.3&ISO^ACC-77&LAB||UR^Urine|||||||||||||20260301093000-0600^20260301094500-0600|20260302081500+0000',
      'NTE|1||Second remark',
    ]
    expect(await made(lines.join('\r'), id)).toEqual({
      messageId: id,
      sender: { kind: 'lab', id: 'HEARTLAND' },
      match: { orderCode: UNKNOWN, panel: '10P' },
      participant: { firstName: 'Maria', lastName: 'Lopez', birthDate: '1990-03-07' },
      event: 'result',
      result: 'negative',
      occurredAt: '2026-03-02T14:30:00.000Z',
      specimen: { id: 'CCF-1', collectedAt: '2026-03-01T15:30:00.000Z', receivedAt: '2026-03-02T08:15:00.000Z' },
      reason: 'First remark\nSecond remark',
      analytes: [{ name: 'OVERALL RESULT', code: 'OVERALL', result: 'Negative' }],
    })
  })

  test('a report is read from alternative fields if the standard ones are empty', async () => {
    const id = controlId()
    const message = [
      String.raw`MSH|^~\&|LIS||OTS|NORTH|202603021504||ORU^R01|${id}|P|2.3`,
      'PID|1||||""^Maria||1990',
      'OBR|1||ACC|^Ten panel|||20260301|||||||20260302|||||||||||F',
      NEGATIVE,
      'SPM|1|CCF-2',
    ]
    expect(await made(message.join('\r'), id)).toMatchObject({
      sender: { id: 'LIS' },
      match: { panel: 'Ten panel', specimenId: 'CCF-2' },
      participant: { firstName: 'Maria' },
      occurredAt: '2026-03-02T15:04:00.000Z',
      specimen: { id: 'CCF-2', collectedAt: '2026-03-01T00:00:00.000Z', receivedAt: '2026-03-02T00:00:00.000Z' },
    })
  })

  test('a specimen id alone finds its order', async () => {
    const order = await created(service)
    const { code, services } = order
    await post(service, oru({ code, status: 'I', lines: ['SPM|1|CCF-9'] }))
    expect(toldBy(await post(service, oru({ lines: [NEGATIVE, 'SPM|1|CCF-9^ACC'] })))).toBe('200 AA')
    const read = await service.call(SECRET, `/api/v2/orders/${order.id}`)
    expect(read.body.services).toMatchObject([{ id: services[0].id, status: 'negative', specimenId: 'CCF-9' }])
  })

  test('the placer number that is an order code takes precedence over one that is not', async () => {
    const id = controlId()
    const lines = (orc: string, obr2: string) => [header(id), `ORC|RE|${orc}`, obr({ code: obr2 }), NEGATIVE].join('\r')
    expect(toldBy(await post(service, lines('K7M4-2QXD', UNKNOWN)))).toBe(
      '400 AE OBR-2: ORC-2 and OBR-2 name different orders.',
    )
    expect(await made(lines(UNKNOWN, 'REQ-0001'), id)).toMatchObject({ match: { orderCode: UNKNOWN } })
  })

  test('observations become analytes with values, units, cutoffs and flags', async () => {
    const { analytes } = await madeOf([
      NEGATIVE,
      'OBX|2|CE|3426-4^THC^LN||NEG^Negative^L|ng/mL|50|N|||F',
      'OBX|3|NM|CREAT^Creatinine^L||120|mg/dL^^UCUM|20-400|N|||F',
      'OBX|4|SN|PH||>^9|||A~H|||F',
      'OBX|5|ST|NITRITE^Nitrite||Not detected~Repeated|||||||F',
      'OBX|6|DT|SEEN||20260301||||||F',
      'OBX|7|RP|IMAGE||https://example.com/1||||||F',
      'OBX|8|ST|GONE||Positive||||||D',
    ])
    expect(analytes.slice(1)).toEqual([
      { name: 'THC', code: '3426-4', result: 'Negative', unit: 'ng/mL', cutoff: '50' },
      { name: 'Creatinine', code: 'CREAT', result: 'N', value: '120', unit: 'mg/dL', cutoff: '20-400' },
      { name: 'PH', code: 'PH', result: 'A, H', value: '>9' },
      { name: 'Nitrite', code: 'NITRITE', result: 'Not detected, Repeated' },
    ])
  })

  test('a PDF in Base64 becomes a document, which is stored separately', async () => {
    const id = controlId()
    const pdf = Buffer.from('%PDF-1.7 of a report')
    const [one, two] = [pdf.toString('base64').slice(0, 12), pdf.toString('base64').slice(12)]
    const lines = [NEGATIVE, `OBX|2|ED|PDF^Lab report^L||LIS^AP^PDF^Base64^${one}\\.br\\${two}||||||F`]
    expect(toldBy(await post(service, oru({ id, code: UNKNOWN, lines })))).toBe('202 AA')
    const { original, message } = await keptAs(service, id)
    expect([original.includes(two), message.documents]).toEqual([false, undefined])
    const [row] = await service.pool<{ id: string }[]>`select id from result_reports where message_id = ${id}`
    const [document] = (await operate(service, 'GET', `/results/${row!.id}`)).body.documents
    expect(document.name).toBe('Lab report')
    expect((await operate(service, 'GET', `/documents/${document.id}`)).text).toBe(pdf.toString())
    const other = [
      NEGATIVE,
      `OBX|2|ED|PDF^Lab report^L||LIS^AP^PDF^Base64^${Buffer.from('%PDF-1.7 another').toString('base64')}||||||F`,
    ]
    expect(toldBy(await post(service, oru({ id, code: UNKNOWN, lines: other })))).toMatch(/^400 AE MSH-10/)
  })

  test.each(['LIS^IM^TIFF^Base64^SUkqAA==', 'LIS^AP^PDF^Hex^25504446', 'LIS^AP^PDF^Base64^no?base64'])(
    '%s is left out',
    async (document) => {
      const lines = [NEGATIVE, `OBX|2|ED|DOC||${document}||||||F`]
      expect(toldBy(await post(service, oru({ code: UNKNOWN, lines })))).toMatch(/^400 AE OBX-5: /)
    },
  )

  test('long remarks are truncated, and the original text is stored too', async () => {
    const remark = '🙂'.repeat(600)
    const { reason } = await madeOf([NEGATIVE, `NTE|1||${remark}`])
    expect(reason).toBe(`${'🙂'.repeat(499)}…`)
  })
})

describe('times', () => {
  const occurredAt = async (obr22: string) => {
    const id = controlId()
    return (await made(oru({ id, code: UNKNOWN }).replace('20260302143000+0000', obr22), id)).occurredAt
  }

  test.each([
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['202603', '2026-03-01T00:00:00.000Z'],
    ['20260302', '2026-03-02T00:00:00.000Z'],
    ['2026030214', '2026-03-02T14:00:00.000Z'],
    ['202603021430-0600', '2026-03-02T20:30:00.000Z'],
    ['20260302143015.1234+0530', '2026-03-02T09:00:15.123Z'],
    ['20240229235959.9', '2024-02-29T23:59:59.900Z'],
    ['20260302143000^S', '2026-03-02T14:30:00.000Z'],
  ])('the time %s is read as %s', async (text, instant) => {
    expect(await occurredAt(text)).toBe(instant)
  })

  test.each([
    '20260230',
    '20261301',
    '2026030224',
    '20260302146000',
    '00000101',
    '18991231',
    '2026-03-02',
    '20260302+9900',
    'soon',
  ])('the time %s is invalid', async (text) => {
    expect(toldBy(await post(service, oru({ code: UNKNOWN }).replace('20260302143000+0000', text)))).toMatch(
      /^400 AE OBR-22: Expected a time/,
    )
  })

  test('a time is required, and cannot be in the future', async () => {
    const without = oru({ code: UNKNOWN }).replace('20260302143000+0000', '').replace('20260302150405+0000', '')
    expect(toldBy(await post(service, without))).toBe('400 AE MSH-7: The message time is missing.')
    const ahead = oru({ code: UNKNOWN }).replace('20260302143000+0000', '2999')
    expect(toldBy(await post(service, ahead))).toBe(
      '400 AE OBR-22: This time is more than a day in the future. Check the date and the offset.',
    )
  })
})

describe('the status of a report (table 0123)', () => {
  test.each([
    ['I', LAB, { event: 'receivedAtLab' }],
    ['P', LAB, { event: 'testing' }],
    ['R', LAB, { event: 'testing' }],
    ['A', LAB, { event: 'testing' }],
    ['P', MRO, { event: 'mroReview' }],
    ['P', CLINIC, { event: 'inProgress' }],
    ['F', LAB, { event: 'result', result: 'negative' }],
    ['C', LAB, { event: 'result', result: 'negative', corrected: true }],
    ['X', LAB, { event: 'result', result: 'testCancelled' }],
  ])('the status %s from a %s', async (status, secret, expected) => {
    const { event, result, corrected } = await madeOf([NEGATIVE], { status, secret })
    expect({ event, ...(result && { result }), ...(corrected && { corrected }) }).toEqual(expected)
  })

  test.each(['', 'O', 'S', 'Y', 'Z', 'toString'])('the status %j is refused', async (status) => {
    expect(toldBy(await post(service, oru({ code: UNKNOWN, status })))).toBe(
      '400 AE OBR-25: Expected one of I, P, R, A, N, M, F, C, X.',
    )
  })

  test('the status I has the time at which the specimen was received', async () => {
    const id = controlId()
    const message = oru({ id, code: UNKNOWN, status: 'I', lines: [] }).replace('20260302143000+0000', '')
    expect(await made(message, id)).toMatchObject({ occurredAt: '2026-03-02T09:00:00.000Z' })
  })
})
