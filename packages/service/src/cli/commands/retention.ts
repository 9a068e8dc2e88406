import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parse, RetentionPolicy } from '@order-testing/contract'
import { refuse } from '../../domain/refusal.ts'
import { checkPolicy } from '../../domain/retention/periods.ts'
import { applyRetention, type RetentionCount } from '../../operations/retention/apply.ts'
import { erasePerson } from '../../operations/retention/erase-person.ts'
import { exportPerson } from '../../operations/retention/export-person.ts'
import { listHolds, placeHolds, releaseHolds, type HoldOutcome } from '../../operations/retention/legal-holds.ts'
import type { OnProgress } from '../../operations/progress.ts'
import type { Store } from '../../store/store.ts'
import { confirm } from '../confirm.ts'
import { withExamples } from '../help.ts'
import { collect } from '../option-values.ts'
import { erasureText, isUntouched } from '../output/retention.ts'
import { dim } from '../output/colors.ts'
import { mode } from '../output/mode.ts'
import { failWith, print, printJson, show, showDone } from '../output/print.ts'
import { withProgress } from '../output/progress.ts'
import { escapeControls, formatCount, table } from '../output/table.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { chooseTenant } from './catalog.ts'

interface SelectionOptions {
  tenant?: string
  order: string[]
  person?: boolean
}

export function define(retention: Command): void {
  retention.description(
    'Delete old records, place legal holds, export or erase the data of a person. Works on the database; audited.',
  )

  withExamples(
    retention.command('apply'),
    'ots retention apply policy.json --dry-run',
    'ots retention apply policy.json --yes',
  )
    .description('Delete records older than the periods of a policy file. Nothing else is deleted.')
    .argument('<file>', 'JSON file with the periods; see docs/decisions/0019-audit-and-retention.md')
    .option('--tenant <id>', 'tenant of the records (default: that of the file, or the only one)')
    .option('--dry-run', 'only count what would be deleted')
    .option('--yes', 'delete without asking')
    .action(async (file: string, options: ApplyOptions) => {
      const policy = await readPolicy(file)
      await withStore((store) => apply(policy, options, store), { asOwner: true })
    })

  addHolds(retention)
  addPerson(retention)
}

interface ApplyOptions {
  tenant?: string
  dryRun?: boolean
  yes?: boolean
}

async function apply(policy: RetentionPolicy, { tenant, dryRun = false, yes = false }: ApplyOptions, store: Store) {
  const tenantId = await findTenant(tenant, policy, store)
  const applying = { policy, tenantId, store, record: recorder(), now: new Date() }
  // What was checked to count is checked again to delete.
  const totals = new Map<string, number>()
  const counts = await withProgress('Checking', ({ update }) => {
    const onProgress: OnProgress = (each) => {
      totals.set(each.kind, each.done)
      update(each)
    }
    return applyRetention({ ...applying, isDryRun: true, onProgress })
  })
  if (!mode.json) print(countsText(counts))
  const due = countDue(counts)
  const isDone = dryRun || due === 0
  if (!isDone && !yes) await confirm(`Permanently delete ${formatCount(due, 'record')} of tenant "${tenantId}"?`)
  const done = isDone
    ? undefined
    : await withProgress('Deleting', ({ update }) => {
        const onProgress: OnProgress = (each) => update({ ...each, total: totals.get(each.kind) })
        return applyRetention({ ...applying, isDryRun: false, onProgress })
      })
  const deleted = countDue(done ?? [])
  if (mode.json) printJson({ tenantId, isDryRun: dryRun, counts: done ?? counts, deleted })
  else if (done) showDone(deleted, () => `Deleted ${formatCount(deleted, 'record')}.`)
}

function addHolds(retention: Command): void {
  const change = (name: string, work: typeof placeHolds, texts: Record<HoldOutcome['outcome'], string>) =>
    withExamples(
      withSelection(retention.command(name)),
      `ots retention ${name} --order K7M4-2QXD --reason 'Case 7'`,
      `ots retention ${name} --order K7M4-2QXD --person --reason 'Case 7'`,
    )
      .requiredOption('--reason <text>', 'reason, recorded in the audit log')
      .action(async ({ reason, ...options }: SelectionOptions & { reason: string }) => {
        const outcomes = await withStore(async (store) =>
          work({ selection: await toSelection(options, store), reason, record: recorder(), now: new Date() }, store),
        )
        showDone(outcomes, () => outcomes.map(({ code, outcome }) => `Order ${code} ${texts[outcome]}.`).join('\n'))
        if (outcomes.some(({ outcome }) => outcome === 'gone')) process.exitCode = 1
      })
  const gone = 'has been deleted'
  const placing = 'Place a legal hold. Nothing about these orders is deleted or erased.'
  change('hold', placeHolds, { changed: 'is held', unchanged: 'was already held', gone }).description(placing)
  const releasing = 'Release a legal hold.'
  change('release', releaseHolds, { changed: 'is released', unchanged: 'was not held', gone }).description(releasing)

  withExamples(retention.command('holds'), 'ots retention holds')
    .description('List the legal holds in force.')
    .option('--tenant <id>', 'id of the tenant; optional if there is only one')
    .action(async ({ tenant }: { tenant?: string }) => {
      const read = async (store: Store) => listHolds(await chooseTenant(tenant, store), store)
      show(await withStore(read, { readOnly: true }), holdsText)
    })
}

function holdsText(holds: Awaited<ReturnType<typeof listHolds>>): string {
  if (holds.length === 0) return 'No legal holds.'
  return table(
    holds.map(({ code, placedAt, reason }) => [code, dim(placedAt.toISOString()), escapeControls(reason ?? '')]),
    { head: ['Order', 'Since', 'Reason'] },
  )
}

function addPerson(retention: Command): void {
  withExamples(
    withSelection(retention.command('export')),
    'ots retention export --order K7M4-2QXD --person > person.json',
  )
    .description('Print everything on file about orders as JSON, unsealed. The export is recorded.')
    .option('--no-documents', 'leave out the content of documents')
    .action(async ({ documents, ...options }: SelectionOptions & { documents: boolean }) => {
      const read = async (store: Store) => {
        const selection = await toSelection(options, store)
        return exportPerson({ selection, hasDocuments: documents, record: recorder() }, store)
      }
      printJson(await withStore(read))
    })

  const erase = withSelection(retention.command('erase'))
    .description('Erase orders and everything about them. Records under legal hold or that the law requires stay.')
    .addHelpText('after', '\nExit code 1: an order was not erased, because it is held or still open.')
    .requiredOption('--reason <text>', 'reason, recorded in the audit log: name no person in it')
    .option('--dry-run', 'only print what would be erased')
    .option('--yes', 'erase without asking')
    .action((options: EraseOptions) => withStore((store) => eraseOrders(options, store), { asOwner: true }))
  withExamples(
    erase,
    "ots retention erase --order K7M4-2QXD --reason 'Request 12' --dry-run",
    "ots retention erase --order K7M4-2QXD --person --reason 'Request 12' --yes",
  )
}

type EraseOptions = SelectionOptions & { reason: string; dryRun?: boolean; yes?: boolean }

async function eraseOrders(options: EraseOptions, store: Store): Promise<void> {
  const selection = await toSelection(options, store)
  const erasing = { selection, reason: options.reason, record: recorder(), now: new Date() }
  const planned = await erasePerson({ ...erasing, isDryRun: true }, store)
  if (options.dryRun) return show(planned, () => erasureText(planned, 'planned'))
  const isAny = planned.some((each) => !isUntouched(each))
  if (isAny && !options.yes) await confirm(`${erasureText(planned, 'planned')}\nPermanently erase this?`)
  const done = isAny ? await erasePerson({ ...erasing, isDryRun: false }, store) : planned
  show(done, () => erasureText(done, 'done'))
  const untouched = done.filter((each) => isUntouched(each)).length
  if (untouched > 0) failWith(`Not erased: ${untouched} of ${formatCount(done.length, 'order')}.`)
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
