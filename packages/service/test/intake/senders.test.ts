import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { created, SECRET } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { controlId, keptAs, NEGATIVE, obr, oru, post, spm, toldBy } from './given.ts'

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

describe('ruling 57: the sender of a message in HL7', () => {
  test('is one that the token lists, and speaks in the role that is listed for it', async () => {
    const [ofLab, ofReviewer] = [controlId(), controlId()]
    await send(oru({ id: ofLab, code: 'ZZZZ-ZZZZ' }))
    await send(as('OKAFOR', oru({ id: ofReviewer, code: 'ZZZZ-ZZZZ' })))
    expect((await keptAs(service, ofLab)).message.sender).toEqual({ kind: 'lab', id: 'HEARTLAND' })
    expect((await keptAs(service, ofReviewer)).message.sender).toEqual({ kind: 'mro', id: 'OKAFOR' })
  })

  test('may be named by the application where the facility is not listed', async () => {
    const id = controlId()
    await send(oru({ id, code: 'ZZZZ-ZZZZ' }).replace('|LIS|HEARTLAND|', '|CBHA|SITE 4|'))
    expect((await keptAs(service, id)).message.sender).toEqual({ kind: 'lab', id: 'CBHA' })
  })

  test('that the token does not list is told so, and its report waits whole for an operator', async () => {
    const order = await place()
    const note = `NTE|1||${'x'.repeat(100_000)}`
    const denied = as('ELSEWHERE', oru({ code: order.code, lines: [NEGATIVE, spm(), note] }))
    const [first, again] = [await send(denied), await send(denied)]
    expect(toldBy(first)).toBe(
      '400 AE MSH-4: This token is not allowed to send for this sender. Ask the operator to add it to the token.',
    )
    expect(again.text).toBe(first.text)
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
    const { data } = (await operate(service, 'GET', '/results?state=queued&limit=1')).body
    expect(data).toMatchObject([{ why: 'senderDiffers', sender: { kind: 'lab', id: 'ELSEWHERE' } }])
    const queued = (await operate(service, 'GET', `/results/${data[0].id}`)).body
    expect(queued.problems).toEqual([
      '/sender/id: This token is not allowed to send for this sender. Ask the operator to add it to the token.',
    ])
    expect(queued.message.original).toContain(note)
    expect((await operate(service, 'GET', '/refusedMessages')).body.total).toBe(0)
    // An operator may vouch for the sender.
    const serviceId = order.services[0]!.id
    expect((await operate(service, 'POST', `/results/${data[0].id}/assignment`, { serviceId })).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('that is listed as laboratory and as reviewer speaks as the reviewer where every report says so', async () => {
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

  test('has results applied that name a specimen of its own laboratory alone', async () => {
    const [own, other, unnamed] = [await place(), await place(), await place()]
    expect(await told(oru({ code: own.code, lines: [NEGATIVE, spm()] }))).toBe('200 AA applied')
    expect(await told(as('CBHA', oru({ code: other.code, lines: [NEGATIVE, spm()] })))).toBe(
      '202 AA queued: senderDiffers',
    )
    expect(await told(oru({ code: unnamed.code }))).toBe('202 AA queued: notCollected')
  })

  test('may use the control ids that another sender of the token has used', async () => {
    const [first, second] = [await place('two-labs'), await place('two-labs')]
    const id = controlId()
    const ours = oru({ id, code: first.code, panel: 'urine', lines: [NEGATIVE, spm()] })
    const theirs = as('CBHA', oru({ id, code: second.code, panel: 'copper', lines: [NEGATIVE, spm()] }))
    expect([await told(ours), await told(theirs)]).toEqual(['200 AA applied', '200 AA applied'])
    const [answer, again] = [await send(theirs), await send(theirs)]
    expect(again.text).toBe(answer.text)
    expect(await statuses(second)).toEqual(['linkSent', 'negative', 'linkSent'])
    const rows = await service.pool`select id from result_messages where message_id like ${`${id}%`}`
    expect(rows).toHaveLength(2)
  })

  test('writes times without an offset in its own zone', async () => {
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

describe('ruling 62: the own code of a laboratory (OBR-4)', () => {
  const panel = (order: Order, code: string, facility = 'HEARTLAND') =>
    told(as(facility, oru({ code: order.code, panel: code, status: 'P', lines: [] })))

  test('is looked up in the code map of the catalog', async () => {
    const order = await place('two-panels')
    expect(await panel(order, '35200N^SAP 10-50^L')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['linkSent', 'testing'])
    expect(await panel(order, '35105N')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['testing', 'testing'])
  })

  test('needs no entry where the order has one open service that this laboratory can test', async () => {
    const order = await place('two-labs')
    expect(await panel(order, 'NEVER-SEEN^Ten panel^L')).toBe('200 AA applied')
    expect(await panel(order, '^Hair five', 'CBHA')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['testing', 'testing', 'linkSent'])
  })

  test('needs none either where nothing is said in OBR-4', async () => {
    const order = await place('two-labs')
    expect(await panel(order, '', 'CBHA')).toBe('200 AA applied')
    expect(await statuses(order)).toEqual(['linkSent', 'testing', 'linkSent'])
  })

  test('waits where it is not known and several services are possible', async () => {
    const order = await place('two-panels')
    expect(await panel(order, 'NEVER-SEEN')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(order, '')).toBe('202 AA queued: severalMatches')
  })

  test('waits where it is known for a service that the order does not have', async () => {
    const order = await place()
    expect(await panel(order, '35200N')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(order, 'hair')).toBe('202 AA queued: matchesDisagree')
    expect(await statuses(order)).toEqual(['linkSent'])
  })

  test('of another laboratory says nothing', async () => {
    const [order, single] = [await place('two-panels'), await place()]
    expect(await panel(order, '99')).toBe('202 AA queued: matchesDisagree')
    expect(await panel(single, '99')).toBe('200 AA applied')
  })

  test('counts as long as the catalog has it, which exports it again', async () => {
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
