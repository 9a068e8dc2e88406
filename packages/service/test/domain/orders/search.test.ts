import { describe, expect, test } from 'vitest'
import { shortName } from '../../../src/domain/masks.ts'
import { maskToName } from '../../../src/domain/orders/masked.ts'
import { judgeHit } from '../../../src/domain/orders/search-hits.ts'
import { prefixedIdsOf, searchKeysOf } from '../../../src/domain/orders/search-keys.ts'
import { keysOf, kindsOf, parseQuery } from '../../../src/domain/orders/search-query.ts'
import type { Participant } from '../../../src/domain/orders/order.ts'
import { orderOf } from '../../support/orders.ts'

const person = (participant: Partial<Participant> = {}) => orderOf({ participant })

/** What a query finds an order by, given what the store has of it. */
function finds(query: string, order: ReturnType<typeof orderOf>): string[] | null {
  const terms = parseQuery(query)
  const keys = new Set(searchKeysOf(order))
  const isFound = terms.every(
    (term) =>
      keysOf(term, { isLoose: true }).some((key) => keys.has(key)) ||
      prefixedIdsOf(order).some((id) =>
        term.some((reading) => reading.kind === id.kind && id.text.startsWith(reading.text)),
      ),
  )
  return isFound ? (judgeHit(order, terms)?.matchedOn ?? null) : null
}

describe('the text of a search box', () => {
  test.each([
    ['maria@example.com', ['email']],
    ['1990-03-07', ['birthDate']],
    ['3/7/1990', ['birthDate']],
    ['3-7-90', ['birthDate']],
    ['07.03.1990', ['birthDate']],
    ['Mar 7, 1990', ['birthDate']],
    ['7 March 1990', ['birthDate']],
    ['(630) 555-0100', ['specimenId', 'externalId', 'phone']],
    ['+1 630 555 0100', ['specimenId', 'externalId', 'phone']],
    ['6305550100', ['specimenId', 'externalId', 'phone']],
    ['ord_01kjqj55sex7n2nn9cq6avnj72', ['id']],
    ['K7M4-2QXD', ['code', 'specimenId', 'externalId']],
    ['k7m4 2q', ['code']],
    ['ana ng', ['name']],
    ['Mary Ann', ['name']],
    ['hzge-pvya', ['code']],
    ['Maria', ['specimenId', 'externalId', 'name']],
    ['Maya', ['code', 'specimenId', 'externalId', 'name']],
    ['Nuñez-Ortiz', ['name']],
    ['Maya Lopez', ['name']],
    ['HR-4471', ['specimenId', 'externalId']],
    ['19900307', ['specimenId', 'externalId', 'birthDate']],
    ['  ,  ', []],
  ])('%s is read as %s', (query, kinds) => {
    expect(kindsOf(parseQuery(query))).toEqual(kinds)
  })

  test('a date with slashes is read month first and day first', () => {
    expect(parseQuery('3/7/1990')).toEqual([
      [
        { kind: 'birthDate', date: '1990-03-07' },
        { kind: 'birthDate', date: '1990-07-03' },
      ],
    ])
    expect(parseQuery('13/2/1990')).toEqual([[{ kind: 'birthDate', date: '1990-02-13' }]])
  })

  test('a day that does not exist is not a birth date', () => {
    expect(kindsOf(parseQuery('1990-02-30'))).not.toContain('birthDate')
  })

  test('a query of several kinds has a term for each', () => {
    const terms = parseQuery('Lopez, Maria 3/7/1990 maria@example.com')
    expect(terms.map((term) => term[0]!.kind)).toEqual(['email', 'birthDate', 'name', 'name'])
  })
})

describe('what an order is found by', () => {
  test('an order is found by every word of a name, in any order and without accents or case', () => {
    const order = person({ firstName: 'José', middleName: 'Luis', lastName: 'Núñez-Ortiz' })
    expect(finds('nunez jose', order)).toEqual(['firstName', 'lastName'])
    expect(finds('ORTIZ', order)).toEqual(['lastName'])
    expect(finds('luis', order)).toEqual(['middleName'])
    expect(finds('jose miller', order)).toBeNull()
    expect(finds('nun', order)).toBeNull()
  })

  test('an order is found by a name that sounds alike, behind one that is equal', () => {
    const terms = parseQuery('Smyth')
    const [alike, equal] = [person({ lastName: 'Smith' }), person({ lastName: 'Smyth' })]
    expect(finds('Smyth', alike)).toEqual(['lastName'])
    expect(judgeHit(alike, terms)!.distance).toBeGreaterThan(judgeHit(equal, terms)!.distance)
    expect(finds('Catherine', person({ firstName: 'Kathryn' }))).toEqual(['firstName'])
  })

  test('an order is found by birth date, e-mail address and phone number, each in its usual spellings', () => {
    const order = person({ birthDate: '1990-03-07', email: 'Maria@Example.com', phone: '+16305550123' })
    expect(finds('3/7/1990 MARIA@example.COM', order)).toEqual(['birthDate', 'email'])
    expect(finds('(630) 555-0123', order)).toEqual(['phone'])
    expect(finds('6305550123', order)).toEqual(['phone'])
    expect(finds('3/8/1990', order)).toBeNull()
  })

  test('an order is found by the address that its link was sent to', () => {
    const order = orderOf({
      participant: { email: null },
      delivery: { type: 'email', to: 'link@example.com', cc: [] },
    })
    expect(finds('link@example.com', order)).toEqual(['email'])
  })

  test('an order is found by the beginning of an external id, of any length', () => {
    const order = orderOf({ externalId: 'REQ-2026-004417' })
    for (const prefix of ['req', 'req2', 'REQ-20', 'REQ-202', 'req-2026-0044', 'REQ-2026-004417'])
      expect([prefix, finds(prefix, order)]).toEqual([prefix, ['externalId']])
    expect(finds('REQ-2026-004418', order)).toBeNull()
    expect(finds('A1', orderOf({ externalId: 'a-1' }))).toEqual(['externalId'])
  })

  test('an order is found by the beginning of a specimen id', () => {
    const order = orderOf({})
    order.services[0]!.specimenId = 'HR-4471-9920'
    expect(finds('HR44719', order)).toEqual(['specimenId'])
  })
})

test('keys of an order hold each word once', () => {
  const keys = searchKeysOf(person({ firstName: 'Ana', middleName: null, lastName: 'Ana' }))
  expect(keys.filter((key) => key.startsWith('name'))).toEqual(['name ana'])
})

test('a masked participant has a first name and an initial', () => {
  const { firstName, lastName, ...rest } = maskToName(person({ firstName: 'Maria', lastName: 'Lopez' }).participant)
  expect([firstName, lastName]).toEqual(['Maria', 'L.'])
  expect(Object.values(rest).every((value) => value === null)).toBe(true)
})

test.each([
  ['Maria', 'Lopez', 'Maria L.'],
  ['Maria', ' lopez', 'Maria l.'],
  ['Maria', '', 'Maria'],
  ['', '𝒜da', '𝒜.'],
])('%j %j is shown as %j in lists', (firstName, lastName, shown) => {
  expect(shortName({ firstName, lastName })).toBe(shown)
})
