import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showCounts, type CompanyCount } from '../../../src/domain/figures/suppression.ts'

const KIND = { isDot: false, testReason: 'random' }
const at = (companyId: string, tests: number, positive: number, kind: object = {}): CompanyCount => ({
  ...KIND,
  companyId,
  tests,
  positive,
  ...kind,
})
const shown = (all: CompanyCount[], companyId?: string) =>
  showCounts(all, companyId).map(({ testReason, tests, positive }) => [testReason, tests, positive])

describe('counts that are shown', () => {
  test('a company is hidden if the tenant’s count would tell that of the only other one', () => {
    const all = [at('a', 12, 6), at('b', 3, 1)]
    expect(shown(all)).toEqual([['random', 15, 7]])
    expect(shown(all, 'a')).toEqual([['random', null, null]])
    expect(shown(all, 'b')).toEqual([['random', null, null]])
  })

  test('positives of a company are hidden if those of the others would be few, though their tests are many', () => {
    const all = [at('a', 20, 6), at('b', 10, 1)]
    expect(shown(all)).toEqual([['random', 30, 7]])
    expect(shown(all, 'a')).toEqual([['random', 20, null]])
  })

  test('a company is shown if it is the only one, or if enough is left besides it', () => {
    expect(shown([at('a', 12, 6)], 'a')).toEqual([['random', 12, 6]])
    expect(shown([at('a', 12, 6), at('b', 30, 10)], 'a')).toEqual([['random', 12, 6]])
  })

  test('a single small company among many hides the next smallest too', () => {
    const all = [at('a', 40, 10), at('b', 20, 10), at('c', 3, 1)]
    expect(shown(all, 'a')).toEqual([['random', 40, 10]])
    expect(shown(all, 'b')).toEqual([['random', null, null]])
  })

  test('a single small kind of test hides the next smallest, because the number of all results is known', () => {
    const all = [
      at('a', 40, 10),
      at('a', 20, 6, { testReason: 'preEmployment' }),
      at('a', 3, 0, { testReason: 'other' }),
    ]
    expect(shown(all)).toEqual([
      ['random', 40, 10],
      ['preEmployment', null, null],
      ['other', null, null],
    ])
  })

  test('few negative results are hidden, which would follow from the positive ones', () => {
    expect(shown([at('a', 9, 8)])).toEqual([['random', 9, null]])
  })

  test('what is left of the tenant without the companies that are shown is nothing, or at least five of each', () => {
    const counts = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(counts, (pairs) => {
        const all = pairs.map(([positive, negative], i) => at(`company-${i}`, positive + negative, positive))
        const [total] = showCounts(all, undefined)
        if (!total) return
        const parts = all.filter(({ tests }) => tests > 0).map(({ companyId }) => showCounts(all, companyId)[0]!)
        for (const member of ['tests', 'positive'] as const) {
          const hidden = parts.filter((part) => part[member] === null).length
          if (total[member] === null || hidden === 0) continue
          const left = total[member] - parts.reduce((sum, part) => sum + (part[member] ?? 0), 0)
          expect(hidden).toBeGreaterThan(1)
          expect(left).toBeGreaterThanOrEqual(5)
        }
      }),
    )
  })
})
