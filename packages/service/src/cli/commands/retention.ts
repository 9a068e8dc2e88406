import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parse, RetentionPolicy } from '@order-testing/contract'
import { refuse } from '../../domain/refusal.ts'
import { checkPolicy } from '../../domain/retention/periods.ts'
import { applyRetention, type RetentionCount } from '../../operations/retention/apply.ts'
import { erasePerson } from '../../operations/retention/erase-person.ts'
import { exportPerson } from '../../operations/retention/export-person.ts'
import { listHolds, placeHolds, releaseHolds, type HoldOutcome } from '../../operations/retention/legal-holds.ts'
import type { Store } from '../../store/store.ts'
import { confirm } from '../confirm.ts'
import { collect } from '../option-values.ts'
import { erasureText, isUntouched } from '../output/retention.ts'
import { escapeControls, formatCount, print, table, toJson } from '../output/table.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { chooseTenant } from './catalog.ts'

interface SelectionOptions {
  tenant?: string
  order: string[]
  person?: boolean
}

export function define(retention: Command): void {
  retention
    .command('apply')
    .description('Delete records that are older than the periods of a policy file. Nothing else is deleted.')
    .argument('<file>', 'JSON file with the periods; see docs/decisions/0019-audit-and-retention.md')
    .option('--tenant <id>', 'tenant of the records (default: that of the file, or the only one)')
    .option('--dry-run', 'only count what would be deleted')
    .option('--yes', 'delete without asking')
    .action(async (file: string, options: { tenant?: string; dryRun?: boolean; yes?: boolean }) => {
      const policy = await readPolicy(file)
      const apply = async (store: Store) => {
        const tenantId = await findTenant(options.tenant, policy, store)
        const applying = { policy, tenantId, store, record: recorder(), now: new Date() }
        const counts = await applyRetention({ ...applying, isDryRun: true })
        print(countsText(counts))
        const due = countDue(counts)
        if (options.dryRun || due === 0) return
        if (!options.yes) await confirm(`Permanently delete ${formatCount(due, 'record')} of tenant "${tenantId}"?`)
        print(`Deleted ${formatCount(countDue(await applyRetention({ ...applying, isDryRun: false })), 'record')}.`)
      }
      await withStore(apply, { asOwner: true })
    })

  addHolds(retention)
  addPerson(retention)
}

function addHolds(retention: Command): void {
  const change = (name: string, work: typeof placeHolds, texts: Record<HoldOutcome['outcome'], string>) =>
    withSelection(retention.command(name))
      .requiredOption('--reason <text>', 'reason, recorded in the audit log')
      .action(async ({ reason, ...options }: SelectionOptions & { reason: string }) => {
        const outcomes = await withStore(async (store) =>
          work({ selection: await toSelection(options, store), reason, record: recorder(), now: new Date() }, store),
        )
        for (const { code, outcome } of outcomes) print(`Order ${code} ${texts[outcome]}.`)
        if (outcomes.some(({ outcome }) => outcome === 'gone')) process.exitCode = 1
      })
  const gone = 'has been deleted'
  const placing = 'Place a legal hold: nothing about these orders is deleted or erased.'
  change('hold', placeHolds, { changed: 'is held', unchanged: 'was already held', gone }).description(placing)
  const releasing = 'Release a legal hold.'
  change('release', releaseHolds, { changed: 'is released', unchanged: 'was not held', gone }).description(releasing)

  retention
    .command('holds')
    .description('List the legal holds in force.')
    .option('--tenant <id>', 'id of the tenant; optional if there is only one')
    .option('--json', 'print JSON')
    .action(async ({ tenant, json }: { tenant?: string; json?: boolean }) => {
      const read = async (store: Store) => listHolds(await chooseTenant(tenant, store), store)
      const holds = await withStore(read, { readOnly: true })
      if (json) return print(toJson(holds))
      const rows = holds.map(({ code, placedAt, reason }) => [
        code,
        placedAt.toISOString(),
        escapeControls(reason ?? ''),
      ])
      print(rows.length === 0 ? 'No legal holds.' : table(rows))
    })
}

function addPerson(retention: Command): void {
  withSelection(retention.command('export'))
    .description('Print everything on file about these orders as JSON, unsealed. The export is recorded.')
    .option('--no-documents', 'leave out the content of documents')
    .action(async ({ documents, ...options }: SelectionOptions & { documents: boolean }) => {
      const read = async (store: Store) => {
        const selection = await toSelection(options, store)
        return exportPerson({ selection, hasDocuments: documents, record: recorder() }, store)
      }
      print(toJson(await withStore(read)))
    })

  withSelection(retention.command('erase'))
    .description('Erase orders and everything about them, except records under legal hold or that the law requires.')
    .addHelpText('after', '\nExit code 1: an order was not erased, because it is held or still open.')
    .requiredOption('--reason <text>', 'reason, recorded in the audit log: name no person in it')
    .option('--dry-run', 'only print what would be erased')
    .option('--yes', 'erase without asking')
    .action(async (options: SelectionOptions & { reason: string; dryRun?: boolean; yes?: boolean }) => {
      const erase = async (store: Store) => {
        const selection = await toSelection(options, store)
        const erasing = { selection, reason: options.reason, record: recorder(), now: new Date() }
        const planned = await erasePerson({ ...erasing, isDryRun: true }, store)
        if (options.dryRun) return print(erasureText(planned, 'planned'))
        const isAny = planned.some((each) => !isUntouched(each))
        if (isAny && !options.yes) await confirm(`${erasureText(planned, 'planned')}\nPermanently erase this?`)
        const done = isAny ? await erasePerson({ ...erasing, isDryRun: false }, store) : planned
        print(erasureText(done, 'done'))
        const untouched = done.filter((each) => isUntouched(each)).length
        if (untouched === 0) return
        process.stderr.write(`Not erased: ${untouched} of ${formatCount(done.length, 'order')}.\n`)
        process.exitCode = 1
      }
      await withStore(erase, { asOwner: true })
    })
}

/** Adds the options that select orders. */
const withSelection = (command: Command) =>
  command
    .option('--tenant <id>', 'tenant of the orders; optional if there is only one')
    .requiredOption('--order <order>', 'id or code of an order; may be repeated', collect)
    .option('--person', 'include all orders of the same person: two of name, birth date and identifier are equal')

const toSelection = async ({ tenant, order, person = false }: SelectionOptions, store: Store) => ({
  tenantId: await chooseTenant(tenant, store),
  orders: order,
  person,
})

async function findTenant(named: string | undefined, policy: RetentionPolicy, store: Store): Promise<string> {
  if (named !== undefined && policy.tenant !== undefined && named !== policy.tenant)
    throw refuse('conflict', `The policy is for tenant "${policy.tenant}", not for "${named}".`)
  const tenantId = await chooseTenant(named ?? policy.tenant, store)
  if (!(await store.catalog.tenants()).some(({ id }) => id === tenantId))
    throw refuse('notFound', `Unknown tenant "${tenantId}".`)
  return tenantId
}

async function readPolicy(path: string): Promise<RetentionPolicy> {
  const content = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as unknown)
    .catch((error: Error) => {
      const what = error instanceof SyntaxError ? 'Invalid JSON' : 'Cannot be read'
      throw refuse('badRequest', `${path}: ${what}: ${error.message}`)
    })
  const parsed = parse(RetentionPolicy, content)
  const problems = parsed.ok ? checkPolicy(parsed.value) : parsed.problems
  if (parsed.ok && problems.length === 0) return parsed.value
  throw refuse('badRequest', problems.map(({ pointer = '', detail }) => `${path}#${pointer}: ${detail}`).join('\n'))
}

const countDue = (counts: readonly RetentionCount[]) => counts.reduce((sum, { due }) => sum + due, 0)

function countsText(counts: readonly RetentionCount[]): string {
  if (counts.length === 0) return 'No records are past their period.'
  return table(
    counts.map(({ kind, due, held, required }) => [
      kind,
      `${due} due`,
      held > 0 ? `${held} under a legal hold` : '',
      required > 0 ? `${required} kept by 49 CFR 40.333` : '',
    ]),
  )
}
