import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTAKE_SCOPES, SENDER_KINDS, type Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { created, SECRET } from '../orders/given.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { applied, messageAbout, operate, OPERATOR, report, staffed, tested } from '../support/operator.ts'

const BOUND = 'intake-secret-of-listed-senders'
const NOBODY = 'intake-secret-of-no-sender'
const COPPER = { id: 'copper', name: 'Copper Basin' }
const SENDERS = [
  { id: 'HL-1', role: 'lab', labs: ['heartland'] },
  { id: 'CB-1', role: 'lab', labs: ['copper'] },
  { id: 'heartland toxicology', role: 'lab' },
  { id: 'unnamed-lab', role: 'lab' },
  { id: 'dr-okafor', role: 'mro' },
  { id: 'dr-silva', role: 'mro', labs: ['copper'] },
  { id: 'site-7', role: 'collector' },
]

const OFFERED = ['copper', 'reviewed', 'instant', 'saliva', 'unassigned', 'checks']

let service: TestService
beforeAll(async () => {
  service = await startService()
  const intake = (secret: string, senders: object[]) => ({
    ...token(secret, { id: secret, scopes: INTAKE_SCOPES, companies: [] }),
    senders,
  })
  const drug = (id: string, members: object = {}) => ({
    id,
    name: id,
    category: 'drug',
    type: 'urine',
    isDot: false,
    ...members,
  })
  await service.apply(
    staffed({
      services: [
        drug('copper', { lab: COPPER }),
        drug('reviewed', { lab: COPPER, requiresMro: true }),
        drug('instant', { type: 'instantUrine' }),
        drug('saliva', { category: 'alcohol', type: 'saliva', lab: COPPER }),
        drug('unassigned'),
      ],
      packages: [
        ...OFFERED.slice(0, 5).map((id) => ({ id, name: id, services: [id] })),
        { id: 'checks', name: 'Checks', services: ['audiogram', 'criminal', 'dot-breath', 'instant', 'urine'] },
      ],
      offered: OFFERED,
      settings: { backgroundProvider: 'checkr' },
      tokens: [intake(BOUND, SENDERS), intake(NOBODY, [])],
    }),
  )
})
afterAll(() => service.stop())

const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const place = (id = 'basic') => created(service, { package: { id } }) as Promise<Order>
const outcome = async (message: object, secret = OPERATOR) => {
  const { status, body } = await report(service, message, secret)
  return `${status} ${body.state} ${body.why}`
}
const from = (id: string, kind = 'lab') => ({ sender: { kind, id } })
const result = (value = 'negative') => ({ event: 'result', result: value })

describe('ruling 57: a token speaks for the senders listed on it', () => {
  test('a token with a list of senders reports for no other, whatever its scopes', async () => {
    const order = await place()
    const refusal = async (sender: object, secret = BOUND) =>
      refusalOf(await report(service, messageAbout(order, { event: 'testing', ...sender }), secret))
    expect(await refusal(from('HL-2'))).toBe('400 invalidValue /sender/id')
    expect(await refusal(from('hl-1'))).toBe('400 invalidValue /sender/id')
    expect(await refusal(from('dr-okafor'))).toBe('400 invalidValue /sender/kind')
    expect(await refusal(from('HL-1'), NOBODY)).toBe('400 invalidValue /sender/id')
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
    expect((await report(service, messageAbout(order, from('HL-1')), BOUND)).status).toBe(200)
  })

  test('a token without a list reports for any sender of its scopes', async () => {
    const order = await place()
    expect((await report(service, messageAbout(order, from('anyone')))).status).toBe(200)
  })

  test('a listed sender reports only for its laboratories: other reports are queued', async () => {
    const order = await place()
    expect(await outcome(messageAbout(order, from('CB-1')), BOUND)).toBe('202 queued senderDiffers')
    expect(await outcome(messageAbout(order, from('HL-1')), BOUND)).toBe('200 applied null')
    const unassigned = await place('unassigned')
    expect(await outcome(messageAbout(unassigned, from('CB-1')), BOUND)).toBe('200 applied null')
  })

  test('a listed medical reviewer reports only for its laboratories too', async () => {
    const dot = { package: { id: 'dot' }, agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
    const order = await created(service, dot)
    await applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
    expect(await outcome(messageAbout(order, { ...from('dr-silva', 'mro'), ...result() }), BOUND)).toBe(
      '202 queued senderDiffers',
    )
    expect(await outcome(messageAbout(order, { ...from('dr-okafor', 'mro'), ...result() }), BOUND)).toBe(
      '200 applied null',
    )
  })
})

describe('ruling 57: a result of a laboratory test that was never reported as collected', () => {
  test('an uncollected result is applied if it names a specimen and comes from the service’s laboratory', async () => {
    const order = await place()
    const message = messageAbout(order, { ...from('HL-1'), ...result(), specimen: { id: 'OWN-1' } })
    expect(await outcome(message, BOUND)).toBe('200 applied null')
    expect(await read(order.id)).toMatchObject({ status: 'negative', services: [{ specimenId: 'OWN-1' }] })
  })

  test('an uncollected result is queued if it names no specimen', async () => {
    const order = await place()
    expect(await outcome(messageAbout(order, { ...from('HL-1'), ...result() }), BOUND)).toBe('202 queued notCollected')
    expect(await read(order.id)).toMatchObject({ status: 'ordered', services: [{ status: 'linkSent' }] })
  })

  test('an uncollected result is queued if it comes from another laboratory, or the service has none', async () => {
    const specimen = { specimen: { id: 'OTHER-1' } }
    const [order, unassigned] = [await place(), await place('unassigned')]
    const message = (to: Order, sender: object) => messageAbout(to, { ...sender, ...result(), ...specimen })
    expect(await outcome(message(order, from('CB-1')), BOUND)).toBe('202 queued senderDiffers')
    expect(await outcome(message(order, from('somebody')))).toBe('202 queued notCollected')
    expect(await outcome(message(unassigned, from('HL-1')), BOUND)).toBe('202 queued notCollected')
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
  })

  test('another laboratory cannot open the way for its result with a milestone', async () => {
    const order = await place()
    const specimen = { specimen: { id: 'FOREIGN-1' } }
    const foreign = (members: object) => messageAbout(order, { ...from('unnamed-lab'), ...specimen, ...members })
    expect(await outcome(foreign({ event: 'receivedAtLab' }), BOUND)).toBe('202 queued notCollected')
    expect(await outcome(foreign(result()), BOUND)).toBe('202 queued notCollected')
    expect(await read(order.id)).toMatchObject({ status: 'ordered', services: [{ status: 'linkSent' }] })
  })

  test('a laboratory without a list is identified by its id or name', async () => {
    for (const [id, secret] of [
      ['heartland', OPERATOR],
      ['HEARTLAND', OPERATOR],
      ['Heartland Toxicology', OPERATOR],
      ['heartland toxicology', BOUND],
    ] as const) {
      const order = await place()
      expect(await outcome(messageAbout(order, { ...tested('negative'), ...from(id) }), secret)).toBe(
        '200 applied null',
      )
    }
  })

  test('an uncollected result is applied from the service’s reviewer, who has to name the specimen too', async () => {
    const [order, other, plain] = [await place('reviewed'), await place('reviewed'), await place()]
    const review = { ...from('dr-okafor', 'mro'), ...result() }
    expect(await outcome(messageAbout(order, { ...review, specimen: { id: 'R-1' } }), BOUND)).toBe('200 applied null')
    expect(await outcome(messageAbout(other, review), BOUND)).toBe('202 queued notCollected')
    expect(await outcome(messageAbout(plain, { ...review, specimen: { id: 'R-2' } }), BOUND)).toBe(
      '202 queued notCollected',
    )
  })

  test('a result is applied without a specimen once the collection was reported', async () => {
    const order = await place()
    await applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
    expect(await outcome(messageAbout(order, { ...from('HL-1'), ...result() }), BOUND)).toBe('200 applied null')
  })

  test('a result counts as uncollected again after the specimen was lost and another collection scheduled', async () => {
    const order = await place()
    await applied(service, messageAbout(order, { kind: 'collector', event: 'collected', specimen: { id: 'GONE-1' } }))
    await applied(service, messageAbout(order, { kind: 'courier', event: 'lostInTransit' }))
    const moves = `/orders/${order.id}/services/${order.services[0]!.id}/moves`
    await operate(service, 'POST', moves, { status: 'scheduled' })
    expect(await outcome(messageAbout(order, result()))).toBe('202 queued notCollected')
  })

  test('an uncollected result is applied if an operator assigns it', async () => {
    const order = await place()
    const { body } = await report(service, messageAbout(order, { ...from('somebody'), ...result() }))
    const assignment = { serviceId: order.services[0]!.id, reason: 'Confirmed by telephone.' }
    expect((await operate(service, 'POST', `/results/${body.id}/assignment`, assignment)).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('the collection site reports without a specimen that nothing was collected', async () => {
    for (const [kind, value] of [
      ['collector', 'testNotPerformed'],
      ['clinic', 'unobtainable'],
    ] as const) {
      const order = await place()
      expect(await outcome(messageAbout(order, { kind, ...result(value) }))).toBe('200 applied null')
      expect(await read(order.id)).toMatchObject({ status: value })
    }
    expect(await outcome(messageAbout(await place(), result('testNotPerformed')))).toBe('202 queued notCollected')
  })
})

describe('ruling 57: which kinds of senders report results', () => {
  const MAKERS = [
    ['dot-breath', 'negative', ['collector', 'bat']],
    ['instant', 'negative', ['collector']],
    ['audiogram', 'pass', ['clinic']],
    ['criminal', 'pass', ['background']],
    ['urine', 'negative', ['lab', 'mro']],
  ] as const

  test.each(MAKERS)(
    'results of %s are applied only from the kinds of senders that make them',
    async (panel, value, makers) => {
      const agency = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
      for (const kind of SENDER_KINDS.filter((each) => each !== 'courier')) {
        const order = await created(service, { package: { id: 'checks' }, ...agency })
        const match = { orderCode: order.code, panel }
        if (panel === 'urine')
          await applied(service, messageAbout(order, { kind: 'collector', event: 'collected', match }))
        const reached = await outcome(messageAbout(order, { kind, match, ...result(value) }))
        const isMaker = (makers as readonly string[]).includes(kind)
        expect(`${kind}: ${reached}`).toBe(`${kind}: ${isMaker ? '200 applied null' : '202 queued senderDiffers'}`)
      }
    },
  )

  test('a clinic or background provider cannot start a service of another kind', async () => {
    const agency = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
    const order = await created(service, { package: { id: 'checks' }, ...agency })
    const begun = (kind: 'clinic' | 'background', panel: string) =>
      outcome(messageAbout(order, { kind, event: 'inProgress', match: { orderCode: order.code, panel } }))
    expect(await begun('clinic', 'criminal')).toBe('202 queued senderDiffers')
    expect(await begun('background', 'audiogram')).toBe('202 queued senderDiffers')
    expect(await begun('clinic', 'audiogram')).toBe('200 applied null')
    expect(await begun('background', 'criminal')).toBe('200 applied null')
  })

  test('a laboratory confirms a non-negative instant test', async () => {
    const order = await place('instant')
    await applied(service, messageAbout(order, { kind: 'collector', ...result('nonNegative') }))
    await applied(service, messageAbout(order, { event: 'testing' }))
    expect(await outcome(messageAbout(order, result('positive')))).toBe('200 applied null')
  })

  test('a saliva test goes to a laboratory', async () => {
    const order = await place('saliva')
    expect(await outcome(messageAbout(order, { kind: 'bat', ...result() }))).toBe('202 queued senderDiffers')
    const own = { ...from('CB-1'), ...result(), specimen: { id: 'SALIVA-1' } }
    expect(await outcome(messageAbout(order, own), BOUND)).toBe('200 applied null')
  })
})

describe('ruling 57: the senders of a token', () => {
  test('the senders of a token are set and shown by the operator API, and recorded in the audit log', async () => {
    const senders = [{ id: 'HL-1', role: 'lab', labs: ['heartland'], timezone: 'America/Chicago' }]
    const issue = (body: object) =>
      operate(service, 'POST', '/tokens', { name: 'Lab', scopes: ['intake.lab'], ...body })
    const issued = await issue({ id: 'bound', senders })
    expect(issued).toMatchObject({ status: 201, body: { senders } })
    expect((await operate(service, 'GET', '/tokens/bound')).body.senders).toEqual(senders)
    expect((await operate(service, 'GET', '/tokens/operator')).body.senders).toBeNull()
    const { data } = (await operate(service, 'GET', '/audit?subjectId=bound')).body
    expect(data).toMatchObject([{ action: 'token.create', after: { senders } }])
    const order = await place()
    const { secret } = issued.body
    expect((await report(service, messageAbout(order, from('HL-1')), secret)).status).toBe(200)
    expect(refusalOf(await report(service, messageAbout(order, from('HL-2')), secret))).toBe(
      '400 invalidValue /sender/id',
    )
    expect(refusalOf(await issue({ senders: [{ id: 'x', role: 'mro' }] }))).toBe('400 invalidValue /senders/0/role')
    expect(refusalOf(await issue({ senders: [{ id: 'x', role: 'king' }] }))).toBe('400 invalidValue /senders/0/role')
    expect(refusalOf(await issue({ senders: [{ role: 'lab' }] }))).toBe('400 required /senders/0/id')
  })
})
