import type { Command } from 'commander'
import type { AuditEntry } from '@order-testing/contract/operator'
import { Api, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { addAuditChainCommands } from './audit-verify.ts'
import { readCountFrom, readTime } from '../option-values.ts'
import { pageText, table, visible } from '../output/table.ts'

interface AuditOptions extends ApiOptions {
  order?: string
  subject?: string
  action?: string
  by?: string
  from?: Date
  to?: Date
  limit: number
  page: number
  json?: boolean
}

export function addAuditCommand(ots: Command, print: (text: string) => void): void {
  const audit = withService(ots.command('audit'))
    .description('List who did what and who read whose data, newest first, over the API of a running service.')
    .option('--order <order>', 'only what was done to this order, by its id or code')
    .option('--subject <id>', 'the same for anything else: a result, a token, a delivery')
    .option('--action <action>', 'only this, such as order.cancel')
    .option('--by <id>', 'only what was done with the token of this id')
    .option('--from <time>', 'only at this time or later', readTime)
    .option('--to <time>', 'only before this time', readTime)
    .option('--limit <number>', 'entries a page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 10_000), 1)
    .option('--json', 'as JSON')
    .action(async ({ order, subject, action, by, from, to, limit, page, json, ...options }: AuditOptions) => {
      const api = new Api(options)
      const query = {
        subjectId: order === undefined ? subject : await orderIdOf(api, order),
        action,
        tokenId: by,
        from: from?.toISOString(),
        to: to?.toISOString(),
        limit,
        page,
      }
      const found = await api.ask('listAudit', { query })
      print(json ? JSON.stringify(found, null, 2) : auditText(found))
    })
  addAuditChainCommands(audit, print)
}

function auditText({ data, limit, page, total }: { data: AuditEntry[]; limit: number; page: number; total: number }) {
  if (total === 0) return 'There are no such entries.'
  const where = pageText({ page, limit, total, count: data.length }, ['entry', 'entries'])
  if (data.length === 0) return where
  const rows = data.map(({ at, tokenId, actor, action, subject, reason }) => [
    at,
    visible(actor.type === 'local' ? `${tokenId} ${actor.user}@${actor.host}` : tokenId),
    action,
    visible(`${subject.type} ${subject.id}`),
    visible(reason ?? ''),
  ])
  return `${table(rows)}\n\n${where}`
}
