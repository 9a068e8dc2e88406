import { SIMULATED_OUTCOMES, type Problem, type SimulatedOutcome, type Simulation } from '@order-testing/contract'
import { changeTime, restate } from '../orders/life.ts'
import type { Order, OrderService, Participant } from '../orders/order.ts'
import { moveService } from '../orders/service-life.ts'
import { awaitsCheckIn, isBeforeCheckIn, isClosed, type ServiceStatus } from '../orders/statuses.ts'
import { lacksDetails } from '../participants/form.ts'
import { problemAt, Refusal, refuse } from '../refusal.ts'
import { applyReport, reportedStatus } from '../results/apply.ts'
import { findSpeaker } from '../results/senders.ts'
import { composeReport, outcomesOf, stepsTo, type Step } from './steps.ts'

/** What one service does next. */
export interface ServiceStep {
  service: OrderService
  step: Step
}

/** No plan is longer. */
const MOST_ROUNDS = 20

/** Refuses a simulation that cannot reach its outcome, before anything is changed. */
export function checkSimulation(order: Order, simulation: Simulation, now: Date): void {
  const problems = [...checkServices(order, simulation), ...checkOutcome(order, simulation)]
  if (problems.length > 0) throw new Refusal(problems)
  if (targetsOf(order, simulation).length === 0)
    throw refuse('invalidState', `Order ${order.code} is ${order.status}: no service can become ${simulation.outcome}.`)
  const stops = checkStop(order, simulation)
  if (stops.length > 0) throw new Refusal(stops)
  rehearse(order, simulation, now)
}

/**
 * The next step of every service that has not arrived. It depends on the order alone, so a simulation can be continued after a
 * restart, and after somebody else has changed the order.
 */
export const nextSteps = (order: Order, simulation: Simulation): ServiceStep[] =>
  targetsOf(order, simulation).flatMap(({ service, outcome }) => {
    const [step] = remainingSteps(service, outcome, simulation.until)
    return step ? [{ service, step }] : []
  })

/** Applies steps that time makes to their services. */
export function applyTime(order: Order, steps: readonly ServiceStep[], now: Date): Order {
  const at = changeTime(order, now)
  const next = new Map(steps.map(({ service, step }) => [service.id, step.status as ServiceStatus]))
  const services = order.services.map((service) => {
    const status = next.get(service.id)
    return status === undefined ? service : moveService(service, status, at)
  })
  const isExpired = services.every(({ status }) => status === 'expired' || status === 'cancelled')
  const ended = isExpired && services.some(({ status }) => status === 'expired') ? 'expired' : order.ended
  // The last service that waited has ended, so nobody is expected any more.
  const booking = awaitsCheckIn({ services }) ? {} : { isBooked: false, appointmentAt: null }
  return restate({ ...order, services, ended, ...booking }, at)
}

/** Adds the details that a participant would fill in behind the link; undefined if nothing is missing. */
export function completeDetails(order: Order, { outcome }: Simulation, now: Date): Order | undefined {
  if (outcome === 'expired' || order.scheduling.option !== 'link' || !lacksDetails(order)) return undefined
  const { participant, delivery } = order
  const completed: Participant = {
    ...participant,
    address: participant.address ?? ADDRESS,
    birthDate: participant.birthDate ?? '1990-01-15',
    email: participant.email ?? (delivery.type === 'email' ? delivery.to : 'participant@example.com'),
    phone: participant.phone ?? (delivery.type === 'mobile' ? delivery.phone : '+13125550142'),
    identifiers: participant.identifiers.some(({ type }) => type === LICENSE.type)
      ? participant.identifiers
      : [...participant.identifiers, LICENSE],
  }
  return restate({ ...order, participant: completed }, changeTime(order, now))
}

const ADDRESS = { line1: '1 Sandbox Way', line2: '', city: 'Chicago', state: 'IL', postalCode: '60601', country: 'US' }
const LICENSE = { type: 'driverLicense', value: 'S000-0000-0000', issuingCountry: 'US', issuingState: 'IL' }

/** The outcome in the last name of a participant, such as `Sandbox-Positive`. */
export function outcomeInName(lastName: string): SimulatedOutcome | undefined {
  const [, name] = /^sandbox-(\w+)$/i.exec(lastName.trim()) ?? []
  return SIMULATED_OUTCOMES.find((outcome) => outcome.toLowerCase() === name?.toLowerCase())
}

function checkServices({ services }: Order, { services: ids = [] }: Simulation): Problem[] {
  return ids.flatMap((id, i) =>
    services.some((service) => service.id === id)
      ? []
      : [problemAt(`/services/${i}`, 'invalidValue', 'This order has no such service.')],
  )
}

/** All named services must be able to have the outcome, or any service if none is named. */
function checkOutcome(order: Order, { outcome, services: ids }: Simulation): Problem[] {
  const allowed = order.services.filter(({ id }) => ids?.includes(id) ?? true).map((service) => outcomesOf(service))
  const isAllowed = (outcomes: SimulatedOutcome[]) => outcomes.includes(outcome)
  if (ids ? allowed.every(isAllowed) : allowed.some(isAllowed)) return []
  const choice = SIMULATED_OUTCOMES.filter((each) =>
    ids ? allowed.every((outcomes) => outcomes.includes(each)) : allowed.some((outcomes) => outcomes.includes(each)),
  )
  return [problemAt('/outcome', 'invalidValue', `Expected one of ${choice.join(', ')}.`)]
}

function checkStop(order: Order, simulation: Simulation): Problem[] {
  const { until } = simulation
  if (until === undefined) return []
  const passed = new Set(
    targetsOf(order, simulation).flatMap(({ service, outcome }) =>
      stepsTo(service, outcome)!
        .slice(0, -1)
        .flatMap(({ status }) => status ?? []),
    ),
  )
  if (passed.has(until)) return []
  const choice = passed.size > 0 ? `Expected one of ${[...passed].join(', ')}.` : 'It happens in one step.'
  return [problemAt('/until', 'invalidValue', `No service passes through this status. ${choice}`)]
}

/** The services to move, each with its outcome. */
function targetsOf(order: Order, { outcome, services: ids }: Simulation) {
  const isByTime = outcome === 'noShow' || outcome === 'expired'
  return order.services
    .filter(({ id, status }) => !isClosed(status) && (ids ? ids.includes(id) : !isByTime || isBeforeCheckIn(status)))
    .map((service) => ({ service, outcome: reachable(service, outcome) }))
}

/** Services that cannot have the outcome get a good result, so that the order reaches it. */
function reachable(service: OrderService, outcome: SimulatedOutcome): SimulatedOutcome {
  const outcomes = outcomesOf(service)
  return outcomes.includes(outcome) ? outcome : GOOD.find((each) => outcomes.includes(each))!
}

const GOOD = ['negative', 'pass', 'fitForDuty', 'complete'] as const satisfies readonly SimulatedOutcome[]

function remainingSteps(service: OrderService, outcome: SimulatedOutcome, until: Simulation['until']): Step[] {
  const all = stepsTo(service, outcome)!
  const done = all.findLastIndex(({ status }) => status === positionOf(service, all)) + 1
  const stop = all.findIndex(({ status }) => status !== null && status === until) + 1
  return all.slice(done, stop === 0 ? all.length : stop).filter((step) => !isScreened(service, step))
}

const isScreened = ({ screens }: OrderService, step: Step) =>
  'screen' in step && screens.some(({ type }) => type === step.screen)

/** The status that tells how far the service has come on its way. Exceptions that are not on the way are left behind. */
function positionOf({ status, history }: OrderService, all: readonly Step[]): ServiceStatus | undefined {
  const isOnWay = (each: ServiceStatus) => all.some((step) => step.status === each)
  if (isOnWay(status)) return status
  const isException = status === 'integrationError' || status === 'lostInTransit' || status === 'nonNegative'
  return isException ? history.findLast((entry) => isOnWay(entry.status))?.status : undefined
}

/** Runs the simulation without changing anything, by the rules of the intake. */
function rehearse(order: Order, simulation: Simulation, now: Date): void {
  let current = order
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const steps = nextSteps(current, simulation)
    if (steps.length === 0) return
    current = steps.reduce((changed, each) => applyStep(changed, each, now), current)
  }
  throw new Error(`The simulation of ${simulation.outcome} does not end.`)
}

/** The order after one step, by the rules that the real intake applies. */
export function applyStep(order: Order, { service: { id }, step }: ServiceStep, now: Date): Order {
  const service = order.services.find((each) => each.id === id)!
  if (step.by === 'time') return applyTime(order, [{ service, step }], now)
  const report = composeReport(service, step, { messageId: 'rehearsal', now })
  const after = applyReport({ order, service, isPerson: true }, report, now, findSpeaker(report.sender, null))
  // A report of what is past changes nothing, and would be repeated forever.
  if (typeof after !== 'string' && isMoved(service, after)) return after
  const status = step.event === 'screened' ? 'screened' : reportedStatus(report)
  throw refuse('invalidState', `The service "${service.name}" is ${service.status} and cannot become ${status}.`)
}

const isMoved = ({ id, status, screens }: OrderService, { services }: Order) =>
  services.some((each) => each.id === id && (each.status !== status || each.screens.length > screens.length))
