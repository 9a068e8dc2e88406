import { Option, type Command } from 'commander'
import { Api, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { BASED_ON, readCount, readTime } from '../option-values.ts'
import { contactText, expiryText, searchText } from '../output/order-changes.ts'
import { show, showDone } from '../output/print.ts'

const ORDER = ['<order>', 'id or code of the order'] as const
const REASON = ['--reason <text>', 'reason, recorded in the audit log'] as const

/** Commands to find an order, and to change whom and until when it waits for. */
export function addChangeCommands(orders: Command): void {
  withExamples(
    withService(orders.command('search')),
    'ots orders search maria lopez 1990-03-07',
    "ots orders search '(630) 555-0100'",
    'ots orders search HR-4471',
  )
    .description(
      'Search orders by person or identifier. Names match as written or as they sound; searches are audited.',
    )
    .argument('<words...>', 'all must match; names also match if they sound alike')
    .action(async (words: string[], options: ApiOptions) => {
      show(await new Api(options).ask('searchOrders', { body: { q: words.join(' ') } }), searchText)
    })

  withExamples(
    withService(orders.command('contact')),
    "ots orders contact K7M4-2QXD --email maria@example.com --reason 'She called.'",
  )
    .description("Change the participant's contact. Waiting messages go to the new one.")
    .argument(...ORDER)
    .option('--email <address>', 'new e-mail address')
    .option('--phone <number>', 'new phone number')
    .requiredOption(...REASON)
    .option(...BASED_ON)
    .action(async (id: string, { email, phone, reason, basedOn, ...options }: ContactOptions, command: Command) => {
      if ((email ?? phone) === undefined) command.error('error: give --email, --phone or both')
      const body = { email, phone, reason, basedOn: basedOn?.toISOString() }
      showDone(await new Api(options).ask('changeContact', { params: { id }, body }), contactText)
    })

  withExamples(
    withService(orders.command('extend')),
    "ots orders extend K7M4-2QXD --days 14 --reason 'On leave.'",
    "ots orders extend K7M4-2QXD --until 2027-01-31T23:59Z --reason 'On leave.'",
  )
    .description('Change when an order expires. At most 90 days from today.')
    .argument(...ORDER)
    .addOption(new Option('--until <time>', 'when it expires').argParser(readTime).conflicts('days'))
    .option('--days <number>', 'it expires this many days from now', readCount)
    .requiredOption(...REASON)
    .option(...BASED_ON)
    .action(async (id: string, { until, days, reason, basedOn, ...options }: ExtendOptions, command: Command) => {
      if (until === undefined && days === undefined) command.error('error: give --until or --days')
      const body = { expiresAt: until?.toISOString(), days, reason, basedOn: basedOn?.toISOString() }
      showDone(await new Api(options).ask('extendOrder', { params: { id }, body }), expiryText)
    })
}

interface ContactOptions extends ApiOptions {
  email?: string
  phone?: string
  reason: string
  basedOn?: Date
}

interface ExtendOptions extends ApiOptions {
  until?: Date
  days?: number
  reason: string
  basedOn?: Date
}
