import { randomUUID } from 'node:crypto'
import { Argument, type Command } from 'commander'
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '@order-testing/contract'
import { outcomesOf } from '../../domain/sandbox/steps.ts'
import { ApiRefusal, IntegratorApi, withIntegratorService } from '../api.ts'
import { withExamples } from '../help.ts'
import { summarySheet } from '../output/integrator-orders.ts'
import { show } from '../output/print.ts'
import {
  composeCallback,
  composeLinkOrder,
  simulate,
  withSimulation,
  type SimulateOptions,
} from './integrator-orders.ts'

interface TriggerOptions extends SimulateOptions {
  callback?: string
  secret?: string
}

export function define(trigger: Command): void {
  withExamples(
    withSimulation(withIntegratorService(trigger)),
    'ots trigger negative',
    'ots trigger positive --delay 2 --wait',
    'ots trigger noShow --callback http://localhost:4000/hook --secret my-key',
  )
    .addArgument(
      new Argument('<outcome>', 'a result such as negative, or what ends an order without one').choices(
        SIMULATED_OUTCOMES,
      ),
    )
    .option('--callback <url>', 'address that receives the events of the order')
    .option('--secret <key>', 'key that signs them')
    .action(async (outcome: SimulatedOutcome, { callback, secret, ...options }: TriggerOptions) => {
      const api = new IntegratorApi(options)
      const body = { ...(await findOrder(api, outcome)), ...composeCallback(callback, secret) }
      const { id } = await api.ask('createOrder', { body, headers: { 'Idempotency-Key': randomUUID() } })
      show(await simulate(api, { id, outcome }, options), summarySheet)
    })
}

/** An order at the first location that has a package which needs no more than a name and can have the outcome. */
async function findOrder(api: IntegratorApi, outcome: SimulatedOutcome): Promise<object> {
  const { data: packages } = await api.ask('listPackages')
  for (const { id, locationIds, services } of packages) {
    const body = composeLinkOrder({ ...EXAMPLE, packageId: id, locationId: locationIds[0] ?? '' })
    if ((await isValid(api, body)) && (await canEndWith(api, services, outcome))) return body
  }
  throw new ApiRefusal(
    `This token sees no package that needs no more than a name and can end with ${outcome}. Use "ots orders create".`,
  )
}

const EXAMPLE = {
  participant: { firstName: 'Trigger', lastName: 'Example' },
  email: 'trigger@example.com',
  testReason: 'preEmployment',
}

const isValid = (api: IntegratorApi, body: object) => succeeds(api.ask('validateOrder', { body }))

/** Whether every service can; also if the token may not read services, because the simulation then decides. */
async function canEndWith(api: IntegratorApi, services: { id: string }[], outcome: SimulatedOutcome): Promise<boolean> {
  for (const { id } of services) {
    const service = await orUndefined(api.ask('readService', { params: { id } }))
    if (!service) continue
    const { isDot, attributes } = service
    if (!outcomesOf({ ...attributes, isDot, requiresMro: false }).includes(outcome)) return false
  }
  return true
}

const succeeds = async (asking: Promise<unknown>) => (await orUndefined(asking.then(() => true))) ?? false

async function orUndefined<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ApiRefusal) return undefined
    throw error
  }
}
