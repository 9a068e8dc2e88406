import { describe, expect, test } from 'vitest'
import { SIMULATED_OUTCOMES, type SimulatedOutcome, type Simulation } from '@order-testing/contract'
import type { Order, OrderService } from '../../../src/domain/orders/order.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { checkReport } from '../../../src/domain/results/apply.ts'
import {
  applyStep,
  checkSimulation,
  completeDetails,
  nextSteps,
  outcomeInName,
} from '../../../src/domain/sandbox/simulation.ts'
import { composeReport, outcomesOf } from '../../../src/domain/sandbox/steps.ts'
import { NOW, orderOf } from '../../support/orders.ts'

const LAB = { id: 'heartland', name: 'Heartland Toxicology' }

const KINDS = {
  urine: { category: 'drug', type: 'urine', lab: LAB },
  reviewedUrine: { category: 'drug', type: 'urine', requiresMro: true, lab: LAB },
  dotUrine: { category: 'drug', type: 'urine', isDot: true, requiresMro: true, lab: LAB },
  hair: { category: 'drug', type: 'hair' },
  instantUrine: { category: 'drug', type: 'instantUrine' },
  reviewedInstantUrine: { category: 'drug', type: 'instantUrine', requiresMro: true, lab: LAB },
  breath: { category: 'alcohol', type: 'breath' },
  dotBreath: { category: 'alcohol', type: 'breath', isDot: true },
  saliva: { category: 'alcohol', type: 'saliva' },
  audiogram: { category: 'occupationalHealth', type: 'audiogram' },
  criminal: { category: 'background', type: 'criminal' },
  custom: { category: 'somethingElse', type: 'other' },
} satisfies Record<string, Partial<OrderService>>

type Kind = keyof typeof KINDS

const orderWith = (...kinds: Kind[]) =>
  orderOf({ createdAt: NOW, services: kinds.map((kind) => ({ name: kind, ...KINDS[kind] })) })

/** Runs the simulation to its end by the rules of the intake. */
function run(order: Order, simulation: Simulation): Order {
  checkSimulation(order, simulation, NOW)
  let current = order
  for (let steps = nextSteps(current, simulation); steps.length > 0; steps = nextSteps(current, simulation))
    current = steps.reduce((changed, step) => applyStep(changed, step, NOW), current)
  return current
}

const statuses = ({ services }: Order) => services.map(({ status }) => status)
const past = (order: Order, place = 0) => order.services[place]!.history.map(({ status }) => status)

function problemsOf(order: Order, simulation: Simulation) {
  try {
    checkSimulation(order, simulation, NOW)
  } catch (error) {
    if (error instanceof Refusal) return error.problems
    throw error
  }
  return []
}

describe('outcomes of a service', () => {
  const cases = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
    outcomesOf(orderWith(kind).services[0]!).map((outcome): [SimulatedOutcome, Kind] => [outcome, kind]),
  )

  test.each(cases)(
    'the outcome %s of a service of the kind %s is reached by the rules of the intake',
    (outcome, kind) => {
      const after = run(orderWith(kind), { outcome })
      expect(statuses(after)).toEqual([outcome === 'refusal' ? 'testNotPerformed' : outcome])
    },
  )

  test.each(cases)(
    'all senders on the way to %s of a service of the kind %s may report their step',
    (outcome, kind) => {
      let order = orderWith(kind)
      for (let [next] = nextSteps(order, { outcome }); next; [next] = nextSteps(order, { outcome })) {
        const { service, step } = next
        const report = step.by === 'time' ? null : composeReport(service, step, { messageId: 'one', now: NOW })
        expect(report && checkReport(report, NOW)).toEqual(report && [])
        order = applyStep(order, next, NOW)
      }
    },
  )

  test.each([
    [
      'dotUrine',
      'negative, negativeDilute, positive, adulterated, substituted, testCancelled, testNotPerformed, noShow, lostInTransit, expired, refusal',
    ],
    ['dotBreath', 'negative, positive, testCancelled, testNotPerformed, unobtainable, noShow, expired, refusal'],
    ['criminal', 'unobtainable, pass, fail, complete, released, noShow, expired'],
  ] as const)('a service of the kind %s can be simulated to %s', (kind, expected) => {
    expect(outcomesOf(orderWith(kind).services[0]!).join(', ')).toBe(expected)
  })
})

describe('the way to an outcome', () => {
  test('a positive DOT test passes collector, courier, laboratory and reviewer', () => {
    const after = run(orderWith('dotUrine'), { outcome: 'positive' })
    expect(past(after)).toEqual(
      'linkSent checkedIn collected inTransit receivedAtLab testing mroReview positive'.split(' '),
    )
    expect(after.services[0]).toMatchObject({
      specimenId: expect.stringMatching(/^SBX\w+$/) as string,
      courierServiceName: 'Sandbox Courier',
      screens: [{ type: 'initial' }, { type: 'confirmation' }, { type: 'mroInterview' }],
    })
    expect(after.status).toBe('positive')
  })

  test('a breath test is read by its technician', () => {
    expect(past(run(orderWith('dotBreath'), { outcome: 'negative' }))).toEqual(['linkSent', 'checkedIn', 'negative'])
  })

  test('a simulation continues from the current status', () => {
    const collected = run(orderWith('urine'), { outcome: 'positive', until: 'collected' })
    expect(statuses(collected)).toEqual(['collected'])
    expect(nextSteps(collected, { outcome: 'positive', until: 'collected' })).toEqual([])
    expect(past(run(collected, { outcome: 'negative' }))).toEqual(
      'linkSent checkedIn collected inTransit receivedAtLab testing negative'.split(' '),
    )
  })

  test('a simulation continues after an exception', () => {
    const lost = run(orderWith('urine'), { outcome: 'lostInTransit' })
    expect(lost.status).toBe('lostInTransit')
    expect(run(lost, { outcome: 'negative' }).status).toBe('negative')
    const unclear = run(orderWith('urine'), { outcome: 'nonNegative' })
    expect(run(unclear, { outcome: 'positive' }).status).toBe('positive')
    const [service] = lost.services
    const broken = {
      ...lost,
      services: [
        {
          ...service!,
          status: 'integrationError' as const,
          history: [...service!.history, { status: 'integrationError' as const, at: NOW }],
        },
      ],
    }
    expect(nextSteps(broken, { outcome: 'negative' })).toMatchObject([{ step: { event: 'receivedAtLab' } }])
  })

  test('services that cannot have the outcome get a good result', () => {
    const after = run(orderWith('urine', 'audiogram', 'criminal'), { outcome: 'positive' })
    expect(statuses(after)).toEqual(['positive', 'pass', 'pass'])
    expect(after.status).toBe('positive')
  })

  test('only the named services are moved', () => {
    const order = orderWith('urine', 'hair')
    const after = run(order, { outcome: 'negative', services: [order.services[1]!.id] })
    expect(statuses(after)).toEqual(['linkSent', 'negative'])
  })

  test('an order whose services all expire has expired, and a missed one is a no-show', () => {
    expect(run(orderWith('urine', 'hair'), { outcome: 'expired' })).toMatchObject({
      status: 'expired',
      ended: 'expired',
    })
    const missed = run({ ...orderWith('urine'), isBooked: true }, { outcome: 'noShow' })
    expect(missed).toMatchObject({ status: 'noShow', isBooked: false, ended: null })
    expect(past(missed)).toEqual(['linkSent', 'scheduled', 'noShow'])
  })
})

describe('a simulation that cannot be made', () => {
  test('an outcome of another category is refused with those that are possible', () => {
    const [problem, ...others] = problemsOf(orderWith('dotBreath'), { outcome: 'adulterated' })
    expect(others).toEqual([])
    expect(problem).toMatchObject({ code: 'invalidValue', pointer: '/outcome' })
    expect(problem?.detail).toBe(
      'Expected one of negative, positive, testCancelled, testNotPerformed, unobtainable, noShow, expired, refusal.',
    )
  })

  test('every named service must be able to have the outcome', () => {
    const order = orderWith('urine', 'criminal')
    const services = order.services.map(({ id }) => id)
    expect(problemsOf(order, { outcome: 'positive', services })).toMatchObject([{ pointer: '/outcome' }])
    expect(problemsOf(order, { outcome: 'positive', services: services.slice(0, 1) })).toEqual([])
  })

  test.each<[string, Order, Simulation, object]>([
    ['an unknown service', orderWith('urine'), { outcome: 'negative', services: ['x'] }, { pointer: '/services/0' }],
    [
      'a stop that is not on the way',
      orderWith('dotBreath'),
      { outcome: 'negative', until: 'collected' },
      { pointer: '/until' },
    ],
    [
      'a closed order',
      run(orderWith('urine'), { outcome: 'negative' }),
      { outcome: 'positive' },
      { code: 'invalidState' },
    ],
    [
      'an outcome that can no longer be reached',
      run(orderWith('urine'), { outcome: 'positive', until: 'collected' }),
      { outcome: 'refusal' },
      { code: 'invalidState' },
    ],
  ])('%s is refused', (_, order, simulation, expected) => {
    expect(problemsOf(order, simulation)).toMatchObject([expected])
  })

  test('no outcome is offered that the rules refuse', () => {
    for (const kind of Object.keys(KINDS) as Kind[])
      for (const outcome of SIMULATED_OUTCOMES)
        expect([0, 1]).toContain(problemsOf(orderWith(kind), { outcome }).length)
  })
})

describe('participants', () => {
  test('details that a link asks for are filled in, and those on file stay', () => {
    const order = orderOf({ services: [KINDS.urine], participant: { birthDate: '1985-05-05' } })
    const completed = completeDetails(order, { outcome: 'negative' }, NOW)
    expect(completed?.participant).toMatchObject({
      lastName: 'Lopez',
      birthDate: '1985-05-05',
      email: 'maria@example.com',
      address: { postalCode: '60601' },
      identifiers: [{ type: 'driverLicense' }],
    })
    expect(completeDetails(completed!, { outcome: 'negative' }, NOW)).toBeUndefined()
    expect(completeDetails(order, { outcome: 'expired' }, NOW)).toBeUndefined()
  })

  test.each([
    ['Sandbox-Positive', 'positive'],
    [' sandbox-NEGATIVEDILUTE ', 'negativeDilute'],
    ['SANDBOX-noshow', 'noShow'],
    ['Sandbox-Refusal', 'refusal'],
    ['Sandbox-Unknown', undefined],
    ['Sandbox', undefined],
    ['Sandbox-', undefined],
    ['Lopez', undefined],
    ['Miller-Sandbox-Positive', undefined],
  ])('the last name %s asks for the outcome %s', (name, outcome) => {
    expect(outcomeInName(name)).toBe(outcome)
  })
})
