import { Command, CommanderError } from 'commander'
import { addGlobalOptions, applyGlobalOptions, guessMode } from './global-options.ts'
import { configureHelp } from './help.ts'
import { printFailure, writeError } from './output/print.ts'
import { mode } from './output/mode.ts'
import { resetTarget, usedDatabase } from './target.ts'
import { version } from './version.ts'

/** Runs `ots` with the given arguments and returns its exit code; `ots --help` lists them. */
export async function main(args: string[]): Promise<number> {
  resetTarget()
  guessMode(args)
  try {
    const ots = await createProgram(args)
    await ots.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error)
    if (error.exitCode === 0) return 0
    // Without --json, commander has reported it.
    if (mode.json) printFailure({ message: usageText(error) })
    return 2
  }
}

async function reportError(error: unknown): Promise<number> {
  const { explain } = await import('./explain.ts')
  const database = usedDatabase()
  const isTold = database === undefined || mode.verbose
  printFailure({ ...explain(error), ...(mode.json && !isTold && { database }) })
  if (!mode.json && !isTold) writeError(`Database: ${database}`)
  return 1
}

const usageText = ({ code, message }: CommanderError) =>
  code === 'commander.help' ? 'Missing subcommand: add --help to list them.' : message.replace(/^error: /, '')

/** As --help lists them, with their summaries. */
const COMMANDS = {
  'For integrators:': {
    orders: 'Place, list, follow, simulate and cancel orders.',
    trigger: 'Place an order in a sandbox and move it to an outcome.',
    listen: 'Forward events to an address that need not be public.',
  },
  'For operators:': {
    tasks: 'List, claim, snooze and finish what needs an operator.',
    bookings: 'List open bookings and move them.',
    results: 'Submit result messages and process queued ones.',
    messages: 'List and resend e-mails and text messages.',
    deliveries: 'List, replay, pause and resume events sent to callbacks.',
    callbacks: 'List and end registered callbacks.',
    catalog: 'Compare, apply and export catalog files.',
    token: 'Create, list and revoke API tokens.',
    senders: 'List and change the senders of result reports.',
    users: 'Invite people to the console; list, change and sign them out.',
    wallet: 'Set the certificates that sign wallet passes.',
    figures: 'Count orders and measure how long each stage takes.',
    audit: 'List the audit log and verify its hash chain.',
    retention: 'Delete old records; hold, export or erase those of a person.',
  },
  'Running the service:': {
    serve: 'Run the service until it is stopped.',
    migrate: 'Bring the database schema up to date.',
    config: 'Print the settings in effect, without secrets.',
    doctor: 'Check settings, database, keys, mail, disk and audit chain.',
    keys: 'Generate, list and rotate the keys that seal stored data.',
    backup: 'Copy the embedded database into a folder.',
    restore: 'Put a backup into an empty data folder.',
    clusters: 'List and remove embedded databases of this machine.',
    completion: 'Print a script that completes commands in a shell.',
  },
}

interface CommandModule {
  /** Adds the description, options, arguments, subcommands and actions. */
  define(command: Command): void
}

/** Each command is a module of its own, because loading all of them takes longer than most commands run. */
const loadCommand = (name: string) => import(`./commands/${name}.ts`) as Promise<CommandModule>

/** All commands with their options, for completion. */
export async function createWholeProgram(): Promise<Command> {
  return createProgram(
    [],
    Object.values(COMMANDS).flatMap((summaries) => Object.keys(summaries)),
  )
}

async function createProgram(args: string[], loaded: readonly string[] = []): Promise<Command> {
  const ots = new Command('ots')
    .description('Order Testing Service: drug and alcohol test orders over HTTP.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    // "audit" and "audit head" both have --url: options after a subcommand belong to it.
    .enablePositionalOptions()
    .hook('preAction', (_, command) => applyGlobalOptions(command))
  configureHelp(ots)
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  const chosen = first === 'help' ? second : first
  for (const [heading, summaries] of Object.entries(COMMANDS)) {
    ots.commandsGroup(heading)
    for (const [name, summary] of Object.entries(summaries)) {
      const command = ots.command(name).summary(summary).description(summary)
      if (name === chosen || loaded.includes(name)) (await loadCommand(name)).define(command)
    }
  }
  addGlobalOptions(ots)
  return ots
}
