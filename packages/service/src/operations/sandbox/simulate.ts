import { INTAKE_SCOPES, type Simulation } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { makeId } from '../../domain/ids.ts'
import type { Order } from '../../domain/orders/order.ts'
import { renderView } from '../../domain/orders/view.ts'
import { orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import {
  applyStep,
  applyTime,
  checkSimulation,
  completeDetails,
  nextSteps,
  type ServiceStep,
} from '../../domain/sandbox/simulation.ts'
import { composeReport, type ReportStep } from '../../domain/sandbox/steps.ts'
import type { SimulationRow } from '../../store/sandbox/simulations.ts'
import type { Context, Operation } from '../operation.ts'
import { changeOrders } from '../orders/change.ts'
import { takeReport } from '../results/take.ts'

type Work = Pick<Context, 'store' | 'now' | 'random' | 'trace'>

/** Moves an order to an outcome. With a delay between steps, this makes the first one, and workers the others. */
export const simulateOrder: Operation<typeof contract.simulateOrder> = async ({ params, body }, context) => {
  const { caller, store, now, random } = context
  const { tenantId, tokenId } = caller
  const order = orNotFound(await store.orders.findVisible(caller, { id: params.id }))
  checkSimulation(order, body, now())
  const row = { tenantId, tokenId, orderId: order.id, id: makeId('sim', now(), random.bytes), simulation: body }
  await store.simulations.end({ tenantId, orderId: order.id })
  await begin(row, context)
  const { delaySeconds = 0 } = body
  const isMore = delaySeconds > 0 ? await makeSteps(row, context) : await makeAllSteps(row, context)
  if (isMore) await store.simulations.put(row, delaySeconds)
  return { status: 200, text: renderView(orNotFound(await store.readOrder(caller, order.id))) }
}

/** Simulations that a worker continues at once. */
const AT_ONCE = 20

/** Makes the steps that are due. Returns whether there may be more. */
export async function continueSimulations(work: Work, onFailure: (error: unknown) => void): Promise<boolean> {
  const due = await work.store.simulations.claimDue(AT_ONCE)
  for (const row of due) {
    try {
      await continueOne(row, work)
    } catch (error) {
      // The order does not allow it any more, or never did: a name may ask for a result that the package cannot have.
      if (error instanceof Refusal) await work.store.simulations.end(row)
      else onFailure(error)
    }
  }
  return due.length === AT_ONCE
}

async function continueOne(row: SimulationRow, work: Work): Promise<void> {
  const { store } = work
  const { delaySeconds = 0 } = row.simulation
  await begin(row, work)
  const isMore = delaySeconds > 0 ? await makeSteps(row, work) : await makeAllSteps(row, work)
  await (isMore ? store.simulations.wait(row, delaySeconds) : store.simulations.end(row))
}

/** Fills in what a link asks for, once. */
async function begin({ simulation, ...row }: SimulationRow, { store, now, random, trace }: Work): Promise<void> {
  await store.transaction(async (tx) => {
    const { tenantId, orderId } = row
    const [order] = (await tx.orders.lockNamed([{ tenantId, id: orderId }])).flat()
    if (!order) return
    checkSimulation(order, { ...simulation, until: undefined }, now())
    const completed = completeDetails(order, simulation, now())
    if (completed) await changeOrders([{ tenantId, before: order, after: completed, trace }], tx, random)
  })
}

async function makeAllSteps(row: SimulationRow, work: Work): Promise<false> {
  while (await makeSteps(row, work));
  return false
}

/** Makes the next step of each service. Returns whether there are more. */
async function makeSteps(row: SimulationRow, work: Work): Promise<boolean> {
  const { tenantId, orderId, simulation } = row
  const { store, now, random, trace } = work
  const order = await store.orders.find(tenantId, orderId)
  const steps = order ? nextSteps(order, simulation) : []
  if (!order || steps.length === 0) return false
  // The intake would queue a report that cannot be applied for an operator.
  for (const each of steps) applyStep(order, each, now())
  const timed = steps.filter(({ step }) => step.by === 'time')
  if (timed.length > 0) {
    await store.transaction(async (tx) => {
      const [before] = (await tx.orders.lockNamed([{ tenantId, id: orderId }])).flat()
      if (before) await changeOrders([{ tenantId, before, after: applyTime(before, timed, now()), trace }], tx, random)
    })
  }
  await Promise.all(steps.filter(({ step }) => step.by !== 'time').map((each) => sendReport(each, row, work)))
  return hasMore(await store.orders.find(tenantId, orderId), simulation)
}

const hasMore = (order: Order | undefined, simulation: Simulation) =>
  order !== undefined && nextSteps(order, simulation).length > 0

/** Takes the report as if its sender had posted it. */
async function sendReport({ service, step }: ServiceStep, row: SimulationRow, work: Work): Promise<void> {
  const { now, random } = work
  const messageId = `sandbox-${random.bytes(12).toString('hex')}`
  const report = composeReport(service, step as ReportStep, { messageId, now: now() })
  const { why } = await takeReport({ report }, senderContext(row, work))
  // Somebody else changed the order after the rehearsal.
  if (why !== null) throw refuse('invalidState', `The order has changed meanwhile: a report was queued (${why}).`)
}

/** A caller that may report as any sender. */
const senderContext = ({ tenantId, tokenId }: SimulationRow, work: Work): Context => ({
  ...work,
  caller: {
    tenantId,
    tokenId,
    scopes: new Set(INTAKE_SCOPES),
    companyIds: [],
    rateLimit: null,
    catalogVersion: '',
    senders: null,
  },
  policy: { production: false, callbackAllow: [] },
  defaultRateLimit: 0,
  catalogChanged: () => {},
})
