import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { created, SECRET } from '../orders/given.ts'
import { DISCREET_OPERATOR, LAB, operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { controlId, header, keptAs, NEGATIVE, obr, oru, PID, post, spm, toldBy } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      services: [
        { id: 'reviewed', name: 'Reviewed', category: 'drug', type: 'urine', isDot: false, requiresMro: true },
      ],
      packages: [{ id: 'reviewed', name: 'Reviewed', services: ['reviewed'] }],
      offered: ['reviewed'],
    }),
  )
})
afterAll(() => service.stop())

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
const POSITIVE = 'OBX|1|CWE|3426-4^THC^LN||10828004^Positive^SCT||||||F'

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const send = (message: string) => post(service, message, { secret: LAB })

/** The queued reports with this control id, newest first. */
async function waiting(id: string) {
  const { data } = (await operate(service, 'GET', '/results?state=queued&senderId=HEARTLAND')).body
  return (data as { id: string; messageId: string; why: string; orderId: string | null; event: string }[]).filter(
    ({ messageId }) => messageId.startsWith(id),
  )
}

/** The text as it is stored. */
const originalOf = async (id: string) => (await service.store.results.read('north', id))!.content.original

describe('ruling 62: positive results', () => {
  test.each(['F', 'C'])('a positive in a final report (%s) of a test without a review is applied', async (status) => {
    const order = await created(service)
    expect(toldBy(await send(oru({ code: order.code, status, lines: [POSITIVE, spm()] })))).toBe('200 AA')
    expect(await read(order.id)).toMatchObject({ status: 'positive', isFinal: true })
  })

  test('a positive beside a number is applied', async () => {
    const order = await created(service)
    const number = 'OBX|2|NM|20521-3^THC confirmation^LN||212|ng/mL|15|H|||F'
    expect(toldBy(await send(oru({ code: order.code, lines: [POSITIVE, number, spm()] })))).toBe('200 AA')
    expect(await read(order.id)).toMatchObject({ status: 'positive' })
  })

  test('a positive of a reviewed test is queued for the reviewer', async () => {
    const order = await created(service, { package: { id: 'reviewed' } })
    await send(oru({ code: order.code, status: 'P', lines: [] }))
    const ack = await send(oru({ code: order.code, lines: [POSITIVE] }))
    expect([ack.status, ack.msa[1], ack.msa[3]]).toEqual([202, 'AA', 'queued: reviewNeeded'])
    expect(await read(order.id)).toMatchObject({ services: [{ status: 'testing' }] })
  })
})

describe('ruling 62: messages that are not understood', () => {
  const unclear = (id: string, code = 'ZZZZ-ZZZZ') => oru({ id, code, lines: ['OBX|1|ST|THC||see note||||||F'] })

  test.each([
    ['a missing outcome', { lines: ['OBX|1|ST|THC||see note||||||F'] }, 'OBX(1)-5: "see note" does not give'],
    ['an unknown status', { status: 'Q' }, 'OBR-25: Expected one of'],
    ['an invalid time', { lines: [NEGATIVE, 'SPM|1|S|||||||||||||||soon'] }, 'SPM-17: Expected a time'],
    [
      'a document of another type',
      { lines: [NEGATIVE, 'OBX|2|ED|A||LIS^IM^TIFF^Base64^SUkqAA=='] },
      'OBX(2)-5: Documents must be PDF',
    ],
  ])('%s is answered AE and queued with the reason', async (_, members, reason) => {
    const id = controlId()
    const message = oru({ id, code: 'ZZZZ-ZZZZ', ...members })
    const ack = await send(message)
    expect([ack.status, ack.msa[1], ack.msa[2]]).toEqual([400, 'AE', id])
    const [row, ...others] = await waiting(id)
    expect([row, others]).toMatchObject([{ why: 'notUnderstood', event: 'unknown', orderId: null }, []])
    const { body } = await operate(service, 'GET', `/results/${row!.id}`)
    expect(body.problems).toEqual([expect.stringContaining(reason)])
    expect(body.message).toMatchObject({ messageId: id, sender: { kind: 'lab', id: 'HEARTLAND' } })
    expect(body.hiddenFor).toBe('assignment')
    expect(await originalOf(row!.id)).toBe(message.trimEnd())
  })

  test('a message that is not understood is stored once, and a repeat gets the first answer byte for byte', async () => {
    const id = controlId()
    const first = await send(unclear(id))
    const again = await send(unclear(id).replace('20260302150405', '20260303000000'))
    expect(again.text).toBe(first.text)
    await Promise.all(Array.from({ length: 8 }, () => send(unclear(id))))
    expect(await waiting(id)).toHaveLength(1)
  })

  test('a corrected message may use the id of one that was not understood', async () => {
    const order = await created(service)
    const id = controlId()
    await send(unclear(id, order.code))
    expect(toldBy(await send(oru({ id, code: order.code, lines: [NEGATIVE, spm()] })))).toBe('200 AA')
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('if one of several reports is not understood, the whole message is queued and none is applied', async () => {
    const order = await created(service)
    const id = controlId()
    const lines = [header(id), PID, obr({ code: order.code }), NEGATIVE, spm(), obr({ status: 'Q' }), NEGATIVE]
    expect(toldBy(await send(lines.join('\r')))).toMatch(/^400 AE OBR-25/)
    expect(await keptAs(service, id)).toBeUndefined()
    const [row] = await waiting(id)
    expect(await originalOf(row!.id)).toBe(lines.join('\r'))
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
  })

  test('operators who may not read participants see the message without its text', async () => {
    const id = controlId()
    await send(unclear(id))
    const [row] = await waiting(id)
    const { text } = await operate(service, 'GET', `/results/${row!.id}`, undefined, DISCREET_OPERATOR)
    expect([text.includes('does not give'), text.includes('Lopez')]).toEqual([true, false])
  })

  test('a message that is not understood cannot be assigned, only dismissed', async () => {
    const order = await created(service)
    const id = controlId()
    await send(unclear(id, order.code))
    const [row] = await waiting(id)
    const assignment = { serviceId: order.services[0].id, reason: 'Says so.' }
    expect(refusalOf(await operate(service, 'POST', `/results/${row!.id}/assignment`, assignment))).toBe(
      '422 invalidState',
    )
    const dismissal = { reason: 'Recorded by hand.' }
    expect((await operate(service, 'POST', `/results/${row!.id}/dismissal`, dismissal)).status).toBe(200)
    expect(await waiting(id)).toEqual([])
  })
})

describe('ruling 62: no laboratory report is lost', () => {
  test('a laboratory’s DOT result is answered AE and queued with its order', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    const id = controlId()
    const pdf = Buffer.from('%PDF-1.7 of a laboratory').toString('base64')
    const lines = [NEGATIVE, `OBX|2|ED|PDF^Report||LIS^AP^PDF^Base64^${pdf}||||||F`]
    expect(toldBy(await send(oru({ id, code: order.code, lines })))).toMatch(/^400 AE MSH-4: .*49 CFR 40\.97/)
    const [row] = await waiting(id)
    expect(row).toMatchObject({ why: 'reviewNeeded', orderId: order.id, event: 'result' })
    const { body } = await operate(service, 'GET', `/results/${row!.id}`)
    expect(body).toMatchObject({ hiddenFor: 'review', documents: [{ name: 'Report' }] })
    expect(await originalOf(row!.id)).toContain('Negative')
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
  })

  test('a message with a used id is answered AE, and can be assigned', async () => {
    const order = await created(service)
    const id = controlId()
    await send(oru({ id, code: 'ZZZZ-ZZZZ' }))
    const other = oru({ id, code: order.code, lines: [NEGATIVE, spm()] })
    expect(toldBy(await send(other))).toMatch(/^400 AE MSH-10/)
    const reused = (await waiting(id)).filter(({ why }) => why === 'idReused')
    expect(reused).toHaveLength(1)
    expect(toldBy(await send(other))).toMatch(/^400 AE MSH-10/)
    const assignment = { serviceId: order.services[0].id, reason: 'The counter started again.' }
    expect((await operate(service, 'POST', `/results/${reused[0]!.id}/assignment`, assignment)).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })
})
