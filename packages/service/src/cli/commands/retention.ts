import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parse, RetentionPolicy } from '@order-testing/contract'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { checkPolicy } from '../../domain/retention/periods.ts'
import { applyRetention, type RetentionCount } from '../../operations/retention/apply.ts'
import { erasePerson } from '../../operations/retention/erase-person.ts'
import { exportPerson } from '../../operations/retention/export-person.ts'
import { listHolds, placeHolds, releaseHolds, type HoldOutcome } from '../../operations/retention/legal-holds.ts'
import type { Store } from '../../store/store.ts'
import { onlyTenant } from './catalog.ts'
import { readConfig } from '../run/settings.ts'
import { confirm } from '../confirm.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { counted, table, visible } from '../output/table.ts'
import { erasureText, isUntouched } from '../output/retention.ts'

interface SelectionOptions {
  tenant?: string
  order: string[]
  person?: boolean
}

export function addRetentionCommand(ots: Command, print: (text: string) => void): void {
  const retention = ots
    .command('retention')
    .description('Delete records after a period, keep them under a legal hold, export or erase the data of a person.')
  addApply(retention, print)
  addHolds(retention, print)
  addPerson(retention, print)
}

function addApply(retention: Command, print: (text: string) => void): void {
  retention
    .command('apply')
    .description('Delete what is older than the periods of a policy file. Nothing else is ever deleted.')
    .argument('<file>', 'JSON file with the periods; see docs/decisions/0019-audit-and-retention.md')
    .option('--tenant <id>', 'whose records (default: the tenant of the file, or the only one)')
    .option('--dry-run', 'only count what would be deleted')
    .option('--yes', 'delete without asking')
    .action(async (file: string, options: { tenant?: string; dryRun?: boolean; yes?: boolean }) => {
      const policy = await readPolicy(file)
      const apply = async (store: Store) => {
        const tenantId = await tenantOf(options.tenant, policy, store)
        const applying = { policy, tenantId, store, record: recorder(), now: new Date() }
        const counts = await applyRetention({ ...applying, isDryRun: true })
        print(countsText(counts))
        const due = dueOf(counts)
        if (options.dryRun || due === 0) return
        if (!options.yes) await confirm(`Delete ${counted(due, 'record')} of tenant "${tenantId}" for good?`)
        print(`Deleted ${counted(dueOf(await applyRetention({ ...applying, isDryRun: false })), 'record')}.`)
      }
      await withStore(readConfig(process.env), apply, { asOwner: true })
    })
}

function addHolds(retention: Command, print: (text: string) => void): void {
  const change = (name: string, work: typeof placeHolds, texts: Record<HoldOutcome['outcome'], string>) =>
    withSelection(retention.command(name))
      .requiredOption('--reason <text>', 'why; kept in the audit log')
      .action(async ({ reason, ...options }: SelectionOptions & { reason: string }) => {
        const outcomes = await withStore(readConfig(process.env), async (store) =>
          work({ selection: await selectionOf(options, store), reason, record: recorder(), now: new Date() }, store),
        )
        for (const { code, outcome } of outcomes) print(`Order ${code} ${texts[outcome]}.`)
        if (outcomes.some(({ outcome }) => outcome === 'gone')) process.exitCode = 1
      })
  const gone = 'was deleted meanwhile'
  change('hold', placeHolds, { changed: 'is held', unchanged: 'was held before', gone }).description(
    'Place a legal hold: nothing about these orders is deleted or erased.',
  )
  change('release', releaseHolds, { changed: 'is released', unchanged: 'was not held', gone }).description(
    'Release a legal hold.',
  )

  retention
    .command('holds')
    .description('List the legal holds in force.')
    .option('--tenant <id>', 'of this tenant; may be left out where there is only one')
    .option('--json', 'as JSON')
    .action(async ({ tenant, json }: { tenant?: string; json?: boolean }) => {
      const holds = await withStore(
        readConfig(process.env),
        async (store) => listHolds(tenant ?? (await onlyTenant(store)), store),
        { readOnly: true },
      )
      if (json) return print(JSON.stringify(holds, null, 2))
      const rows = holds.map(({ code, placedAt, reason }) => [code, placedAt.toISOString(), visible(reason ?? '')])
      print(rows.length === 0 ? 'There are no legal holds.' : table(rows))
    })
}

function addPerson(retention: Command, print: (text: string) => void): void {
  withSelection(retention.command('export'))
    .description('Print everything on file about these orders as JSON, unsealed. The export is recorded.')
    .option('--no-documents', 'without the bytes of documents')
    .action(async ({ documents, ...options }: SelectionOptions & { documents: boolean }) => {
      const exported = await withStore(readConfig(process.env), async (store) =>
        exportPerson(
          { selection: await selectionOf(options, store), hasDocuments: documents, record: recorder() },
          store,
        ),
      )
      print(JSON.stringify(exported, null, 2))
    })

  withSelection(retention.command('erase'))
    .description('Erase these orders and everything about them, except what the law has kept and legal holds.')
    .addHelpText('after', '\nExit code 1: at least one order was not erased, because it is held or still open.')
    .requiredOption('--reason <text>', 'why; kept in the audit log, so name nobody in it')
    .option('--dry-run', 'only say what would be erased')
    .option('--yes', 'erase without asking')
    .action(async (options: SelectionOptions & { reason: string; dryRun?: boolean; yes?: boolean }) => {
      const erase = async (store: Store) => {
        const selection = await selectionOf(options, store)
        const erasing = { selection, reason: options.reason, record: recorder(), now: new Date() }
        const planned = await erasePerson({ ...erasing, isDryRun: true }, store)
        if (options.dryRun) return print(erasureText(planned, 'planned'))
        const isAny = planned.some((each) => !isUntouched(each))
        if (isAny && !options.yes) await confirm(`${erasureText(planned, 'planned')}\nErase this for good?`)
        const done = isAny ? await erasePerson({ ...erasing, isDryRun: false }, store) : planned
        print(erasureText(done, 'done'))
        const untouched = done.filter((each) => isUntouched(each)).length
        if (untouched === 0) return
        process.stderr.write(`Not erased: ${untouched} of ${counted(done.length, 'order')}.\n`)
        process.exitCode = 1
      }
      await withStore(readConfig(process.env), erase, { asOwner: true })
    })
}

/** The options that say which orders are meant. */
const withSelection = (command: Command) =>
  command
    .option('--tenant <id>', 'whose orders; may be left out where there is only one tenant')
    .requiredOption('--order <order>', 'an order by its id or code; may be given several times', collect)
    .option('--person', 'and all other orders of the same person: equal in two of name, birth date and an identifier')

const collect = (value: string, before: string[] = []) => [...before, value]

const selectionOf = async ({ tenant, order, person = false }: SelectionOptions, store: Store) => ({
  tenantId: tenant ?? (await onlyTenant(store)),
  orders: order,
  person,
})

async function tenantOf(named: string | undefined, policy: RetentionPolicy, store: Store): Promise<string> {
  if (named !== undefined && policy.tenant !== undefined && named !== policy.tenant)
    throw refuse('conflict', `The policy is for tenant "${policy.tenant}", not for "${named}".`)
  const tenantId = named ?? policy.tenant ?? (await onlyTenant(store))
  if (!(await store.catalog.tenants()).some(({ id }) => id === tenantId))
    throw refuse('notFound', `There is no tenant "${tenantId}".`)
  return tenantId
}

async function readPolicy(path: string): Promise<RetentionPolicy> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw refusalOf(`${path}: Cannot be read: ${error.message}`)
  })
  const parsed = parse(RetentionPolicy, parseJson(text, path))
  const problems = parsed.ok ? checkPolicy(parsed.value) : parsed.problems
  if (parsed.ok && problems.length === 0) return parsed.value
  throw refusalOf(problems.map(({ pointer = '', detail }) => `${path}#${pointer}: ${detail}`).join('\n'))
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refusalOf(`${path}: Is not JSON: ${(error as Error).message}`)
  }
}

const dueOf = (counts: readonly RetentionCount[]) => counts.reduce((sum, { due }) => sum + due, 0)

const refusalOf = (detail: string) => new Refusal([{ code: 'badRequest', detail }])

function countsText(counts: readonly RetentionCount[]): string {
  if (counts.length === 0) return 'Nothing is past its period.'
  return table(
    counts.map(({ kind, due, held, required }) => [
      kind,
      `${due} due`,
      held > 0 ? `${held} under a legal hold` : '',
      required > 0 ? `${required} kept by 49 CFR 40.333` : '',
    ]),
  )
}
