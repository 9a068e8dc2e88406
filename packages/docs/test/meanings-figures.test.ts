import { openapi } from '@order-testing/contract/openapi'
import { hasConflict, scorePair } from '@order-testing/service/domain/matching/score'
import { describe, expect, test } from 'vitest'
import { deliveriesPage } from '../src/meanings/deliveries.ts'
import { limitsPage } from '../src/meanings/limits.ts'
import { matchingPage, PAIRS } from '../src/meanings/matching.ts'
import { plannedAttempts } from '../src/meanings/schedule.ts'
import { limitOf, membersByLimit } from '../src/meanings/schemas.ts'

/** Expectations are literals of the interface and the rulings: a changed figure in the code shows here. */

describe('the page about deliveries', () => {
  const { markdown } = deliveriesPage()

  test('ruling 30: the schedule has the times of the ruling', () => {
    const [second, minute, hour] = [1, 60, 3600]
    expect(plannedAttempts('v2').map(({ wait }) => wait)).toEqual([
      ...[0, 5, 30].map((count) => count * second),
      ...[2, 5, 10, 15, 25].map((count) => count * minute),
      ...[2, 5, 10, 14, 20, 24].map((count) => count * hour),
    ])
    expect(plannedAttempts('v1')).toEqual(plannedAttempts('v2').slice(0, 8))
    expect(markdown).toContain(
      'v1 ends after 8 attempts and 57 minutes 35 seconds, v2 after 14 attempts and about 76 hours',
    )
    expect(markdown).toContain('by up to 10 %')
    expect(markdown).toContain('| 8 | 25 minutes | 57 minutes 35 seconds | yes | yes |')
    expect(markdown).toContain('| 9 | 2 hours | 2 hours 57 minutes 35 seconds | no | yes |')
  })

  test('ruling 29: the page says what counts as received', () => {
    expect(markdown).toContain('any **2xx** status, within **15 seconds**')
    expect(markdown).toContain('16 KiB are read at most')
    expect(markdown).toContain('| 429, 502, 503, 504 | Tried again later, at the earliest after 1 minute')
  })

  test('ruling 32: the page says when a receiver gets a break', () => {
    expect(markdown).toContain('After 5 failed attempts in a row')
    expect(markdown).toContain('stops sending to it for 30 seconds')
    expect(markdown).toContain('twice as long, up to 10 minutes')
  })

  test('ruling 48: the page shows the headers of a delivery', () => {
    for (const name of ['X-Event-Id', 'X-Delivery-Id', 'X-Delivery-Attempt', 'X-Signature', 'webhook-signature'])
      expect(markdown).toContain(`"${name}": "`)
  })
})

describe('the page about limits', () => {
  const { markdown } = limitsPage()

  test.each([
    ['Limits: items per page', '| `limit` | 1 to 20 | 20 |'],
    ['Limits: page number', '| `page` | 1 to 10,000 | 1 |'],
    ['Limits: filters', 'other text filters | 1 to 255 characters |'],
    ['Limits: deliveryMethods', '| `deliveryMethods` | exactly 1 item |'],
    ['Limits: otherTestReason', '| `otherTestReason` | 1 to 30 characters |'],
    ['Limits: matchScore', '| `orderMatching.matchScore` | 0 to 100 |'],
    ['Limits: expiresIn', '| `settings.expiresIn` | greater than 0, up to 100,000 |'],
    ['ruling 7: bodies', '| Body | 256 KiB | 413 `tooBig` |'],
    ['ruling 8: requests', '**1,200 requests** ⚙ in 1 minute'],
    ['ruling 9: keys', '1 to 255 characters, such as a UUID'],
    ['ruling 9: how long keys are kept', 'For 24 hours, the same key'],
    ['ruling 26: callback URLs', '| `callback.url` | up to 2,048 characters |'],
    ['ruling 39: lists', '| `deliveryMethods[].cc`, `participant.identifiers` | up to 50 items |'],
    ['ruling 39: headers', '| `callback.headers`, `callback.auth.custom` | up to 100 members'],
    ['ruling 39: problems', '| Problems listed in an error body | 100 |'],
    ['ruling 46: callbacks of an order', '| Active callbacks of an order | 10;'],
    ['ruling 47: resending', '| Resending an event | once in 1 minute |'],
  ])('%s: the page has the figure', (_, text) => {
    expect(markdown).toContain(text)
  })

  test('the billing code has the limit of the interface', () => {
    expect(membersByLimit('CreateOrder').get('1 to 255 characters')).toContain('settings.billingCode')
  })

  test('a limit that changes in the schema changes in words', () => {
    expect(limitOf({ type: 'string', maxLength: 7 })).toBe('up to 7 characters')
    expect(limitOf({ type: 'string', minLength: 2, maxLength: 7 })).toBe('2 to 7 characters')
    expect(limitOf({ type: 'array', minItems: 1, maxItems: 1 })).toBe('exactly 1 item')
    expect(limitOf({ type: 'number', exclusiveMinimum: 0, maximum: 9 })).toBe('greater than 0, up to 9')
    expect(limitOf({ type: 'string' })).toBe('')
  })
})

describe('the page about matching', () => {
  const { markdown } = matchingPage()

  test('Order matching: the page has the defaults of both profiles', () => {
    expect(markdown).toContain('Matching is off unless it is switched on')
    expect(markdown).toContain('| 30 days | 7 days |')
    expect(markdown).toContain('| `matchScore` | 0 to 100 | 85 | 90 |')
    expect(markdown).toContain('`api`, `portal`, `app`, `import`')
  })

  test('Order matching: the examples match or not as the rulings say', () => {
    const answers = PAIRS.map(({ a, b }) => scorePair(a, b, 'standard'))
    expect(answers.map(({ score }) => score)).toEqual([100, 98.8, 97, 93.3, 89.4, 60, 84, 60])
    expect(answers.map((each) => hasConflict(each))).toEqual([false, false, false, false, false, true, false, true])
    const rows = markdown.slice(markdown.indexOf('## Examples'), markdown.indexOf('## What a match'))
    expect(rows.match(/\| 200, exact match \|/g)).toHaveLength(1)
    expect(rows.match(/\| 200, match \|/g)).toHaveLength(4)
    expect(rows.match(/\| 201, new order \(conflict\) \|/g)).toHaveLength(2)
    expect(rows.match(/\| 201, new order \(score too low\) \|/g)).toHaveLength(1)
  })

  test('names alone do not reach the default score of either profile', () => {
    const person = { firstName: 'Maria', middleName: 'Elena', lastName: 'Lopez' }
    expect(scorePair(person, person, 'standard').score).toBeLessThan(85)
    expect(scorePair(person, person, 'appCollection').score).toBeLessThan(90)
  })

  test('decision 23: the page has neither weights nor the scores of near matches', () => {
    expect(markdown).not.toMatch(/weight/i)
    for (const score of ['97.0', '97.3', '93.3', '89.4', '84.6']) expect(markdown).not.toContain(score)
  })
})

test('the introduction of the API reference and these pages have the same figures', () => {
  const { description } = (openapi() as { info: { description: string } }).info
  const text = description.replaceAll(/\s+/g, ' ')
  const limits = limitsPage().markdown
  for (const figure of ['1,200 requests', '256 KiB', '1 to 20', '1 to 10,000', '24 hours']) {
    expect(text).toContain(figure)
    expect(limits).toContain(figure)
  }
  expect(text).toContain('pipeline at most 32 requests')
  expect(limits).toContain('(pipelining) | 32 |')
  expect(text).toContain('retried for about 76 hours (v1: about one hour)')
})
