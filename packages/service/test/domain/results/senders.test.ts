import type { SenderKind } from '@order-testing/contract'
import type { ResultMessage } from '@order-testing/contract/operator'
import { describe, expect, test } from 'vitest'
import type { OrderService } from '../../../src/domain/orders/order.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import {
  checkSender,
  isLaboratoryOf,
  findObjection,
  findSpeaker,
  type Speaker,
} from '../../../src/domain/results/senders.ts'
import {
  correctService,
  goesToLaboratory,
  isReviewerDecision,
  moveService,
  nextStatuses,
  publicStateOf,
  wasCollected,
  findPath,
} from '../../../src/domain/orders/service-life.ts'
import type { ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { orderOf } from '../../support/orders.ts'

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

/** Code and detail of a refusal. */
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

  test('a specimen was collected if any status since the last booking implies it, or there is a result', () => {
    const statuses = 'collected inTransit lostInTransit receivedAtLab testing nonNegative mroReview'
    for (const status of statuses.split(' ') as ServiceStatus[])
      expect([status, wasCollected(service({ status }))]).toEqual([status, true])
    for (const status of ['ordered', 'linkSent', 'scheduled', 'checkedIn', 'inProgress', 'cancelled'] as const)
      expect([status, wasCollected(service({ status }))]).toEqual([status, false])
    expect(wasCollected(service({ status: 'negative' }))).toBe(true)
    expect(wasCollected(service({ status: 'scheduled', before: ['collected', 'lostInTransit'] }))).toBe(false)
    expect(wasCollected(service({ status: 'integrationError', before: ['scheduled', 'collected'] }))).toBe(true)
  })

  test('a lost specimen is given up only when another collection is scheduled', () => {
    const lost = service({ status: 'lostInTransit', specimenId: 'S-1' })
    expect(moveService(lost, 'scheduled', AT).specimenId).toBeNull()
    expect(moveService(lost, 'receivedAtLab', AT).specimenId).toBe('S-1')
    const booked = service({ status: 'scheduled', specimenId: 'S-1' })
    expect(moveService(booked, 'scheduled', AT).specimenId).toBe('S-1')
    expect(moveService(booked, 'checkedIn', AT).specimenId).toBe('S-1')
  })
})

describe('transitions of a service', () => {
  test('a transition that is not allowed is refused with those that are', () => {
    expect(refusalOf(() => moveService(service({ status: 'inTransit' }), 'negative', AT))).toEqual([
      'invalidState',
      'The service "Urine" is inTransit and cannot become negative. Allowed next: receivedAtLab, lostInTransit, cancelled, integrationError.',
    ])
    const [code, detail] = refusalOf(() => moveService(service({ status: 'negative' }), 'testing', AT))
    expect([code, detail]).toEqual(['invalidState', expect.stringMatching(/Only a correction can change it\.$/)])
    expect(refusalOf(() => moveService(service({ status: 'cancelled' }), 'testing', AT))).toEqual([
      'invalidState',
      expect.stringMatching(/It cannot change any more\.$/),
    ])
  })

  test('a correction without a result, or to one the service cannot have, is refused', () => {
    expect(refusalOf(() => correctService(service(), 'negative', AT))[0]).toBe('invalidState')
    expect(refusalOf(() => correctService(service({ status: 'negative' }), 'released', AT))[0]).toBe('invalidState')
  })

  test('a report ends an integration error: the path leads through the status before it', () => {
    const failed = service({ status: 'integrationError', before: ['checkedIn', 'collected'] })
    expect(findPath(failed, 'testing', { isReviewed: false })).toEqual(['collected', 'receivedAtLab', 'testing'])
    const early = service({ status: 'integrationError', before: ['inTransit'] })
    expect(findPath(early, 'receivedAtLab', { isReviewed: false })).toEqual(['inTransit', 'receivedAtLab'])
    expect(nextStatuses(service({ status: 'integrationError' }))).toEqual(['ordered', 'cancelled'])
  })

  test('a status that is no result is never the reviewer’s decision', () => {
    for (const status of ['collected', 'cancelled', 'mroReview', 'nonNegative'] as const)
      expect([status, isReviewerDecision(service(KINDS['DOT urine']), status)]).toEqual([status, false])
  })

  test('a finding at the start of a history is hidden', () => {
    const { status, history } = publicStateOf(
      service({ ...KINDS['reviewed urine'], status: 'mroReview', before: ['nonNegative'] }),
    )
    expect([status, history.map((entry) => entry.status)]).toEqual(['mroReview', ['mroReview']])
  })

  test('a finding that does not directly follow an error adds no entry', () => {
    const before: ServiceStatus[] = ['checkedIn', 'integrationError', 'checkedIn']
    const { history } = publicStateOf(service({ ...KINDS['reviewed urine'], status: 'nonNegative', before }))
    expect(history.map(({ status }) => status)).toEqual(before)
  })
})

describe('ruling 57: who may report a result', () => {
  const speaker = (kind: SenderKind, members: Partial<Speaker> = {}): Speaker => ({
    kind,
    id: `${kind}-1`,
    isListed: false,
    labs: null,
    ...members,
  })
  const said = (members: Partial<ResultMessage> = {}) =>
    ({ event: 'result', result: 'negative', match: {}, ...members }) as ResultMessage
  const specimen = { id: 'S-1' }

  /** Who may report results once a specimen was collected. */
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
    'results of %s are accepted only from %s',
    (kind, makers) => {
      const isLabs = goesToLaboratory(service(KINDS[kind]))
      const of = service({ ...KINDS[kind], status: isLabs ? 'testing' : 'checkedIn' })
      for (const sender of SENDERS) {
        const expected = makers.split(' ').includes(sender) ? undefined : 'senderDiffers'
        expect([sender, findObjection(said(), of, speaker(sender))]).toEqual([sender, expected])
        const event = ['drug', 'alcohol'].includes(of.category) ? 'screened' : 'inProgress'
        expect([sender, findObjection(said({ event }), of, speaker(sender))]).toEqual([sender, expected])
        expect(findObjection(said({ event: 'checkedIn' }), of, speaker(sender))).toBeUndefined()
      }
    },
  )

  test('only the collection site reports that nothing was collected', () => {
    for (const result of ['testNotPerformed', 'unobtainable'] as const) {
      for (const kind of ['urine', 'instant urine', 'breath'] as const) {
        for (const sender of ['collector', 'clinic'] as const)
          expect(findObjection(said({ result }), service(KINDS[kind]), speaker(sender))).toBeUndefined()
      }
      expect(findObjection(said({ result }), service(KINDS.urine), speaker('lab'))).toBe('notCollected')
      expect(findObjection(said({ result }), service(KINDS.urine), speaker('bat'))).toBe('senderDiffers')
    }
  })

  test('an on-site reading that went to a laboratory is reported by laboratory and reviewer', () => {
    const sentOn = service({ ...KINDS['instant urine'], status: 'testing' })
    for (const sender of ['collector', 'lab', 'mro'] as const)
      expect(findObjection(said(), sentOn, speaker(sender))).toBeUndefined()
    const read = service(KINDS['instant urine'])
    for (const sender of ['lab', 'mro'] as const)
      expect(findObjection(said(), read, speaker(sender))).toBe('senderDiffers')
  })

  test('an uncollected service takes milestones of listed laboratories only from its own', () => {
    const of = service({ ...KINDS.urine, lab: LAB })
    for (const event of ['receivedAtLab', 'testing', 'screened', 'mroReview', 'lostInTransit'] as const) {
      expect(findObjection(said({ event }), of, speaker('lab', { isListed: true }))).toBe('notCollected')
      expect(findObjection(said({ event }), of, speaker('lab', { isListed: true, id: LAB.id }))).toBeUndefined()
      expect(findObjection(said({ event }), of, speaker('lab'))).toBeUndefined()
      const collected = service({ ...KINDS.urine, lab: LAB, status: 'collected' })
      expect(findObjection(said({ event }), collected, speaker('lab', { isListed: true }))).toBeUndefined()
    }
    expect(findObjection(said({ event: 'collected' }), of, speaker('collector'))).toBeUndefined()
    const unassigned = service(KINDS.urine)
    expect(
      findObjection(said({ event: 'receivedAtLab' }), unassigned, speaker('lab', { isListed: true })),
    ).toBeUndefined()
  })

  test('an uncollected result requires a specimen and the service’s own laboratory or reviewer', () => {
    const own = speaker('lab', { id: LAB.id })
    const of = service({ ...KINDS.urine, lab: LAB })
    expect(findObjection(said({ specimen }), of, own)).toBeUndefined()
    expect(findObjection(said({ match: { specimenId: 'S-1' } }), of, own)).toBeUndefined()
    expect(findObjection(said(), of, own)).toBe('notCollected')
    expect(findObjection(said({ specimen }), of, speaker('lab'))).toBe('notCollected')
    expect(findObjection(said({ specimen }), of, speaker('mro'))).toBe('notCollected')
    const reviewed = service({ ...KINDS['reviewed urine'], lab: LAB })
    expect(findObjection(said({ specimen }), reviewed, speaker('mro'))).toBeUndefined()
    expect(findObjection(said(), reviewed, speaker('mro'))).toBe('notCollected')
    expect(
      findObjection(said(), service({ ...KINDS.urine, lab: LAB, status: 'collected' }), speaker('lab')),
    ).toBeUndefined()
  })

  test('any report of a sender that is listed for other laboratories is queued', () => {
    const other = speaker('lab', { labs: ['prairie'] })
    const of = service({ ...KINDS.urine, lab: LAB, status: 'testing' })
    expect(findObjection(said({ event: 'receivedAtLab' }), of, other)).toBe('senderDiffers')
    expect(findObjection(said(), of, speaker('lab', { labs: ['prairie', LAB.id] }))).toBeUndefined()
    expect(findObjection(said(), { ...of, lab: null }, other)).toBeUndefined()
  })

  test('a laboratory is identified by its id or name, or by the list of the token', () => {
    const of = { lab: LAB }
    expect(isLaboratoryOf(speaker('lab', { id: 'HEARTLAND' }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland toxicology' }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'prairie' }), of)).toBe(false)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland', labs: [] }), of)).toBe(false)
    expect(isLaboratoryOf(speaker('lab', { id: 'x', labs: ['heartland'] }), of)).toBe(true)
    expect(isLaboratoryOf(speaker('lab', { id: 'heartland' }), { lab: null })).toBe(false)
  })

  test('a token may report as its scopes and its list of senders allow', () => {
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
    expect(findSpeaker({ kind: 'lab', id: 'heartland' }, listed)).toEqual({
      kind: 'lab',
      id: 'heartland',
      isListed: true,
      labs: ['heartland'],
    })
    expect(findSpeaker({ kind: 'mro', id: 'heartland' }, listed)).toMatchObject({ labs: null })
    expect(findSpeaker({ kind: 'lab', id: 'prairie' }, listed)).toMatchObject({ labs: null })
    expect(findSpeaker({ kind: 'lab', id: 'heartland' }, null)).toMatchObject({ labs: null })
  })
})
