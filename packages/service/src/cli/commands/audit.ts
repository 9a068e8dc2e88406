import type { Command } from 'commander'
import type { AuditEntry } from '@order-testing/contract/operator'
import { Api, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { readTime, withPaging, type PageOptions } from '../option-values.ts'
import { pageTable, print, toJson, visible, type Found } from '../output/table.ts'
import { addChainCommands } from './audit-verify.ts'

interface AuditOptions extends ApiOptions, PageOptions {
  order?: string
  subject?: string
  action?: string
  by?: string
  from?: Date
  to?: Date
}

export function define(audit: Command): void {
  withPaging(withService(audit))
    .option('--order <order>', 'only entries about this order, by its id or code')
    .option('--subject <id>', 'only entries about this id: a result, a token, a delivery')
    .option('--action <action>', 'only entries of this action, such as order.cancel')
    .option('--by <id>', 'only entries of the token with this id')
    .option('--from <time>', 'only entries at this time or later', readTime)
    .option('--to <time>', 'only entries before this time', readTime)
    .action(async ({ order, subject, action, by, from, to, limit, page, json, ...options }: AuditOptions) => {
      const api = new Api(options)
      const query = {
        subjectId: (await orderIdOf(api, order)) ?? subject,
        action,
        tokenId: by,
        from: from?.toISOString(),
        to: to?.toISOString(),
        limit,
        page,
      }
      const found = await api.ask('listAudit', { query })
      print(json ? toJson(found) : auditText(found))
    })
  addChainCommands(audit)
}

const auditText = (found: Found<AuditEntry>) =>
  pageTable(found, ['entry', 'entries'], {
    empty: 'No audit entries found.',
    row: ({ at, tokenId, actor, action, subject, reason }) => [
      at,
      visible(actor.type === 'local' ? `${tokenId} ${actor.user}@${actor.host}` : tokenId),
      action,
      visible(`${subject.type} ${subject.id}`),
      visible(reason ?? ''),
    ],
  })
