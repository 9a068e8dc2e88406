import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
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
    .argument('<outcome>', 'result such as negative, or noShow, lostInTransit, expired, refusal')
    .option('--callback <url>', 'address that receives the events of the order')
    .option('--secret <key>', 'key that signs them')
    .action(async (outcome: string, options: TriggerOptions) => {
      const api = new IntegratorApi(options)
      const { id } = await placeOrder(api, options)
      show(await simulate(api, { id, outcome }, options), summarySheet)
    })
}

/** Places an order at the first location that has a package which needs no more than a name. */
async function placeOrder(api: IntegratorApi, { callback, secret }: TriggerOptions) {
  const body = { ...(await findOrder(api)), ...composeCallback(callback, secret) }
  return api.ask('createOrder', { body, headers: { 'Idempotency-Key': randomUUID() } })
}

async function findOrder(api: IntegratorApi): Promise<object> {
  const { data: packages } = await api.ask('listPackages')
  for (const { id, locationIds } of packages) {
    const body = composeLinkOrder({ ...EXAMPLE, packageId: id, locationId: locationIds[0] ?? '' })
    if (await isValid(api, body)) return body
  }
  throw new ApiRefusal('This token sees no package that needs no more than a name. Use "ots orders create".')
}

const EXAMPLE = {
  participant: { firstName: 'Trigger', lastName: 'Example' },
  email: 'trigger@example.com',
  testReason: 'preEmployment',
}

const isValid = (api: IntegratorApi, body: object) =>
  api.ask('validateOrder', { body }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiRefusal) return false
      throw error
    },
  )
