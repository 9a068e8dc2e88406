import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { body, PERSON, post, SECRET } from './given.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  applied,
  DISCREET_OPERATOR,
  messageAbout,
  operate,
  OPERATOR,
  seenByOperator,
  staffed,
} from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      locations: [{ id: 'acme-yard', name: 'Yard' }],
      companies: [
        { id: 'initech', name: 'Initech', packages: ['basic'], locations: [{ id: 'initech-yard', name: 'Yard' }] },
        {
          id: 'gone',
          name: 'Gone',
          isActive: false,
          packages: ['basic'],
          locations: [{ id: 'gone-hq', name: 'Gone' }],
        },
      ],
    }),
  )
})
afterAll(() => service.stop())

let people = 0
const somebody = () => {
  people += 1
  const letters = Array.from(String(people), (digit) => 'abcdefghij'[Number(digit)]).join('')
  return { ...PERSON, lastName: `Q${letters}zx${letters}`, email: `${letters}@example.com`, identifiers: [] }
}

const place = (members: object, secret = OPERATOR, headers: Record<string, string> = {}) =>
  service.call(secret, { method: 'POST', path: '/api/operator/v1/orders', body: body(members), headers })
const APP = { orderMatching: { enabled: true, profile: 'appCollection' } }

describe('ruling 63: an order that an operator places', () => {
  test.each(['app', 'portal', 'import'])('an operator can place an order with the source %s', async (source) => {
    const answer = await place({ source, participant: PERSON })
    expect([answer.status, Order.parse(answer.body)]).toEqual([201, answer.body])
    expect(await seenByOperator(service, answer.body.id)).toMatchObject({ source })
    expect((await service.call(SECRET, `/api/v2/orders/${answer.body.id}`)).body).toEqual(answer.body)
  })

  test('an order placed by an operator has one of the allowed sources', async () => {
    expect(refusalOf(await place({}))).toBe('400 required /source')
    expect(refusalOf(await place({ source: 'api' }))).toBe('400 invalidValue /source')
    expect(refusalOf(await place({ source: 'fax', package: { id: 'none' }, flavour: 1 }))).toBe(
      '400 invalidValue /source, unrecognizedKeys /flavour, invalidValue /package',
    )
  })

  test('an order placed by an operator follows the rules for integrators', async () => {
    const dot = { source: 'import', package: { id: 'dot' } }
    expect(refusalOf(await place(dot))).toMatch(/^400 .*required \/agency/)
    expect(refusalOf(await place({ source: 'import', settings: { schedulingOption: 'order' } }))).toMatch(
      /^400 required \/participant\/address/,
    )
  })

  test('an operator can order at any active location of the tenant, and name the company if names are ambiguous', async () => {
    expect((await place({ source: 'portal', location: { id: 'globex-hq' } })).body.company.id).toBe('globex')
    expect(refusalOf(await place({ source: 'portal', location: { name: 'Yard' } }))).toMatch(/^409 conflict/)
    const named = (company: object) => place({ source: 'portal', location: { name: 'Yard' }, company })
    expect((await named({ id: 'initech' })).body.location.id).toBe('initech-yard')
    expect((await named({ id: 'acme' })).body.location.id).toBe('acme-yard')
    expect(refusalOf(await named({ id: 'gone' }))).toMatch(/^400 invalidValue \/company/)
    expect(refusalOf(await place({ source: 'portal', location: { id: 'gone-hq' } }))).toMatch(/invalidValue \/location/)
  })

  test('an order placed by an operator is in the audit log, and shows identifiers only with order.participant.read', async () => {
    const { id, participant } = (await place({ source: 'portal', participant: PERSON })).body
    expect(participant.identifiers).toHaveLength(1)
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${id}`)).body
    expect(data).toMatchObject([{ action: 'order.create', tokenId: 'operator', after: { source: 'portal' } }])
    const redactError = await place({ source: 'portal', participant: PERSON }, DISCREET_OPERATOR)
    expect([redactError.status, redactError.body.participant.identifiers]).toEqual([201, undefined])
  })

  test('an operator’s order with an Idempotency-Key is placed once', async () => {
    const headers = { 'idempotency-key': 'import-1' }
    const first = await place({ source: 'import' }, OPERATOR, headers)
    const again = await place({ source: 'import' }, OPERATOR, headers)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(refusalOf(await place({ source: 'portal' }, OPERATOR, headers))).toBe('409 conflict /Idempotency-Key')
    const { total } = (await operate(service, 'GET', `/audit?action=order.create&subjectId=${first.body.id}`)).body
    expect(total).toBe(1)
  })

  test('placing an order requires operator.orders.write', async () => {
    expect(refusalOf(await place({ source: 'app' }, SECRET))).toBe('401 insufficientScope')
  })
})

describe('ruling 63: appCollection', () => {
  test('appCollection finds a test that a collector’s app recorded before its order arrived', async () => {
    const participant = somebody()
    const recorded = (await place({ source: 'app', participant, testReason: 'unknown', location: { id: 'acme-yard' } }))
      .body
    await applied(service, messageAbout(recorded, { kind: 'collector', event: 'collected', specimen: { id: 'APP-1' } }))
    const answer = await post(service, body({ participant, ...APP }))
    expect(answer).toMatchObject({
      status: 200,
      body: { id: recorded.id, status: 'pending', matched: { originalSource: 'app', score: 100 } },
    })
  })

  test.each(['portal', 'import'])(
    'appCollection does not find an order of the source %s, which the profile standard does',
    async (source) => {
      const participant = somebody()
      const { id } = (await place({ source, participant })).body
      expect((await post(service, body({ participant, ...APP }))).status).toBe(201)
      const other = somebody()
      const second = (await place({ source, participant: other })).body
      const answer = await post(service, body({ participant: other, orderMatching: { enabled: true } }))
      expect(answer).toMatchObject({ status: 200, body: { id: second.id, matched: { originalSource: source } } })
      expect(id).not.toBe(second.id)
    },
  )

  test('an operator’s order can match too, and the audit log records who saw the participant', async () => {
    const participant = somebody()
    const first = (await place({ source: 'app', participant })).body
    const answer = await place({ source: 'import', participant, ...APP })
    expect(answer).toMatchObject({ status: 200, body: { id: first.id, matched: { originalSource: 'app' } } })
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${first.id}`)).body
    expect(data.map(({ action }: { action: string }) => action)).toEqual(['order.read', 'order.create'])
  })
})
