import type { Command } from 'commander'
import type { OperatorOrder } from '@order-testing/contract/operator'
import { Api, ApiRefusal, IntegratorApi, withService, type ApiOptions } from '../api.ts'
import { addIntegratorCommands } from './integrator-orders.ts'
import { readDay, readTime } from '../option-values.ts'
import { bookedText, changedText, orderSheet } from '../output/orders.ts'
import { escapeControls, print, toJson } from '../output/table.ts'

interface ServiceOptions extends ApiOptions {
  specimen?: string
  courier?: string
  tracking?: string
  reviewer?: string
  decided?: string
}

type MoveOptions = ServiceOptions & { at?: Date; reason?: string }
type CorrectOptions = ServiceOptions & { status?: string; reason: string }
type BookOptions = ApiOptions & { at?: Date; override?: true; reason?: string }

const ORDER = ['<order>', 'id or code of the order'] as const
const SERVICE = ['<service>', 'service of the order: its position (1 is the first) or id'] as const

export function define(orders: Command): void {
  addIntegratorCommands(orders)

  withService(orders.command('show'))
    .description('Show an order with its services and timeline.')
    .argument(...ORDER)
    .option('--json', 'print JSON, with all details')
    .action(async (id: string, { json, ...options }: ApiOptions & { json?: boolean }) => {
      const order = await new Api(options).ask('operatorReadOrder', { params: { id } })
      print(json ? toJson(order) : orderSheet(order))
    })

  withDetails(withService(orders.command('move')))
    .description('Move a service to its next status.')
    .argument(...ORDER)
    .argument(...SERVICE)
    .argument('<status>', 'new status, such as checkedIn; "ots orders show" lists the possible ones')
    .option('--at <time>', 'when it happened (default: now)', readTime)
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, service: string, status: string, options: MoveOptions) => {
      const { at, reason } = options
      const body = { status, occurredAt: at?.toISOString(), reason, ...toDetails(options) }
      await change('moveService', { id, service, body }, options)
    })

  withDetails(withService(orders.command('correct')))
    .description('Correct a result or a specimen.')
    .argument(...ORDER)
    .argument(...SERVICE)
    .option('--status <status>', 'correct result')
    .requiredOption('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, service: string, options: CorrectOptions) => {
      const { status, reason } = options
      await change('correctService', { id, service, body: { status, reason, ...toDetails(options) } }, options)
    })

  withService(orders.command('book'))
    .description('Book a clinic, or change the clinic or time.')
    .argument(...ORDER)
    .argument('<clinic>', 'id of the clinic')
    .option('--at <time>', 'time of the appointment (default: any time)', readTime)
    .option('--override', 'book despite the fee or the opening hours; requires --reason')
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, clinicId: string, { at, override, reason, ...options }: BookOptions) => {
      const body = { clinicId, appointmentAt: at?.toISOString(), override, reason }
      print(bookedText(await new Api(options).ask('setClinic', { params: { id }, body })))
    })

  withService(orders.command('unbook'))
    .description('Cancel the booking. The order stays open.')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      print(bookedText(await new Api(options).ask('clearClinic', { params: { id } })))
    })

  withService(orders.command('cancel'), 'an operator or API token')
    .description('Cancel an order, with the token of an operator or an integrator.')
    .argument(...ORDER)
    .option('--reason <text>', 'reason, recorded in the audit log; operators have to give one')
    .action(async (id: string, { reason, ...options }: ApiOptions & { reason?: string }, command: Command) => {
      const integrators = new IntegratorApi(options)
      const isOperator = (await integrators.ask('readToken')).scopes.some((scope) => scope.startsWith('operator.'))
      if (isOperator && reason === undefined) command.error('error: operators give a reason with --reason <text>')
      print(await (isOperator ? cancelAsOperator(id, reason, options) : cancelAsIntegrator(id, reason, integrators)))
    })
}

async function cancelAsOperator(id: string, reason: string | undefined, options: ApiOptions): Promise<string> {
  return changedText(await new Api(options).ask('operatorCancelOrder', { params: { id }, body: { reason } }))
}

async function cancelAsIntegrator(id: string, reason: string | undefined, api: IntegratorApi): Promise<string> {
  const { code, status } = await api.ask('cancelOrder', { params: { id }, body: { reason } })
  return `Order ${code} is ${status}.`
}

/** Adds the options that describe the specimen and the medical review. */
const withDetails = (command: Command) =>
  command
    .option('--specimen <id>', 'id of the specimen')
    .option('--courier <name>', 'courier of the specimen')
    .option('--tracking <number>', 'tracking number of the courier')
    .option('--reviewer <name>', 'medical reviewer (MRO) who decided; required for results that only an MRO decides')
    .option('--decided <date>', 'date of the decision, such as 2027-01-31', readDay)

const toDetails = ({ specimen, courier, tracking, reviewer, decided }: ServiceOptions) => ({
  specimenId: specimen,
  courier,
  trackingNumber: tracking,
  reviewer,
  decidedAt: decided,
})

async function change(
  name: 'moveService' | 'correctService',
  { id, service, body }: { id: string; service: string; body: object },
  options: ApiOptions,
): Promise<void> {
  const api = new Api(options)
  const serviceId = await findServiceId(api, id, service)
  print(changedText(await api.ask(name, { params: { id, serviceId }, body }), serviceId))
}

/** Finds the id of a service given by its position, its id or its id in the catalog. */
async function findServiceId(api: Api, id: string, name: string): Promise<string> {
  if (name.startsWith('osv_')) return name
  const { services, order } = await api.ask('operatorReadOrder', { params: { id } })
  const found = /^\d{1,3}$/.test(name)
    ? services.slice(Number(name) - 1, Number(name))
    : services.filter(({ serviceId }) => serviceId === name)
  const [service] = found
  if (service && found.length === 1) return service.id
  throw new ApiRefusal(
    `Order ${order.code} has no service "${escapeControls(name)}". Its services:\n${serviceList(services)}`,
  )
}

const serviceList = (services: OperatorOrder['services']) =>
  services
    .map(({ id, serviceId, status }, i) => `  ${i + 1}  ${id}  ${escapeControls(serviceId)}  ${status}`)
    .join('\n')
