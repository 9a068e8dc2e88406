import { describe, expect, test } from 'vitest'
import {
  composeView,
  findIdentifierValues,
  changedView,
  presentOrder,
  presentParticipant,
  removeRenderedIdentifiers,
  renderPage,
  renderView,
  withoutIdentifiers,
  withoutParticipant,
} from '../../../src/domain/orders/view.ts'
import { orderOf } from '../../support/orders.ts'

const SSN = { type: 'ssn', value: '536-22-8841', issuingCountry: null, issuingState: null }
const ORDER = orderOf({
  participant: { firstName: '"},{', identifiers: [SSN] },
  otherTestReason: 'a "quoted" } reason',
})
const { identifiers, ...REDACTED } = presentParticipant(ORDER.participant)
const parsed = (text: string) => JSON.parse(text) as unknown

describe('the view of an order', () => {
  test('a rendered view has the members of the order and of the participant', () => {
    const participant = { ...REDACTED, identifiers }
    expect(parsed(renderView(composeView(ORDER)))).toEqual({ ...presentOrder(ORDER), participant })
  })

  test('a rendered match has the member matched', () => {
    const matched = { originalSource: 'api', score: 98.5 } as const
    const rendered = renderView(withoutParticipant(composeView(ORDER)), matched)
    expect(parsed(rendered)).toEqual({ ...presentOrder(ORDER), matched })
  })

  test('a view without the participant has all other members', () => {
    expect(parsed(renderView(withoutParticipant(composeView(ORDER))))).toEqual(presentOrder(ORDER))
  })

  test('a view without identifiers is the same whether they are removed before or after rendering', () => {
    const view = composeView(ORDER)
    expect(parsed(renderView(withoutIdentifiers(view)))).toEqual({ ...presentOrder(ORDER), participant: REDACTED })
    expect(removeRenderedIdentifiers(renderView(view))).toBe(renderView(withoutIdentifiers(view)))
  })

  test('identifiers are removed from no rendered view without a participant', () => {
    const rendered = renderView(withoutParticipant(composeView(ORDER)))
    expect(removeRenderedIdentifiers(rendered)).toBe(rendered)
  })

  test('a page of views has its limit, number and total', () => {
    const view = composeView(ORDER)
    const text = renderPage({ rows: [{ view }, { view: withoutParticipant(view) }], total: 7 }, { limit: 2, page: 3 })
    const data = [parsed(renderView(view)), presentOrder(ORDER)]
    expect(parsed(text)).toEqual({ data, limit: 2, page: 3, total: 7 })
  })

  test('identifier values are found in a rendered view, and in no other body', () => {
    expect(findIdentifierValues(Buffer.from(renderView(composeView(ORDER))))).toEqual([SSN.value])
    expect(findIdentifierValues(Buffer.from('{"object":"event"}'))).toEqual([])
  })
})

describe('a visible change of an order', () => {
  const later = { updatedAt: new Date(ORDER.updatedAt.getTime() + 1_000) }

  test('a change of updatedAt alone is not visible', () => {
    expect(changedView(ORDER, { ...ORDER, ...later })).toBeNull()
  })

  test('a change of a member that no representation has is not visible', () => {
    expect(changedView(ORDER, { ...ORDER, ...later, billingCode: 'B-1' })).toBeNull()
  })

  test.each([
    ['the status', { status: 'pending' as const }],
    ['the participant', { participant: { ...ORDER.participant, email: 'maria@example.com' } }],
    ['the identifiers', { participant: { ...ORDER.participant, identifiers: [] } }],
  ])('a change of %s is visible', (_, members) => {
    const changed = { ...ORDER, ...later, ...members }
    expect(changedView(ORDER, changed)).toEqual(composeView(changed))
  })

  test('a screen of a DOT test before the medical review is not visible', () => {
    const members = { ...ORDER, participant: {} }
    const service = { isDot: true, requiresMro: true, status: 'mroReview' as const }
    const before = orderOf({ ...members, services: [service] })
    const screened = { ...service, screens: [{ type: 'initial', at: ORDER.createdAt }] }
    expect(changedView(before, orderOf({ ...members, services: [screened] }))).toBeNull()
  })
})
