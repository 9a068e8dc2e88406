import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { created, SECRET } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { readSenderNames } from '../../src/intake/hl7-sender.ts'
import { controlId, keptAs, NEGATIVE, obr, oru, post, readAck, spm, toldBy } from './given.ts'

const LINE = 'intake-secret-of-two-laboratories'
const COPPER = { id: 'copper', name: 'Copper Basin' }
const SENDERS = [
  { id: 'HEARTLAND', role: 'lab', labs: ['heartland'], timezone: 'America/Chicago' },
  { id: 'CBHA', role: 'lab', labs: ['copper'] },
  { id: 'OKAFOR', role: 'mro' },
]

let service: TestService
const world = (codes: object[]) => ({
  ...staffed({
    services: [
      {
        id: 'second',
        name: 'Second',
        category: 'drug',
        type: 'urine',
        isDot: false,
        lab: { id: 'heartland', name: 'H' },
      },
      { id: 'copper', name: 'Copper', category: 'drug', type: 'hair', isDot: false, lab: COPPER },
    ],
    packages: [
      { id: 'two-labs', name: 'Two laboratories', services: ['urine', 'copper', 'audiogram'] },
      { id: 'two-panels', name: 'Two panels', services: ['urine', 'second'] },
    ],
    offered: ['two-labs', 'two-panels'],
    tokens: [{ ...token(LINE, { id: 'line', scopes: ['intake.lab', 'intake.mro'], companies: [] }), senders: SENDERS }],
  }),
  laboratoryCodes: codes,
})
const CODES = [
  { lab: 'heartland', code: '35105N', service: 'urine' },
  { lab: 'heartland', code: '35200N', service: 'second' },
  { lab: 'copper', code: '99', service: 'urine' },
]
beforeAll(async () => {
  service = await startService()
  await service.apply(world(CODES))
})
afterAll(() => service.stop())

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const statuses = async ({ id }: Order) => (await read(id)).services.map(({ status }) => status)
const place = (id = 'basic') => created(service, { package: { id } }) as Promise<Order>
const send = (message: string, secret = LINE) => post(service, message, { secret })
const as = (facility: string, message: string) => message.replace('|HEARTLAND|', `|${facility}|`)
const told = async (message: string, secret = LINE) => {
  const { status, msa } = await send(message, secret)
  return `${status} ${msa[1]} ${msa[3]}`
}

describe('ruling 57: the sender of an HL7 message', () => {
  test('the sender is one that the token lists, in its listed role', async () => {
    const [ofLab, ofReviewer] = [controlId(), controlId()]
    await send(oru({ id: ofLab, code: 'ZZZZ-ZZZZ' }))
    await send(as('OKAFOR', oru({ id: ofReviewer, code: 'ZZZZ-ZZZZ' })))
    expect((await keptAs(service, ofLab)).message.sender).toEqual({ kind: 'lab', id: 'HEARTLAND' })
    expect((await keptAs(service, ofReviewer)).message.sender).toEqual({ kind: 'mro', id: 'OKAFOR' })
  })

  test('the sender may be the application if the facility is not listed', async () => {
    const id = controlId()
    await send(oru({ id, code: 'ZZZZ-ZZZZ' }).replace('|LIS|HEARTLAND|', '|CBHA|SITE 4|'))
    expect((await keptAs(service, id)).message.sender).toEqual({ kind: 'lab', id: 'CBHA' })
  })

  test('an unlisted sender is answered AE, and its report is queued for an operator', async () => {
    const order = await place()
    const note = `NTE|1||${'x'.repeat(100_000)}`
    const denied = as('ELSEWHERE', oru({ code: order.code, lines: [NEGATIVE, spm(), note] }))
    const [first, again] = [await send(denied), await send(denied)]
    expect(toldBy(first)).toBe('400 AE MSH-4: This token may not report for this sender.')
    expect(again.text).toBe(first.text)
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
    const { data } = (await operate(service, 'GET', '/results?state=queued&limit=1')).body
    expect(data).toMatchObject([{ why: 'senderDiffers', sender: { kind: 'lab', id: 'ELSEWHERE' } }])
    const queued = (await operate(service, 'GET', `/results/${data[0].id}`)).body
    expect(queued.problems).toEqual(['/sender/id: This token may not report for this sender.'])
    // The note may tell what was found.
    expect(queued.message.original).toContain('NTE|1||••••')
    expect((await service.store.results.read('north', data[0].id))!.content.original).toContain(note)
    expect((await operate(service, 'GET', '/refusedMessages')).body.total).toBe(0)
    // An operator may vouch for the sender.
    const serviceId = order.services[0]!.id
    expect((await operate(service, 'POST', `/results/${data[0].id}/assignment`, { serviceId })).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('a sender listed as laboratory and reviewer is the reviewer if every report has a reviewer’s observation', async () => {
    const both = 'intake-secret-of-laboratory-and-reviewer'
    const senders = [
      { id: 'HEARTLAND', role: 'mro' },
      { id: 'HEARTLAND', role: 'lab' },
    ]
    const bound = { ...token(both, { id: 'both', scopes: ['intake.lab', 'intake.mro'], companies: [] }), senders }
    const { tokens, ...rest } = world(CODES) as unknown as { tokens: object[] }
    await service.apply({ ...rest, tokens: [...tokens, bound] })
    const MRO = 'OBX|2|ST|MRO RESULT||NEGATIVE||||||F'
    const kindOf = async (lines: string[]) => {
      const id = controlId()
      await send(oru({ id, code: 'ZZZZ-ZZZZ', lines }), both)
      return (await keptAs(service, id)).message.sender.kind
    }
    expect(await kindOf([NEGATIVE])).toBe('lab')
    expect(await kindOf([MRO])).toBe('mro')
    expect(await kindOf([MRO, obr({ code: 'ZZZZ-ZZZZ' }), NEGATIVE])).toBe('lab')
  })

  test('results of a sender are applied only if they name a specimen of its own laboratory', async () => {
    const [own, other, unnamed] = [await place(), await place(), await place()]
    expect(await told(oru({ code: own.code, lines: [NEGATIVE, spm()] }))).toBe('200 AA applied')
    expect(await told(as('CBHA', oru({ code: other.code, lines: [NEGATIVE, spm()] })))).toBe(
      '202 AA queued: senderDiffers',
    )
    expect(await told(oru({ code: unnamed.code }))).toBe('202 AA queued: notCollected')
  })

  test('two senders of a token may use the same control ids', async () => {
    const [first, second] = [await place('two-labs'), await place('two-labs')]
    const id = controlId()
    const ours = oru({ id, code: first.code, panel: 'urine', lines: [NEGATIVE, spm()] })
    const theirs = as('CBHA', oru({ id, code: second.code, panel: 'copper', lines: [NEGATIVE, spm()] }))
    expect([await told(ours), await told(theirs)]).toEqual(['200 AA applied', '200 AA applied'])
    const [answer, again] = [await send(theirs), await send(theirs)]
    expect(again.text).toBe(answer.text)
    expect(await statuses(second)).toEqual(['linkSent', 'negative', 'linkSent'])
    const rows = await service.pool`select id from result_reports where message_id like ${`${id}%`}`
    expect(rows).toHaveLength(2)
  })

  test('times without an offset are in the sender’s zone', async () => {
    const [summer, winter, stated] = [controlId(), controlId(), controlId()]
    const at = (id: string, time: string) => oru({ id, code: 'ZZZZ-ZZZZ' }).replace('20260302143000+0000', time)
    await send(at(summer, '20260702143000'))
    await send(at(winter, '20260102143000'))
    await send(at(stated, '20260102143000+0100'))
    const times = await Promise.all([summer, winter, stated].map(async (id) => (await keptAs(service, id)).message))
    expect(times.map(({ occurredAt }) => occurredAt)).toEqual([
      '2026-07-02T19:30:00.000Z',
      '2026-01-02T20:30:00.000Z',
      '2026-01-02T13:30:00.000Z',
    ])
  })
})

describe('ruling 62: a laboratory’s own code (OBR-4)', () => {
  const panel = (order: Order, code: string, facility = 'HEARTLAND') =>
    told(as(facility, oru({ code: order.code, panel: code, status: 'P', lines: [] })))

  test('a laboratory’s code is looked up in the catalog', async () => {
    const order = await place('two-panels')
    expect(await panel(order, '35200N^SAP 10-50^L')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['linkSent', 'testing'])
    expect(await panel(order, '35105N')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['testing', 'testing'])
  })

  test('an unknown code is accepted if the order has one open service that the laboratory can test', async () => {
    const order = await place('two-labs')
    expect(await panel(order, 'NEVER-SEEN^Ten panel^L')).toBe('200 AA applied')
    expect(await panel(order, '^Hair five', 'CBHA')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['testing', 'testing', 'linkSent'])
  })

  test('an empty OBR-4 is accepted if the order has one such service', async () => {
    const order = await place('two-labs')
    expect(await panel(order, '', 'CBHA')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['linkSent', 'testing', 'linkSent'])
  })

  test('an unknown code is queued if several services are possible', async () => {
    const order = await place('two-panels')
    expect(await panel(order, 'NEVER-SEEN')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(order, '')).toBe('202 AA queued: severalMatches')
  })

  test('the code of a service that the order does not have is queued', async () => {
    const order = await place()
    expect(await panel(order, '35200N')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(order, 'hair')).toBe('202 AA queued: matchesDisagree')
    expect(await statuses(order)).toEqual(['linkSent'])
  })

  test('the code of another laboratory counts as unknown', async () => {
    const [order, single] = [await place('two-panels'), await place()]
    expect(await panel(order, '99')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(single, '99')).toBe('200 AA applied')
  })

  test('a code counts while the catalog has it, and the catalog exports it', async () => {
    const order = await place('two-panels')
    await service.apply(world(CODES.slice(1)))
    expect(await panel(order, '35105N')).toBe('202 AA queued: matchesDisagree')
    expect((await operate(service, 'GET', '/catalog')).body.laboratoryCodes).toHaveLength(2)
    await service.apply(world([{ lab: 'heartland', code: '35105N', service: 'second' }, ...CODES.slice(1)]))
    expect(await panel(order, '35105N')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['linkSent', 'testing'])
    await service.apply(world(CODES))
  })
})

describe('a line with several tokens', () => {
  const OTHER = 'intake-secret-of-another-laboratory'
  const take = async (message: string, secrets: string[]) =>
    readAck((await service.app.answerHl7(Buffer.from(message), secrets)).toString()).msa[3]
  const takenWith = async (id: string) => {
    const [row] = await service.pool<{ tokenId: string }[]>`
      select token_id from result_reports where message_id = ${id}`
    return row?.tokenId
  }
  const message = (facility: string) => {
    const id = controlId()
    return { id, text: as(facility, oru({ id, code: 'ZZZZ-ZZZZ' })) }
  }

  test('a message is taken with the token that lists its sender, and with the other once one is revoked', async () => {
    const senders = [{ id: 'RIDGE', role: 'lab' }]
    const body = { id: 'ridge', name: 'Ridge', scopes: ['intake.lab'], senders }
    const { secret } = (await operate(service, 'POST', '/tokens', body)).body
    const [ridge, heartland] = [message('RIDGE'), message('HEARTLAND')]
    expect(await take(ridge.text, [LINE, secret])).toContain('queued')
    expect(await take(heartland.text, [LINE, secret])).toContain('queued')
    expect([await takenWith(ridge.id), await takenWith(heartland.id)]).toEqual(['ridge', 'line'])
    const successor = (await operate(service, 'POST', '/tokens', { ...body, id: 'ridge-2' })).body.secret
    await operate(service, 'DELETE', '/tokens/ridge')
    const later = message('RIDGE')
    expect(await take(later.text, [secret, LINE, successor])).toContain('queued')
    expect(await takenWith(later.id)).toBe('ridge-2')
    expect(await take(message('RIDGE').text, [secret, OTHER])).toBe('This connection is no longer authorized.')
  })

  test.each([
    ['MSH|^~\\&|LIS|RIDGE^2.16|OTS|N|2026||ORU^R01|1|P|2.5.1\r', ['RIDGE', '2.16', 'LIS']],
    ['\nMSH#^~\\&#LIS##OTS\rPID|1', ['LIS']],
    ['no message', []],
    ['MSH', []],
  ])('the names of senders are read from the header %j', (text, names) => {
    expect(readSenderNames(Buffer.from(text))).toEqual(names)
  })
})
