import { InvalidArgumentError, type Command } from 'commander'
import type { AuditEntry, AuditVerification } from '@order-testing/contract/operator'
import type { Head } from '../../domain/audit/chain.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Verification } from '../../operations/audit/verify.ts'
import type { OnProgress } from '../../operations/progress.ts'
import type { Store } from '../../store/store.ts'
import { Api, findOrderId, toRefusal, withService, type ApiOptions } from '../api.ts'
import { readTime, withPaging, type PageOptions } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { dim, paintState } from '../output/colors.ts'
import { mode } from '../output/mode.ts'
import { show } from '../output/print.ts'
import { withProgress, type Reporter } from '../output/progress.ts'
import { escapeControls, formatCount, pageTable, type Found } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  entry?: string
  order?: string
  subject?: string
  action?: string
  by?: string
  from?: Date
  to?: Date
}

type AuditOptions = FilterOptions & PageOptions

interface VerifyOptions {
  tenant?: string
  head?: Head
}

interface CheckOptions extends ApiOptions {
  head?: Head
}

export function define(audit: Command): void {
  withFilter(withPaging(withService(audit)))
    .description('List audit entries, newest first: who did what, when, to which order, token or delivery.')
    .action(async ({ limit, page, ...options }: AuditOptions) => {
      const api = new Api(options)
      const query = { ...(await toFilter(api, options)), limit, page }
      show(await api.ask('listAudit', { query }), auditText)
    })
  withExamples(audit, 'ots audit --order K7M4-2QXD', 'ots audit --action token.create --from 2027-01-01')
  addExportCommand(audit)
  addChainCommands(audit)
}

const withFilter = (command: Command) =>
  command
    .option('--order <order>', 'only entries about this order, by its id or code')
    .option('--entry <id>', 'only the entry with this id')
    .option('--subject <id>', 'only entries about this id: a result, a token, a delivery')
    .option('--action <action>', 'only entries of this action, such as order.cancel')
    .option('--by <id>', 'only entries of the token or person with this id')
    .option('--from <time>', 'only entries at this time or later', readTime)
    .option('--to <time>', 'only entries before this time', readTime)

const toFilter = async (api: Api, { entry, order, subject, action, by, from, to }: FilterOptions) => ({
  id: entry,
  subjectId: (await findOrderId(api, order)) ?? subject,
  action,
  tokenId: by,
  from: from?.toISOString(),
  to: to?.toISOString(),
})

function addExportCommand(audit: Command): void {
  withExamples(
    withFilter(withService(audit.command('export'))),
    'ots audit export > audit.csv',
    'ots audit export --from 2027-01-01 --to 2027-02-01 > january.csv',
  )
    .description('Print audit entries as CSV, newest first. The export itself is audited.')
    .action(async (_options: FilterOptions, command: Command) => {
      if (mode.json) command.error('error: this prints CSV; use "ots audit --json" for JSON')
      // The group has the same options, and gets those that are given.
      const options: FilterOptions = command.optsWithGlobals()
      const api = new Api(options)
      const filter = await toFilter(api, options)
      for (let before: string | undefined, isFirst = true; ; isFirst = false) {
        const { status, text } = await api.send('exportAudit', { query: { ...filter, before, limit: EXPORTED } })
        if (status >= 300) throw toRefusal(status, text)
        const lines = toLines(text)
        process.stdout.write(isFirst ? text : text.slice(text.indexOf('\n') + 1))
        if (lines.length < EXPORTED) return
        before = lines.at(-1)!.split(',', 1)[0]
      }
    })
}

/** Entries of one request. */
const EXPORTED = 1_000

/** Each entry begins with its id, at the start of a line. */
const toLines = (csv: string) => csv.split('\r\n').filter((line) => /^aud_\w+,/.test(line))

function addChainCommands(audit: Command): void {
  withExamples(audit.command('verify'), 'ots audit verify', 'ots audit verify --tenant demo --head "$(cat head.txt)"')
    .description('Check the hash chain of the audit log. Exit code 1: altered, missing or reordered entries.')
    .option('--tenant <id>', 'only the audit log of this tenant')
    .option('--head <seq:hash>', 'head noted earlier, which the chain must still contain; requires --tenant', readHead)
    .action(async ({ tenant, head }: VerifyOptions, command: Command) => {
      if (head && tenant === undefined) command.error('error: --head requires --tenant: each tenant has its own chain')
      const verified = await withProgress('Verifying', (reporter) => verifyAll(tenant, head, reporter))
      show(verified, () =>
        verified.length === 0 ? 'No tenants found.' : verified.map((each) => toText(each)).join('\n'),
      )
      if (verified.some(({ faultCount }) => faultCount > 0)) process.exitCode = 1
    })

  withExamples(
    withService(audit.command('check')),
    'ots audit check',
    'ots audit check --head "$(cat head.txt)" --json',
  )
    .description('Check the hash chain over the API. Exit code 1: altered, missing or reordered entries.')
    .option('--head <seq:hash>', 'head noted earlier, which the chain must still contain', readHead)
    .action(async ({ head, ...options }: CheckOptions) => {
      const checked = await withProgress('Checking', ({ update }) => checkAll(new Api(options), head, update))
      show(checked, (found) => chainText('Audit log', { ...found, faultCount: found.faults.length }))
      if (checked.faults.length > 0) process.exitCode = 1
    })

  withExamples(withService(audit.command('head')), 'ots audit head > head.txt')
    .description('Print the head of the audit chain as SEQ:HASH. Keep it in another place.')
    .action(async (options: ApiOptions) => {
      const head = await new Api(options).ask('readAuditHead')
      show(head, ({ seq, hash }) => `${seq}:${hash}`)
    })
}

const auditText = (found: Found<AuditEntry>) =>
  pageTable(found, ['entry', 'entries'], {
    head: ['Time', 'By', 'Action', 'Subject', 'Reason'],
    empty: 'No audit entries found.',
    row: ({ at, tokenId, user, actor, action, subject, reason }) => [
      dim(at),
      escapeControls(user?.name ?? (actor.type === 'local' ? `${tokenId} ${actor.user}@${actor.host}` : tokenId)),
      action,
      escapeControls(`${subject.type} ${subject.name ?? subject.id}`),
      escapeControls(reason ?? ''),
    ],
  })

async function verifyAll(
  tenant: string | undefined,
  head: Head | undefined,
  { update }: Reporter,
): Promise<Verification[]> {
  // Imported here, because the other commands about the audit log do not need the database.
  const { verifyAudit } = await import('../../operations/audit/verify.ts')
  const { withStore } = await import('../run/database.ts')
  const verify = async (store: Store) => {
    const verified: Verification[] = []
    const estimate = tenant === undefined ? await store.auditCheck.count() : 0
    let before = 0
    for (const id of await listTenants(store, tenant)) {
      const onProgress: OnProgress = ({ kind, done }) =>
        // An estimate, which may be too low.
        update({ kind, done: before + done, total: before + done < estimate ? estimate : undefined })
      const each = await verifyAudit(id, store, { head, onProgress })
      before += each.links
      verified.push(each)
    }
    return verified
  }
  return withStore(verify, { readOnly: true })
}

async function listTenants(store: Store, tenant: string | undefined): Promise<string[]> {
  const all = await store.auditCheck.tenants()
  if (tenant === undefined) return all
  if (!all.includes(tenant)) throw refuse('notFound', `Unknown tenant "${tenant}".`)
  return [tenant]
}

/** Checks all parts, up to a number of faults that nobody reads to the end. */
async function checkAll(api: Api, head: Head | undefined, update: OnProgress): Promise<AuditVerification> {
  const expected = head && `${head.seq}:${head.hash}`
  const total = (await api.ask('readAuditHead')).seq
  let all: AuditVerification = { ...NOTHING_CHECKED }
  do {
    const query = { after: all.next ?? undefined, head: expected }
    const part = await api.ask('verifyAudit', { query })
    all = {
      ...part,
      links: all.links + part.links,
      entries: all.entries + part.entries,
      head: part.head ?? all.head,
      faults: [...all.faults, ...part.faults],
    }
    update({ kind: 'audit entries', done: all.links, total: all.links < total ? total : undefined })
  } while (all.next !== null && all.faults.length < MOST_FAULTS)
  return all
}

const MOST_FAULTS = 1_000

const NOTHING_CHECKED: AuditVerification = {
  object: 'auditVerification',
  links: 0,
  entries: 0,
  head: null,
  faults: [],
  next: null,
}

const toText = ({ tenantId, ...verified }: Verification) => chainText(tenantId, verified)

type Chain = Pick<Verification, 'links' | 'faultCount'> & {
  head: Head | null
  faults: readonly { kind: string; detail: string }[]
}

function chainText(name: string, { links, head, faults, faultCount }: Chain): string {
  const chain = `${formatCount(links, 'entry', 'entries')}, head ${head?.seq ?? 0}:${head?.hash ?? ''}`
  if (faultCount === 0) return `${name}: ${paintState('intact')}. ${chain}`
  const more = faultCount - faults.length
  return [
    `${name}: ${paintState(formatCount(faultCount, 'problem'), 'problem')}. ${chain}`,
    ...faults.map(({ kind, detail }) => `  ${kind.padEnd(9)}  ${detail}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

function readHead(text: string): Head {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError(
      'Expected a number and a hash of 64 hexadecimal digits, as printed by "ots audit head".',
    )
  return { seq: Number(seq), hash: hash.toLowerCase() }
}
