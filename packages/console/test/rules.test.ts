import { describe, expect, test } from 'vitest'
import { ORDER_STATUSES, SERVICE_STATUSES } from '@order-testing/contract'
import { hasResult } from '../../service/src/domain/orders/statuses.ts'
import { resultsOf as resultsInService } from '../../service/src/domain/orders/service-life.ts'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { resultsOf } from '../src/pages/order/rules.ts'
import { isResult, LOOKS } from '../src/parts/statuses.ts'

describe('the statuses of the console', () => {
  const all = [...new Set([...ORDER_STATUSES, ...SERVICE_STATUSES])]

  test('every status of the service has a shape, a color and a word in each language', () => {
    expect(Object.keys(LOOKS).toSorted()).toEqual(all.toSorted())
    for (const words of [en, es]) expect(Object.keys(words.statuses).toSorted()).toEqual(all.toSorted())
  })

  test('a status is a result where the service says so', () => {
    for (const status of SERVICE_STATUSES) expect([status, isResult(status)]).toEqual([status, hasResult(status)])
  })
})

test.each(['drug', 'alcohol', 'occupationalHealth', 'background', 'custom'])(
  'corrections of a %s service offer the results that the service allows',
  (category) => {
    for (const isDot of [false, true]) {
      const kind = { category, type: 'urine', isDot, requiresMro: false }
      const allowed = resultsInService(kind).filter((status) => hasResult(status))
      expect([...resultsOf({ category, isDot })].toSorted()).toEqual(allowed.toSorted())
    }
  },
)
