import { CreateOrder, parse } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import { resolveOrder } from '../../../src/domain/orders/create.ts'
import { body, DOT_URINE, facts, service } from '../../support/orders.ts'

const settings = (members: object) => ({ settings: { schedulingOption: 'link', ...members } })
const underFra = { agency: { code: 'fra' }, jobCategory: { name: 'Train Service' } }
const dotUrine = { services: [DOT_URINE] }

describe('resolveOrder', () => {
  const now = new Date('2026-03-02T15:04:05.678Z')
  const resolve = (sent: object, given: Parameters<typeof facts>[0] = {}) => {
    const parsed = parse(CreateOrder, sent)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    return resolveOrder(parsed.value, facts(given), now)
  }

  test('an order is resolved to its location, package, agency, job category and reason', () => {
    const sent = body({ ...underFra, testReason: 'other', otherTestReason: 'a whim' })
    expect(resolve(sent, dotUrine)).toMatchObject({
      location: { id: 'loc_1', companyId: 'cmp_1' },
      package: { id: 'pkg_1', services: [DOT_URINE] },
      agency: { code: 'FRA' },
      jobCategory: { id: 'train-service', name: 'Train Service' },
      testReason: 'other',
      otherTestReason: 'a whim',
      observed: false,
    })
  })

  test('a member that the request leaves out is null', () => {
    expect(resolve(body())).toMatchObject({ agency: null, jobCategory: null, otherTestReason: null, expiresAt: null })
  })

  test('an order is observed if the request says so', () => {
    expect(resolve(body(settings({ observedCollection: '1' }))).observed).toBe(true)
  })

  test.each([
    ['link', 'linkSent', null],
    ['order', 'ordered', null],
    ['schedule', 'scheduled', 'closestToParticipant'],
  ])('services of %s start as %s', (schedulingOption, status, mode) => {
    expect(resolve(body(settings({ schedulingOption })))).toMatchObject({
      serviceStatus: status,
      scheduling: { option: schedulingOption, mode },
    })
  })

  test.each([
    [{ expiresIn: 5 }, {}, '2026-03-07T15:04:05.678Z'],
    [{ expiresIn: '36', expiresInUnit: 'hours' }, {}, '2026-03-04T03:04:05.678Z'],
    [{ expiresIn: 0.5 }, {}, '2026-03-03T03:04:05.678Z'],
    [{}, { expiresIn: 2 }, '2026-03-04T15:04:05.678Z'],
    [{}, { expiresIn: 2, expiresInUnit: 'hours' }, '2026-03-02T17:04:05.678Z'],
    [{ expiresInUnit: 'hours' }, { expiresIn: 2 }, '2026-03-04T15:04:05.678Z'],
    [{ expiresIn: 1 }, { expiresIn: 2, expiresInUnit: 'hours' }, '2026-03-03T15:04:05.678Z'],
  ] as const)('an order with the settings %j over %j expires at %s', (sent, own, expiresAt) => {
    expect(resolve(body(settings(sent)), { settings: own }).expiresAt?.toISOString()).toBe(expiresAt)
  })

  test('phones are normalised to E.164, the rest is kept as sent', () => {
    const requester = { ...body().requester, phone: '630 555 0100' }
    const resolved = resolve(body({ requester, deliveryMethods: [{ type: 'mobile', phone: '630 555 0101' }] }))
    expect(resolved.requester).toEqual({ ...requester, phone: '+16305550100' })
    expect(resolved.deliveryMethod).toEqual({ type: 'mobile', phone: '+16305550101' })
    expect(resolve(body())).toMatchObject({
      requester: body().requester,
      deliveryMethod: { type: 'email', to: 'maria@example.com' },
    })
  })

  test('a request that was not checked is not resolved', () => {
    expect(() => resolve(body(), { location: { kind: 'none' } })).toThrow('checked')
  })

  test('a service keeps its category and type of the catalog', () => {
    const lab = { id: 'lab_1', name: 'Lab' }
    expect(resolve(body(), { services: [service({ lab })] }).package.services[0]?.lab).toEqual(lab)
  })
})
