import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCandidates } from '@order-testing/contract/operator'
import { created, PERSON } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  applied,
  DISCREET_OPERATOR,
  messageAbout,
  operate,
  report,
  seenByOperator,
  staffed,
  tested,
} from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      services: [
        {
          id: 'reviewed',
          name: 'Reviewed',
          category: 'drug',
          type: 'urine',
          isDot: false,
          requiresMro: true,
          lab: { id: 'heartland', name: 'Heartland Toxicology' },
        },
      ],
      packages: [{ id: 'reviewed', name: 'Reviewed', services: ['reviewed'] }],
      offered: ['reviewed'],
    }),
  )
})
afterAll(() => service.stop())

const queued = async (message: object): Promise<string> => {
  const { status, body } = await report(service, message)
  expect(status).toBe(202)
  return body.id
}
const candidatesOf = async (id: string, secret?: string) =>
  readCandidates.reply.parse((await operate(service, 'GET', `/results/${id}/candidates`, undefined, secret)).body).data

describe('candidates of a queued report', () => {
  const born = { birthDate: '1961-02-03' }

  test('a report with a mistyped code finds the service of the person, and says what differs', async () => {
    const order = await created(service, { participant: { ...PERSON, firstName: 'Orla', lastName: 'Quist', ...born } })
    const participant = { firstName: 'Orla', lastName: 'Kwist', ...born }
    const id = await queued(messageAbout({ code: 'ZZZZ-ZZZZ' }, { participant }))
    expect(await candidatesOf(id)).toMatchObject([
      {
        rank: 1,
        serviceId: order.services[0].id,
        agrees: ['birthDate', 'firstName'],
        differs: ['orderCode', 'lastName', 'laboratory'],
        order: { code: order.code, participant: { firstName: 'Orla', lastName: 'Q.' } },
      },
    ])
    expect(await candidatesOf(id, DISCREET_OPERATOR)).toEqual([])
  })

  test('an order that an operator looks for is compared too, by its code or its specimen', async () => {
    const order = await created(service, { participant: { ...PERSON, firstName: 'Uma', lastName: 'Vance', ...born } })
    const id = await queued(messageAbout({ code: 'ZZZZ-ZZZZ' }, { participant: { lastName: 'Nobody' } }))
    expect(await candidatesOf(id)).toEqual([])
    const path = `/results/${id}/candidates?order=${order.code.toLowerCase()}`
    expect((await operate(service, 'GET', path)).body.data).toMatchObject([
      { serviceId: order.services[0].id, score: 0, differs: ['orderCode', 'lastName', 'laboratory'] },
    ])
    expect((await operate(service, 'GET', `/results/${id}/candidates?order=S-none`)).body.data).toEqual([])
  })

  test('the candidate that agrees in more comes first, and closed orders are left out', async () => {
    const person = { ...PERSON, firstName: 'Rhea', lastName: 'Zimmer', ...born }
    const cancelled = await created(service, { participant: person })
    await operate(service, 'PUT', `/orders/${cancelled.id}/cancellation`, { reason: 'Twice.' })
    const other = await created(service, { participant: { ...person, birthDate: '1961-02-04' } })
    const right = await created(service, { participant: person })
    const participant = { firstName: 'Rhea', lastName: 'Zimmer', ...born }
    const id = await queued(messageAbout({ code: 'ZZZZ-ZZZZ' }, { participant }))
    const found = await candidatesOf(id)
    expect(found.map(({ order }) => order.id)).toEqual([right.id, other.id])
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score)
    const body = { serviceId: found[0]!.serviceId }
    expect((await operate(service, 'POST', `/results/${id}/assignment`, body)).body.state).toBe('applied')
  })

  test('comparing people is recorded', async () => {
    const id = await queued(messageAbout({ code: 'ZZZZ-ZZZZ' }))
    await candidatesOf(id)
    const { total } = (await operate(service, 'GET', `/audit?action=result.candidates&subjectId=${id}`)).body
    expect(total).toBe(1)
  })
})

test("a laboratory's final of a reviewed test leaves the queue once the reviewer has reported", async () => {
  const order = await created(service, { package: { id: 'reviewed' } })
  const id = await queued(messageAbout(order, tested('positive')))
  const stateOf = async () => (await operate(service, 'GET', `/results?orderId=${order.id}`)).body.data
  expect(await stateOf()).toMatchObject([{ id, state: 'queued', why: 'reviewNeeded' }])
  await applied(service, messageAbout(order, { ...tested('negative'), sender: { kind: 'mro', id: 'mro-1' } }))
  const results = await stateOf()
  expect(results.find((each: { id: string }) => each.id === id)).toMatchObject({
    state: 'dismissed',
    settledAt: expect.any(String),
    settledBy: null,
  })
  expect((await seenByOperator(service, order.id)).order.status).toBe('negative')
})
