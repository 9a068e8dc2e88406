import type { Command } from 'commander'
import type { OperatorOrder } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { readDay, readTime } from '../option-values.ts'
import { bookedText, changedText, orderSheet } from '../output/orders.ts'
import { visible } from '../output/table.ts'

interface SpecimenOptions {
  specimen?: string
  courier?: string
  tracking?: string
}

interface ReviewOptions {
  reviewer?: string
  decided?: string
}

type MoveOptions = ApiOptions & SpecimenOptions & ReviewOptions & { at?: Date; reason?: string }
type BookOptions = ApiOptions & { at?: Date; override?: true; reason?: string }
type CorrectOptions = ApiOptions & SpecimenOptions & ReviewOptions & { status?: string; reason: string }

const ORDER = ['<order>', 'id or code of the order'] as const
const SERVICE = ['<service>', 'which service of it: 1 for the first, or its id'] as const

export function addOrdersCommand(ots: Command, print: (text: string) => void): void {
  const orders = ots.command('orders').description('look at orders and move them on, over the API of a running service')

  withService(orders.command('show'))
    .description('show an order with its services and all that happened to it')
    .argument(...ORDER)
    .option('--json', 'as JSON, with every detail')
    .action(async (id: string, { json, ...options }: ApiOptions & { json?: boolean }) => {
      const order = await new Api(options).ask('operatorReadOrder', { params: { id } })
      print(json ? JSON.stringify(order, null, 2) : orderSheet(order))
    })

  withReview(withSpecimen(withService(orders.command('move'))))
    .description('move a service to its next status')
    .argument(...ORDER)
    .argument(...SERVICE)
    .argument('<status>', 'such as checkedIn; "ots orders show" lists what may come next')
    .option('--at <time>', 'when it happened (default: now)', readTime)
    .option('--reason <text>', 'why')
    .action(async (id: string, service: string, status: string, options: MoveOptions) => {
      const api = new Api(options)
      const { at, reason } = options
      const body = { status, occurredAt: at?.toISOString(), reason, ...specimenOf(options), ...reviewOf(options) }
      const serviceId = await serviceOf(api, id, service)
      print(changedText(await api.ask('moveService', { params: { id, serviceId }, body }), serviceId))
    })

  withReview(withSpecimen(withService(orders.command('correct'))))
    .description('correct a result or a specimen')
    .argument(...ORDER)
    .argument(...SERVICE)
    .option('--status <status>', 'the result it should have')
    .requiredOption('--reason <text>', 'why')
    .action(async (id: string, service: string, options: CorrectOptions) => {
      const api = new Api(options)
      const { status, reason } = options
      const body = { status, reason, ...specimenOf(options), ...reviewOf(options) }
      const serviceId = await serviceOf(api, id, service)
      print(changedText(await api.ask('correctService', { params: { id, serviceId }, body }), serviceId))
    })

  withService(orders.command('book'))
    .description('book a clinic, or another clinic or time')
    .argument(...ORDER)
    .argument('<clinic>', 'id of the clinic')
    .option('--at <time>', 'when the participant is expected (default: any time)', readTime)
    .option('--override', 'although the fee or the hours do not fit; needs a reason')
    .option('--reason <text>', 'why')
    .action(async (id: string, clinicId: string, { at, override, reason, ...options }: BookOptions) => {
      const body = { clinicId, appointmentAt: at?.toISOString(), override, reason }
      print(bookedText(await new Api(options).ask('setClinic', { params: { id }, body })))
    })

  withService(orders.command('unbook'))
    .description('cancel the booking; the order stays open')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      print(bookedText(await new Api(options).ask('clearClinic', { params: { id } })))
    })

  withService(orders.command('cancel'))
    .description('cancel an order')
    .argument(...ORDER)
    .requiredOption('--reason <text>', 'why')
    .action(async (id: string, { reason, ...options }: ApiOptions & { reason: string }) => {
      const order = await new Api(options).ask('operatorCancelOrder', { params: { id }, body: { reason } })
      print(changedText(order))
    })
}

const withSpecimen = (command: Command) =>
  command
    .option('--specimen <id>', 'id of the specimen')
    .option('--courier <name>', 'who carries it')
    .option('--tracking <number>', 'under which number')

const withReview = (command: Command) =>
  command
    .option(
      '--reviewer <name>',
      'medical reviewer whose decision is recorded; needed for results that only they decide',
    )
    .option('--decided <date>', 'when the reviewer decided, such as 2027-01-31', readDay)

const reviewOf = ({ reviewer, decided }: ReviewOptions) => ({ reviewer, decidedAt: decided })

const specimenOf = ({ specimen, courier, tracking }: SpecimenOptions) => ({
  specimenId: specimen,
  courier,
  trackingNumber: tracking,
})

/** The id of a service that is named by its place, its id or its id in the catalog. */
async function serviceOf(api: Api, id: string, name: string): Promise<string> {
  if (name.startsWith('osv_')) return name
  const { services, order } = await api.ask('operatorReadOrder', { params: { id } })
  const found = /^\d{1,3}$/.test(name)
    ? services.slice(Number(name) - 1, Number(name))
    : services.filter(({ serviceId }) => serviceId === name)
  const [service] = found
  if (service && found.length === 1) return service.id
  throw new ApiRefusal(`Order ${order.code} has no such service as "${visible(name)}". It has:\n${listed(services)}`)
}

const listed = (services: OperatorOrder['services']) =>
  services.map(({ id, serviceId, status }, i) => `  ${i + 1}  ${id}  ${visible(serviceId)}  ${status}`).join('\n')
