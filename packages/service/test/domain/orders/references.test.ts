import { describe, expect, test } from 'vitest'
import { findAgency, findJobCategory, findLocation, findPackage } from '../../../src/domain/orders/references.ts'
import { body, DOT_URINE, facts, NOW, POLICY, problemCodes } from '../../support/orders.ts'
import { checkOrder } from '../../../src/domain/orders/create.ts'

const north = { id: '1', name: 'North' }
const northAgain = { id: '2', name: 'North' }
const shouting = { id: '3', name: 'NORTH' }
const south = { id: '4', name: 'South' }
const none = { kind: 'none' }
const several = (...values: object[]) => ({ kind: 'several', values })
const unnamed = { kind: 'unnamed' }
const one = (value: object) => ({ kind: 'one', value })

describe('a location is found by id, by exact name, or by both', () => {
  test.each([
    ['by id', { id: '2' }, one(northAgain)],
    ['by exact name', { name: 'South' }, one(south)],
    ['by both, which agree', { id: '1', name: 'North' }, one(north)],
    ['by both, which disagree', { id: '1', name: 'South' }, none],
    ['by both in another case', { id: '1', name: 'north' }, none],
    ['by an id that is not known', { id: '9' }, none],
    ['by an id that is not known and a name that is', { id: '9', name: 'South' }, none],
    ['by a name that is not known', { name: 'West' }, none],
    ['by a name in another case', { name: 'south' }, none],
    ['by a name that fits several', { name: 'North' }, several(north, northAgain)],
    ['by nothing', {}, unnamed],
    ['without a reference', undefined, unnamed],
  ])('a location is looked up %s', (_, reference, found) => {
    expect(findLocation(reference, [north, northAgain, shouting, south])).toEqual(found)
  })
})

describe('a package is found by exact name first, then ignoring case', () => {
  test.each([
    ['by id', { id: '3' }, [north, shouting], one(shouting)],
    ['by exact name, though another differs only in case', { name: 'North' }, [north, shouting], one(north)],
    ['by a name in another case', { name: 'sOUTH' }, [north, south], one(south)],
    [
      'by a name in another case, with accents composed differently',
      { name: 'CAFE\u0301' },
      [{ id: '5', name: 'café' }],
      one({ id: '5', name: 'café' }),
    ],
    ['by a name in another case that fits several', { name: 'north' }, [north, shouting], several(north, shouting)],
    ['by exact name, where several have the name', { name: 'North' }, [north, northAgain], several(north, northAgain)],
    ['by both, which agree but for case', { id: '1', name: 'north' }, [north, shouting], one(north)],
    ['by both, which disagree', { id: '1', name: 'South' }, [north, south], none],
    ['by an id that is not known', { id: '9' }, [north], none],
    ['by a name that is not known', { name: 'West' }, [north], none],
    ['by part of a name', { name: 'Nor' }, [north], none],
    ['by nothing', {}, [north], unnamed],
  ])('a package is looked up %s', (_, reference, candidates, found) => {
    expect(findPackage(reference, candidates)).toEqual(found)
  })
})

describe('an agency is found by id or by code in any case', () => {
  test.each([
    ['by code', { code: 'FRA' }, one({ code: 'FRA' })],
    ['by code in another case', { code: 'fMcSa' }, one({ code: 'FMCSA' })],
    ['by id', { id: 'uscg' }, one({ code: 'USCG' })],
    ['by both, which agree', { id: 'faa', code: 'Faa' }, one({ code: 'FAA' })],
    ['by both, which disagree', { id: 'faa', code: 'FRA' }, none],
    ['by an id in another case', { id: 'FAA' }, none],
    ['by a code that is not known', { code: 'NASA' }, none],
    ['by nothing', {}, unnamed],
  ])('an agency is looked up %s', (_, reference, found) => {
    expect(findAgency(reference)).toMatchObject(found)
  })
})

describe('a job category of the agency is found by id or exact name', () => {
  const fra = findAgency({ code: 'FRA' })
  const agency = fra.kind === 'one' ? fra.value : undefined!

  test.each([
    ['by name', { name: 'Train Service' }, one({ id: 'train-service', name: 'Train Service' })],
    ['by id', { id: 'dispatcher-operation' }, one({ id: 'dispatcher-operation', name: 'Dispatcher/Operation' })],
    ['by both, which agree', { id: 'other', name: 'Other' }, one({ id: 'other', name: 'Other' })],
    ['by both, which disagree', { id: 'other', name: 'Mechanical' }, none],
    ['by a name in another case', { name: 'train service' }, none],
    ['by a category of another agency', { name: 'Flight Attendant' }, none],
    ['by nothing', {}, unnamed],
  ])('a job category is looked up %s', (_, reference, found) => {
    expect(findJobCategory(reference, agency)).toEqual(found)
  })
})

describe('POST /orders: references', () => {
  test('references that are known cause no problem', () => {
    expect(problemCodes(body())).toEqual([])
  })

  test.each(['location', 'package'] as const)('a %s with neither id nor name is required', (member) => {
    expect(problemCodes(body({ [member]: {} }), { [member]: unnamed })).toEqual([`required /${member}`])
  })

  test.each(['location', 'package'] as const)('a missing %s is reported once', (member) => {
    expect(problemCodes(body({ [member]: undefined }), { [member]: unnamed })).toEqual([`required /${member}`])
  })

  test('an unknown location and an unknown package are both reported', () => {
    expect(problemCodes(body(), { location: { kind: 'none' }, package: { kind: 'none' } })).toEqual([
      'invalidValue /location',
      'invalidValue /package',
    ])
  })

  test('a partly malformed reference is reported once', () => {
    expect(problemCodes(body({ location: { id: 5 } }), { location: { kind: 'unnamed' } })).toEqual([
      'invalidType /location/id',
    ])
    expect(problemCodes(body({ agency: { code: 5 } }), { services: [DOT_URINE] })).toEqual(['invalidType /agency/code'])
    expect(problemCodes(body({ agency: 5 }), { services: [DOT_URINE] })).toEqual(['invalidType /agency'])
  })

  test('an empty draft lacks its references even without the schema', () => {
    const given = facts({ location: { kind: 'unnamed' }, package: { kind: 'unnamed' } })
    expect(checkOrder({}, given, { policy: POLICY, now: NOW }).map(({ pointer }) => pointer)).toEqual([
      '/location',
      '/package',
    ])
  })
})
