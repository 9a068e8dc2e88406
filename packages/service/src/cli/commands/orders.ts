import { Option, type Command } from 'commander'
import type { OrderLinks } from '@order-testing/contract/operator'
import { Api, IntegratorApi, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { BASED_ON, readDay, readTime } from '../option-values.ts'
import { findServiceId } from './service-positions.ts'
import { addChangeCommands } from './order-changes.ts'
import { addDocumentCommands } from './order-documents.ts'
import { addIntegratorCommands } from './integrator-orders.ts'
import { addList, addListCommands } from './order-lists.ts'
import { bookedText, changedText, orderSheet } from '../output/orders.ts'
import { show, showDone } from '../output/print.ts'
import { formatCount } from '../output/table.ts'

interface ServiceOptions extends ApiOptions {
  specimen?: string
  courier?: string
  tracking?: string
  reviewer?: string
  decided?: string
  basedOn?: Date
}

type MoveOptions = ServiceOptions & { at?: Date; reason?: string }
type CorrectOptions = ServiceOptions & { status?: string; reason: string }
type BookOptions = ApiOptions & { at?: Date; override?: true; reason?: string; basedOn?: Date }
type CancelOptions = ApiOptions & { reason?: string; basedOn?: Date }

const ORDER = ['<order>', 'id or code of the order'] as const
const SERVICE = ['<service>', 'service of the order: its position (1 is the first) or id'] as const

export function define(orders: Command): void {
  orders
    .description(
      'Place, list, follow and cancel orders as an integrator; show, book, move and correct them as an operator.',
    )
    .commandsGroup('With the token of an integrator:')
  addIntegratorCommands(orders)

  orders.commandsGroup('With the token of an operator:')
  withExamples(withService(orders.command('show')), 'ots orders show K7M4-2QXD')
    .description('Show an order with its services and timeline.')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('operatorReadOrder', { params: { id } }), orderSheet)
    })
  addServiceCommands(orders)
  addChangeCommands(orders)

  withExamples(
    withService(orders.command('book')),
    'ots orders book K7M4-2QXD clinic-blue-river',
    'ots orders book K7M4-2QXD clinic-blue-river --at 2027-03-04T15:00Z',
  )
    .description('Book a clinic, or change the clinic or time.')
    .argument(...ORDER)
    .argument('<clinic>', 'id of the clinic')
    .option('--at <time>', 'time of the appointment (default: any time)', readTime)
    .option('--override', 'book despite the fee or the opening hours; requires --reason')
    .option('--reason <text>', 'reason, recorded in the audit log')
    .option(...BASED_ON)
    .action(async (id: string, clinicId: string, { at, override, reason, basedOn, ...options }: BookOptions) => {
      const body = { clinicId, appointmentAt: at?.toISOString(), override, reason, basedOn: basedOn?.toISOString() }
      showDone(await new Api(options).ask('setClinic', { params: { id }, body }), bookedText)
    })

  withExamples(withService(orders.command('unbook')), 'ots orders unbook K7M4-2QXD')
    .description('Cancel the booking. The order stays open.')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      showDone(await new Api(options).ask('clearClinic', { params: { id } }), bookedText)
    })

  addLinkCommands(orders)
  addDocumentCommands(orders)
  addListCommands(orders)

  orders.commandsGroup('With either:')
  addList(orders)
  withExamples(
    withService(orders.command('cancel'), 'an operator or API token'),
    'ots orders cancel ord_01hx3v9m2c8k4t6w0q5r7y1z3b',
    "ots orders cancel K7M4-2QXD --reason 'Placed twice.'",
  )
    .description('Cancel an order.')
    .argument(...ORDER)
    .option('--reason <text>', 'reason, recorded in the audit log; operators have to give one')
    .option(BASED_ON[0], `${BASED_ON[1]}; for operators`, BASED_ON[2])
    .action(async (id: string, { reason, basedOn, ...options }: CancelOptions, command: Command) => {
      const integrators = new IntegratorApi(options)
      const isOperator = (await integrators.ask('readToken')).scopes.some((scope) => scope.startsWith('operator.'))
      if (isOperator && reason === undefined) command.error('error: operators give a reason with --reason <text>')
      if (!isOperator && basedOn !== undefined) command.error('error: --based-on is for operators')
      const params = { id }
      const body = { reason, basedOn: basedOn?.toISOString() }
      if (isOperator) showDone(await new Api(options).ask('operatorCancelOrder', { params, body }), changedText)
      else
        showDone(await integrators.ask('cancelOrder', { params, body: { reason } }), (order) => changedText({ order }))
    })
}

interface LinkOptions extends ApiOptions {
  requester?: true
  revoke?: true
  email?: string
  phone?: string
  reason?: string
}

function addLinkCommands(orders: Command): void {
  withExamples(
    withService(orders.command('link')),
    'ots orders link K7M4-2QXD --revoke',
    'ots orders link K7M4-2QXD --email maria@example.com',
  )
    .description('Send a new link to its recipient.')
    .argument(...ORDER)
    .option('--requester', 'to the requester who chooses the clinic')
    .option('--revoke', 'revoke the earlier links first')
    .addOption(new Option('--email <address>', 'new contact of the participant').conflicts(['phone', 'requester']))
    .addOption(new Option('--phone <number>', 'new contact of the participant').conflicts(['email', 'requester']))
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, { requester, revoke, email, phone, reason, ...options }: LinkOptions) => {
      const contact =
        email === undefined ? phone && { type: 'mobile' as const, phone } : { type: 'email' as const, to: email }
      const recipient = requester && ('requester' as const)
      const body = { recipient, revoke, contact: contact || undefined, reason }
      showDone(await new Api(options).ask('sendLink', { params: { id }, body }), linksText)
    })

  withExamples(withService(orders.command('revoke-links')), 'ots orders revoke-links K7M4-2QXD')
    .description('Revoke all links of an order. Later messages have new ones.')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      showDone(await new Api(options).ask('revokeLinks', { params: { id } }), linksText)
    })
}

const linksText = ({ revoked, message }: OrderLinks) =>
  [
    ...(revoked > 0 || message === null ? [`${formatCount(revoked, 'link')} revoked.`] : []),
    ...(message ? [`A new link will be sent (${message.id}).`] : []),
  ].join(' ')

function addServiceCommands(orders: Command): void {
  withExamples(
    withDetails(withService(orders.command('move'))),
    'ots orders move K7M4-2QXD 1 checkedIn',
    'ots orders move K7M4-2QXD 1 collected --specimen S-77',
  )
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

  withExamples(
    withDetails(withService(orders.command('correct'))),
    "ots orders correct K7M4-2QXD 1 --status negative --reason 'By telephone.'",
  )
    .description('Correct a result or a specimen.')
    .argument(...ORDER)
    .argument(...SERVICE)
    .option('--status <status>', 'correct result')
    .requiredOption('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, service: string, options: CorrectOptions) => {
      const { status, reason } = options
      await change('correctService', { id, service, body: { status, reason, ...toDetails(options) } }, options)
    })
}

/** Adds the options that describe the specimen and the medical review. */
const withDetails = (command: Command) =>
  command
    .option('--specimen <id>', 'id of the specimen')
    .option('--courier <name>', 'courier of the specimen')
    .option('--tracking <number>', 'tracking number of the courier')
    .option('--reviewer <name>', 'medical reviewer (MRO) who decided; required for results that only an MRO decides')
    .option('--decided <date>', 'date of the decision, such as 2027-01-31', readDay)
    .option(...BASED_ON)

const toDetails = ({ specimen, courier, tracking, reviewer, decided, basedOn }: ServiceOptions) => ({
  specimenId: specimen,
  courier,
  trackingNumber: tracking,
  reviewer,
  decidedAt: decided,
  basedOn: basedOn?.toISOString(),
})

async function change(
  name: 'moveService' | 'correctService',
  { id, service, body }: { id: string; service: string; body: object },
  options: ApiOptions,
): Promise<void> {
  const api = new Api(options)
  const serviceId = await findServiceId(api, id, service)
  showDone(await api.ask(name, { params: { id, serviceId }, body }), (order) => changedText(order, serviceId))
}
