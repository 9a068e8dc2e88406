import { Option, type Command } from 'commander'
import { SENDER_KINDS, type SenderKind } from '@order-testing/contract'
import type { OperatorSender } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { readList, withPaging, type PageOptions } from '../option-values.ts'
import { dim } from '../output/colors.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, formatCount, pageTable, type Found } from '../output/table.ts'

interface ListOptions extends ApiOptions, PageOptions {
  of?: string
  role?: SenderKind
}

interface EditOptions extends ApiOptions {
  of: string
  role: SenderKind
  name?: string
  labs?: string[]
  timezone?: string
  reason?: string
}

export function define(senders: Command): void {
  withExamples(
    withPaging(withService(senders.command('list'))),
    'ots senders list',
    'ots senders list --of lab-line --role lab',
  )
    .description('List the senders of result reports, by token.')
    .option('--of <token>', 'only those of this token, by its id')
    .addOption(new Option('--role <role>', 'only those of this kind').choices(SENDER_KINDS))
    .action(async ({ of, role, limit, page, ...options }: ListOptions) => {
      show(await new Api(options).ask('listSenders', { query: { tokenId: of, role, limit, page } }), listing)
    })

  withExamples(
    withService(senders.command('edit')),
    'ots senders edit HALVORSEN --of lab-line --role lab --timezone America/Chicago',
    'ots senders edit HALVORSEN --of lab-line --role lab --labs default --name none',
  )
    .description('Change a sender of a token. Takes effect at once.')
    .argument('<id>', 'id of the sender, as its messages have it')
    .requiredOption('--of <token>', 'id of the token that lists it')
    .addOption(new Option('--role <role>', 'kind of the sender').choices(SENDER_KINDS).makeOptionMandatory())
    .option('--name <name>', 'what operators call it, or none')
    .option('--labs <ids>', 'laboratories it sends for, or default for the one of its id', readList)
    .option('--timezone <zone>', 'zone of HL7 times without an offset, or UTC')
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, { of, role, reason, name, labs, timezone, ...options }: EditOptions) => {
      if (name === undefined && labs === undefined && timezone === undefined)
        throw new ApiRefusal('Give --name, --labs or --timezone.')
      const body = {
        id,
        role,
        reason,
        name: name === 'none' ? null : name,
        labs: labs?.length === 1 && labs[0] === 'default' ? null : labs,
        timezone: timezone === 'UTC' ? null : timezone,
      }
      showDone(await new Api(options).ask('editSender', { params: { id: of }, body }), changedText)
    })
}

const changedText = (sender: OperatorSender) =>
  `Sender ${escapeControls(sender.id)} of token "${sender.token.id}" is changed: ${escapeControls(meaningOf(sender))}.`

const meaningOf = ({ role, labs, timezone }: OperatorSender) =>
  `${role}, for ${labs === null ? 'the laboratory of its id' : labs.join(', ') || 'no laboratory'}, times in ${timezone ?? 'UTC'}`

const listing = (found: Found<OperatorSender>) =>
  pageTable(found, ['sender', 'senders'], {
    head: ['Token', 'Sender', 'Name', 'Sends', 'Codes'],
    empty: 'No token lists senders.',
    order: 'by token',
    row: (sender) => [
      sender.token.id,
      escapeControls(sender.id),
      escapeControls(sender.name ?? ''),
      escapeControls(meaningOf(sender)),
      dim(formatCount(sender.codes.length, 'code')),
    ],
  })
