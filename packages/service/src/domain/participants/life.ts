import { hasCheckedIn } from '../bookings/bookings.ts'
import type { Order, OrderService } from '../orders/order.ts'
import { hasBackground } from '../orders/scheduling.ts'
import { goesToLaboratory, isSpecimenTest, needsReview } from '../orders/service-life.ts'
import { hasResult, isBeforeCheckIn, isClosedWithoutResult, type ServiceStatus } from '../orders/statuses.ts'

/** How far a test has come. `complete` is the same for every outcome. */
export type ServiceStage = 'toDo' | 'checkedIn' | 'collected' | 'running' | 'complete' | 'notDone'

/** What has happened since check-in. */
export interface VisitLife {
  stage: 'partly' | 'checkedIn' | 'collected' | 'complete'
  bookedAt: Date | null
  checkedInAt: Date | null
  collectedAt: Date | null
  completeAt: Date | null
  hasSample: boolean
  goesToLaboratory: boolean
  /** Whether a medical reviewer may call. */
  isReviewed: boolean
  /** Of each service that is not cancelled. */
  stages: ServiceStage[]
}

/** What the participant may know about the tests after check-in; undefined before. No outcome and no finding changes it. */
export function lifeOf(order: Order): VisitLife | undefined {
  if (!hasCheckedIn(order)) return undefined
  const services = order.services.filter(({ status }) => status !== 'cancelled')
  const atClinic = services.filter((service) => !hasBackground([service]))
  const samples = atClinic.filter(isSpecimenTest)
  return {
    stage: visitStageOf(atClinic.map(stageOfService)),
    bookedAt: latest(atClinic.map(({ history }) => history.findLast(({ status }) => status === 'scheduled')?.at)),
    checkedInAt: latest(atClinic.map((service) => timeOf(service, ['checkedIn']))),
    collectedAt: latest(samples.map((service) => timeOf(service, ['collected']))),
    completeAt: latest(
      atClinic.map(({ status, statusUpdatedAt }) => (hasResult(status) ? statusUpdatedAt : undefined)),
    ),
    hasSample: samples.length > 0,
    goesToLaboratory: atClinic.some(goesToLaboratory),
    isReviewed: atClinic.some(needsReview),
    stages: services.map(stageOfService),
  }
}

/** From collection to the result, whatever the laboratory finds, a test is only `collected`. */
function stageOfService(service: OrderService): ServiceStage {
  const status = statusOf(service)
  if (hasResult(status)) return 'complete'
  // A lost sample has to be given again.
  if (isBeforeCheckIn(status) || status === 'lostInTransit') return 'toDo'
  if (isClosedWithoutResult(status)) return 'notDone'
  if (status === 'checkedIn') return 'checkedIn'
  return status === 'inProgress' ? 'running' : 'collected'
}

/** Integration errors are for operators. */
const statusOf = ({ status, history }: OrderService): ServiceStatus =>
  status === 'integrationError'
    ? (history.findLast((entry) => entry.status !== 'integrationError')?.status ?? 'ordered')
    : status

function visitStageOf(stages: readonly ServiceStage[]): VisitLife['stage'] {
  const attended = stages.filter((stage) => stage !== 'notDone')
  if (attended.includes('checkedIn')) return 'checkedIn'
  if (attended.includes('toDo')) return 'partly'
  return attended.every((stage) => stage === 'complete') ? 'complete' : 'collected'
}

/** When the service last entered one of these statuses since it was last scheduled. */
function timeOf({ history }: OrderService, statuses: ServiceStatus[]): Date | undefined {
  const since = history.findLastIndex(({ status }) => status === 'scheduled')
  return history.slice(since + 1).findLast(({ status }) => statuses.includes(status))?.at
}

function latest(times: (Date | undefined)[]): Date | null {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? new Date(Math.max(...known.map((time) => time.getTime()))) : null
}
