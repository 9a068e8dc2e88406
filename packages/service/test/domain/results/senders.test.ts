import type { SenderKind } from '@order-testing/contract'
import type { ResultMessage } from '@order-testing/contract/operator'
import { describe, expect, test } from 'vitest'
import type { OrderService } from '../../../src/domain/orders/order.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import {
  checkSender,
  isLaboratoryOf,
  objectionTo,
  speakerOf,
  type Speaker,
} from '../../../src/domain/results/senders.ts'
import {
  correctService,
  goesToLaboratory,
  isReviewersDecision,
  moveService,
  nextStatuses,
  shownOf,
  wasCollected,
  wayTo,
} from '../../../src/domain/orders/service-life.ts'
import type { ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { orderOf } from '../../support/order-of.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const LAB = { id: 'heartland', name: 'Heartland Toxicology' }

type Given = Partial<OrderService> & { before?: ServiceStatus[] }

function service({ before = [], ...given }: Given = {}): OrderService {
  const { status = 'checkedIn' } = given
  const history = [...before, status].map((each) => ({ status: each, at: AT }))
  return orderOf({ createdAt: AT, services: [{ status, history, ...given }] }).services[0]!
}

const KINDS = {
  urine: { category: 'drug', type: 'urine' },
  'reviewed urine': { category: 'drug', type: 'urine', requiresMro: true },
  'DOT urine': { category: 'drug', type: 'urine', isDot: true },
  'instant urine': { category: 'drug', type: 'instantUrine' },
  'instant oral fluid': { category: 'drug', type: 'instantOralFluid' },
  'DOT instant oral fluid': { category: 'drug', type: 'instantOralFluid', isDot: true },
  breath: { category: 'alcohol', type: 'breath' },
  'DOT breath': { category: 'alcohol', type: 'breath', isDot: true },
  saliva: { category: 'alcohol', type: 'saliva' },
  audiogram: { category: 'occupationalHealth', type: 'audiogram' },
  'criminal record': { category: 'background', type: 'criminal' },
} satisfies Record<string, Given>

/** How something is refused. */
function refusalOf(work: () => unknown): [code: string | undefined, detail: string | undefined] {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return [error.problems[0]?.code, error.problems[0]?.detail]
    throw error
  }
  return [undefined, undefined]
}

describe('ruling 57: where a specimen goes', () => {
  test.each<[keyof typeof KINDS, boolean]>([
    ['urine', true],
    ['DOT urine', true],
    ['instant urine', false],
    ['instant oral fluid', false],
    ['DOT instant oral fluid', true],
    ['breath', false],
    ['DOT breath', false],
    ['saliva', true],
    ['audiogram', false],
    ['criminal record', false],
  ])('whether a laboratory tests %s is %s', (kind, expected) => {
    expect(goesToLaboratory(service(KINDS[kind]))).toBe(expected)
  })

  test('a specimen was collected if any status since the last booking says so, or there is a result', () => {
    const statuses = 'collected inTransit lostInTransit receivedAtLab testing nonNegative mroReview'
    for (const status of statuses.split(' ') as ServiceStatus[])
      expect([status, wasCollected(service({ status }))]).toEqual([status, true])
    for (const status of ['ordered', 'linkSent', 'scheduled', 'checkedIn', 'inProgress', 'cancelled'] as const)
      expect([status, wasCollected(service({ status }))]).toEqual([status, false])
    expect(wasCollected(service({ status: 'negative' }))).toBe(true)
    expect(wasCollected(service({ status: 'scheduled', before: ['collected', 'lostInTransit'] }))).toBe(false)
    expect(wasCollected(service({ status: 'integrationError', before: ['scheduled', 'collected'] }))).toBe(true)
  })

  test('a lost specimen is given up when another is to be collected, and only then', () => {
    const lost = service({ status: 'lostInTransit', specimenId: 'S-1' })
    expect(moveService(lost, 'scheduled', AT).specimenId).toBeNull()
    expect(moveService(lost, 'receivedAtLab', AT).specimenId).toBe('S-1')
    const booked = service({ status: 'scheduled', specimenId: 'S-1' })
    expect(moveService(booked, 'scheduled', AT).specimenId).toBe('S-1')
    expect(moveService(booked, 'checkedIn', AT).specimenId).toBe('S-1')
  })
})

describe('moves of a service', () => {
  test('a move that is not next is refused, and the answer says what is', () => {
    expect(refusalOf(() => moveService(service({ status: 'inTransit' }), 'negative', AT))).toEqual([
      'invalidState',
      'The service "Urine" is inTransit and cannot become negative. Its next status is one of receivedAtLab, lostInTransit, cancelled, integrationError.',
    ])
    const [code, detail] = refusalOf(() => moveService(service({ status: 'negative' }), 'testing', AT))
    expect([code, detail]).toEqual(['invalidState', expect.stringMatching(/can only be corrected\.$/)])
    expect(refusalOf(() => moveService(service({ status: 'cancelled' }), 'testing', AT))).toEqual([
      'invalidState',
      expect.stringMatching(/Its status is final\.$/),
    ])
  })

  test('a correction of nothing, or to what the service cannot have, is refused', () => {
    expect(refusalOf(() => correctService(service(), 'negative', AT))[0]).toBe('invalidState')
    expect(refusalOf(() => correctService(service({ status: 'negative' }), 'released', AT))[0]).toBe('invalidState')
  })

  test('a report ends an error on our side: the way leads back to the status before it, and on', () => {
    const failed = service({ status: 'integrationError', before: ['checkedIn', 'collected'] })
    expect(wayTo(failed, 'testing', { isReviewed: false })).toEqual(['collected', 'receivedAtLab', 'testing'])
    const early = service({ status: 'integrationError', before: ['inTransit'] })
    expect(wayTo(early, 'receivedAtLab', { isReviewed: false })).toEqual(['inTransit', 'receivedAtLab'])
    expect(nextStatuses(service({ status: 'integrationError' }))).toEqual(['ordered', 'cancelled'])
  })

  test('a move that is no result is never the reviewer’s decision', () => {
    for (const status of ['collected', 'cancelled', 'mroReview', 'nonNegative'] as const)
      expect([status, isReviewersDecision(service(KINDS['DOT urine']), status)]).toEqual([status, false])
  })

  test('a finding that stands first in a history is not shown', () => {
    const { status, history } = shownOf(
      service({ ...KINDS['reviewed urine'], status: 'mroReview', before: ['nonNegative'] }),
    )
    expect([status, history.map((entry) => entry.status)]).toEqual(['mroReview', ['mroReview']])
  })

  test('a finding after an error that was followed by something else brings nothing back', () => {
    const before: ServiceStatus[] = ['checkedIn', 'integrationError', 'checkedIn']
    const { history } = shownOf(service({ ...KINDS['reviewed urine'], status: 'nonNegative', before }))
    expect(history.map(({ status }) => status)).toEqual(before)
  })
})

describe('ruling 57: who may report a result', () => {
  const speaker = (kind: SenderKind, members: Partial<Speaker> = {}): Speaker => ({
    kind,
    id: `${kind}-1`,
    labs: null,
    ...members,
  })
  const said = (members: Partial<ResultMessage> = {}) =>
    ({ event: 'result', result: 'negative', match: {}, ...members }) as ResultMessage
  const specimen = { id: 'S-1' }

  /** Who makes the results of what, once a specimen was collected. */
  const MAKERS: Record<keyof typeof KINDS, string> = {
    urine: 'lab mro',
    'reviewed urine': 'lab mro',
    'DOT urine': 'lab mro',
    'instant urine': 'collector',
    'instant oral fluid': 'collector',
    'DOT instant oral fluid': 'lab mro',
    breath: 'bat collector',
    'DOT breath': 'bat collector',
    saliva: 'lab mro',
    audiogram: 'clinic',
    'criminal record': 'background',
  }
  const SENDERS = ['collector', 'courier', 'lab', 'mro', 'bat', 'clinic', 'background'] as const

  test.each(Object.entries(MAKERS) as [keyof typeof KINDS, string][])(
    'results of %s come from %s alone',
    (kind, makers) => {
      const isLabs = goesToLaboratory(service(KINDS[kind]))
      const of = service({ ...KINDS[kind], status: isLabs ? 'testing' : 'checkedIn' })
      for (const sender of SENDERS) {
        const expected = makers.split(' ').includes(sender) ? undefined : 'senderDiffers'
        expect([sender, objectionTo(said(), of, speaker(sender))]).toEqual([sender, expected])
        const event = ['drug', 'alcohol'].includes(of.category) ? 'screened' : 'inProgress'
        expect([sender, objectionTo(said({ event }), of, speaker(sender))]).toEqual([sender, expected])
        expect(objectionTo(said({ event: 'checkedIn' }), of, speaker(sender))).toBeUndefined()
      }
    },
  )

  test('that nothing was collected is the collection site’s to report', () => {
    for (const result of ['testNotPerformed', 'unobtainable'] as const) {
      for (const kind of ['urine', 'instant urine', 'breath'] as const) {
        for (const sender of ['collector', 'clinic'] as const)
          expect(objectionTo(said({ result }), service(KINDS[kind]), speaker(sender))).toBeUndefined()
      }
      expect(objectionTo(said({ result }), service(KINDS.urine), speaker('lab'))).toBe('notCollected')
      expect(objectionTo(said({ result }), service(KINDS.urine), speaker('bat'))).toBe('senderDiffers')
    }
  })

  test('a reading on the spot that was sent on is reported by laboratory and reviewer', () => {
    const sentOn = service({ ...KINDS['instant urine'], status: 'testing' })
    for (const sender of ['collector', 'lab', 'mro'] as const)
      expect(objectionTo(said(), sentOn, speaker(sender))).toBeUndefined()
    const read = service(KINDS['instant urine'])
    for (const sender of ['lab', 'mro'] as const)
      expect(objectionTo(said(), read, speaker(sender))).toBe('senderDiffers')
  })

  test('a result of what was never collected needs a specimen and the service’s own laboratory or reviewer', () => {
    const own = speaker('lab', { id: LAB.id })
    const of = service({ ...KINDS.urine, lab: LAB })
    expect(objectionTo(said({ specimen }), of, own)).toBeUndefined()
    expect(objectionTo(said({ match: { specimenId: 'S-1' } }), of, own)).toBeUndefined()
    expect(objectionTo(said(), of, own)).toBe('notCollected')
    expect(objectionTo(said({ specimen }), of, speaker('lab'))).toBe('notCollected')
    expect(objectionTo(said({ specimen }), of, speaker('mro'))).toBe('notCollected')
    const reviewed = service({ ...KINDS['reviewed urine'], lab: LAB })
    expect(objectionTo(said({ specimen }), reviewed, speaker('mro'))).toBeUndefined()
    expect(objectionTo(said(), reviewed, speaker('mro'))).toBe('notCollected')
    expect(
      objectionTo(said(), service({ ...KINDS.urine, lab: LAB, status: 'collected' }), speaker('lab')),
    ).toBeUndefined()
  })

  test('a sender that is listed for other laboratories waits, whatever it reports', () => {
    const other = speaker('lab', { labs: ['prairie'] })
    const of = service({ ...KINDS.urine, lab: LAB, status: 'testing' })
    expect(objectionTo(said({ event: 'receivedAtLab' }), of, other)).toBe('senderDiffers')
    expect(objectionTo(said(), of, speaker('lab', { labs: ['prairie', LAB.id] }))).toBeUndefined()
    expect(objectionTo(said(), { ...of, lab: null }, other)).toBeUndefined()
  })

  test('a laboratory is known by its id or name, or by what the token lists', () => {
    const of = { lab: LAB }
    expect(isLaboratoryOf(speaker('lab', { id: 'HEARTLAND' }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland toxicology' }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'prairie' }), of)).toBe(false)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland', labs: [] }), of)).toBe(false)
    expect(isLaboratoryOf(speaker('lab', { id: 'x', labs: ['heartland'] }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland' }), { lab: null })).toBe(false)
  })

  test('a token speaks as what its scopes and its list of senders allow', () => {
    const scopes = new Set(['intake.lab', 'intake.mro'] as const)
    const told = (kind: SenderKind, id: string, senders: Parameters<typeof checkSender>[1]['senders']) =>
      checkSender({ kind, id }, { scopes, senders }).map(({ code, pointer }) => `${code} ${pointer}`)
    expect(told('lab', 'anybody', null)).toEqual([])
    expect(told('courier', 'anybody', null)).toEqual(['invalidValue /sender/kind'])
    const listed = [
      { id: 'heartland', role: 'lab' as const, labs: ['heartland'] },
      { id: 'heartland', role: 'mro' as const },
      { id: 'prairie', role: 'mro' as const },
    ]
    expect(told('lab', 'heartland', listed)).toEqual([])
    expect(told('mro', 'heartland', listed)).toEqual([])
    expect(told('lab', 'prairie', listed)).toEqual(['invalidValue /sender/kind'])
    expect(told('lab', 'nobody', listed)).toEqual(['invalidValue /sender/id'])
    expect(speakerOf({ kind: 'lab', id: 'heartland' }, listed)).toEqual({
      kind: 'lab',
      id: 'heartland',
      labs: ['heartland'],
    })
    expect(speakerOf({ kind: 'mro', id: 'heartland' }, listed)).toMatchObject({ labs: null })
    expect(speakerOf({ kind: 'lab', id: 'prairie' }, listed)).toMatchObject({ labs: null })
    expect(speakerOf({ kind: 'lab', id: 'heartland' }, null)).toMatchObject({ labs: null })
  })
})
