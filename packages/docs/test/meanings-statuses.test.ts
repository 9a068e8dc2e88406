import {
  ORDER_STATUS_MEANINGS,
  ORDER_STATUSES,
  SERVICE_STATUS_MEANINGS,
  SERVICE_STATUSES,
  type OrderStatus,
} from '@order-testing/contract'
import { hasOutcome, isClosed } from '@order-testing/service/domain/orders/statuses'
import { describe, expect, test } from 'vitest'
import { statusesPage } from '../src/meanings/statuses.ts'
import { followingOf, nameKinds, orderFollowing } from '../src/meanings/transitions.ts'

const { markdown } = statusesPage()

/** The cells of the row about a status. */
const rowOf = (anchor: string) =>
  (markdown.split('\n').find((line) => line.includes(`<a id="${anchor}">`)) ?? '')
    .split(' | ')
    .map((cell) => cell.trim())

test.each(ORDER_STATUSES)('nobody acts on an order that is %s exactly if it is closed', (status) => {
  expect(ORDER_STATUS_MEANINGS[status].next.length === 0).toBe(isClosed(status))
})

test.each(SERVICE_STATUSES)('nobody acts on a service that is %s exactly if it is closed', (status) => {
  expect(SERVICE_STATUS_MEANINGS[status].next.length === 0).toBe(isClosed(status))
})

test('the page has a row for every status of orders and services, with its meaning', () => {
  for (const status of ORDER_STATUSES)
    expect(rowOf(`order-${status}`)[1]).toContain(ORDER_STATUS_MEANINGS[status].meaning)
  for (const status of SERVICE_STATUSES)
    expect(rowOf(`service-${status}`).join(' ')).toContain(SERVICE_STATUS_MEANINGS[status].meaning)
})

describe('The life of an order: what may follow', () => {
  test.each([
    ['ordered', '`linkSent`, `scheduled`, `checkedIn`, `inProgress` (health examinations and background checks)'],
    ['scheduled', '`scheduled`, `checkedIn`, `noShow`'],
    ['collected', '`inTransit`, `receivedAtLab`, `lostInTransit`, `testCancelled`'],
    ['inTransit', '`receivedAtLab`, `lostInTransit`'],
    ['lostInTransit', '`receivedAtLab`, `scheduled`, `testCancelled`'],
    ['receivedAtLab', '`testing`, `testCancelled`'],
    ['nonNegative', '`inTransit`, `testing`, `mroReview`, `negative`, `positive`, `fail`'],
    ['mroReview', '`negative`, `negativeDilute`, `positive`, `adulterated`, `substituted`, `testCancelled`'],
    ['inProgress', 'any result'],
    ['integrationError', 'the status before'],
  ])('a service that is %s may become: %s', (status, following) => {
    expect(rowOf(`service-${status}`).at(-1)).toBe(`${following} |`)
  })

  test('only tests that are read on site have a result at check-in, and only those without a review in the laboratory', () => {
    expect(rowOf('service-checkedIn').at(-1)).toContain('any result (tests that are read on site)')
    expect(rowOf('service-testing').at(-1)).toBe(
      '`mroReview` (tests with a medical review), `nonNegative` (drug tests without a medical review), any result (tests without a medical review) |',
    )
  })

  test('nothing follows a closed status', () => {
    for (const status of SERVICE_STATUSES.filter((each) => isClosed(each))) {
      expect([...followingOf(status).statuses.keys()]).toEqual([])
      expect(followingOf(status).anyResult).toEqual([])
    }
  })

  test('every set of kinds on the page has a short name', () => {
    for (const status of SERVICE_STATUSES) {
      const { statuses, anyResult, kinds } = followingOf(status)
      for (const names of [anyResult, ...statuses.values()]) expect(nameKinds(names, kinds)).not.toContain(',')
    }
  })
})

describe('what may follow for orders', () => {
  const following = orderFollowing()

  test('closed orders do not change, and every open order can be cancelled', () => {
    for (const status of ORDER_STATUSES) expect(following.has(status)).toBe(!isClosed(status))
    for (const next of following.values()) expect(next).toContain('cancelled')
  })

  test.each<[OrderStatus, OrderStatus[], OrderStatus[]]>([
    ['ordered', ['scheduled', 'pending', 'expired'], ['negative', 'incomplete', 'lostInTransit']],
    ['scheduled', ['pending', 'noShow', 'expired'], ['negative', 'lostInTransit']],
    ['pending', ['negative', 'positive', 'incomplete', 'lostInTransit'], ['expired']],
    ['incomplete', ['pending'], ['ordered', 'expired']],
  ])('an order that is %s may become %j, but not %j', (status, possible, impossible) => {
    expect([...following.get(status)!]).toEqual(expect.arrayContaining(possible))
    expect(impossible.filter((each) => following.get(status)!.has(each))).toEqual([])
  })
})

test('States and transitions: cancelled, expired and no-show orders have no outcome', () => {
  expect(ORDER_STATUSES.filter((status) => isClosed(status) && !hasOutcome(status))).toEqual([
    'cancelled',
    'expired',
    'noShow',
  ])
  expect(markdown).toContain('| Closed without an outcome | `false` | `cancelled`, `expired`, `noShow` |')
})

test.each([
  ['`negative`, `positive`', 'positive'],
  ['`negative`, `fitForDuty`', 'pass'],
  ['`negative`, `scheduled`', 'incomplete'],
  ['`negativeDilute`, `negative`', 'negative'],
  ['`noShow`, `expired`', 'noShow'],
  ['`lostInTransit`, `negative`', 'lostInTransit'],
])('services that are %s make an order that is %s', (services, status) => {
  expect(markdown).toContain(`| ${services} | \`${status}\` |`)
})
