import { describe, expect, test } from 'vitest'
import { ClinicSearch } from '../src/clinics.ts'
import { CreateOrder } from '../src/create-order.ts'
import { createOrder, listOrders } from '../src/orders.ts'
import { parsePartly } from '../src/partial.ts'
import { parse } from '../src/problems.ts'

const orderRequest = createOrder.example.body

describe('an unknown name suggests the nearest known one', () => {
  const parameter = (query: object) => details(parse(listOrders.query, query, 'parameter'))

  test.each([
    ['location', ' Did you mean "locationId"?'],
    ['Status', ' Did you mean "status"?'],
    ['pgae', ' Did you mean "page"?'],
    ['updatedForm', ' Did you mean "updatedFrom"?'],
    ['compny_id', ' Did you mean "companyId"?'],
    ['order', ''],
    ['q', ''],
    ['createdFrom'.repeat(6), ''],
  ])('the answer to the unknown parameter %j ends with the suggestion %j', (name, suggestion) => {
    expect(parameter({ [name]: '1' })).toEqual([`Unknown parameter "${name}".${suggestion}`])
  })

  test('names are suggested in objects, lists, unions and optional members of a body', () => {
    const body = {
      ...orderRequest,
      testreason: 'random',
      participant: { ...orderRequest.participant, identifiers: [{ type: 'ssn', value: '1', issuingSate: 'IL' }] },
      callback: { url: 'https://a.example', auth: { type: 'bearer', token: 'a', secretkey: 'b' } },
    }
    expect(details(parse(CreateOrder, body))).toEqual([
      'Unknown member "issuingSate". Did you mean "issuingState"?',
      'Unknown member "secretkey". Did you mean "secretKey"?',
      'Unknown member "testreason". Did you mean "testReason"?',
    ])
    expect(parsePartly(CreateOrder, body).problems.map(({ detail }) => detail)).toEqual(
      details(parse(CreateOrder, body)),
    )
    expect(details(parse(ClinicSearch, { near: { address: { citty: 'Aurora' } } }))).toEqual([
      'Unknown member "citty". Did you mean "city"?',
    ])
  })

  test('suggestions are cheap, however many unknown names there are', () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`participnt${i}`.padEnd(60, 'x'), 1]))
    const identifiers = Array.from({ length: 2_000 }, () => ({ type: 'ssn', value: '1', issuingStat: 'IL' }))
    const started = performance.now()
    parse(CreateOrder, { ...unknown, participant: { identifiers } })
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

function details(result: ReturnType<typeof parse>): string[] {
  return result.ok ? [] : result.problems.map(({ detail }) => detail)
}
