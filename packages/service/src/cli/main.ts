import { Command, CommanderError } from 'commander'
import { failureContext, resetTarget, setVerbose } from './target.ts'
import { version } from './version.ts'

/** Runs `ots` with the given arguments and returns its exit code: 0 success, 1 refused or failed, 2 wrong usage. */
export async function main(args: string[]): Promise<number> {
  resetTarget()
  try {
    const ots = await createProgram(args)
    await ots.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { explain } = await import('./explain.ts')
    process.stderr.write(`${explain(error)}\n${failureContext()}`)
    return 1
  }
}

/** As --help lists them. */
const COMMANDS = {
  'Service:': {
    serve: 'Run the service until it is stopped. Creates the embedded database on the first start.',
    config: 'Print the settings in effect, without secrets.',
    completion: 'Print a script that completes commands in bash, zsh or fish.',
    doctor: 'Check settings, database, roles, keys and audit chain. Exit code 0: no problems, 1: problems.',
  },
  'Database (DATABASE_URL, or the embedded one in OTS_DATA_DIR):': {
    migrate: 'Bring the database schema up to date. Creates the embedded database if there is none.',
    catalog: 'Compare, apply and export catalog files. Runs on the database and is audited.',
    token: 'Create, list and revoke API tokens. Runs on the database and is audited.',
    keys: 'Manage the keys that seal stored data. Runs on the database, because it needs the keys themselves.',
    retention: 'Delete old records, place legal holds, export or erase the data of a person. Runs on the database.',
    clusters: 'List and remove embedded databases outside of their data folder.',
  },
  'API of a running service (OTS_URL, with the token of OTS_TOKEN):': {
    orders: 'Create, list, watch, show, book, move, correct and cancel orders, over the API of a running service.',
    trigger: 'Place an order in a sandbox and move it to an outcome, over the API of a running service.',
    listen: 'Forward events to a local address, without a public one, over the API of a running service.',
    bookings: 'List open bookings, over the API of a running service.',
    results: 'Submit result messages and process queued ones, over the API of a running service.',
    messages: 'List and resend notifications to participants and requesters, over the API of a running service.',
    deliveries: 'List and replay events sent to callbacks, over the API of a running service.',
    callbacks: 'List and end registered callbacks, over the API of a running service.',
    audit: 'List audit entries, newest first, over the API of a running service.',
  },
}

interface CommandModule {
  /** Adds options, arguments, subcommands and actions. */
  define(command: Command): void
}

/** Each command is a module of its own, because loading all of them takes longer than most commands run. */
const loadCommand = (name: string) => import(`./commands/${name}.ts`) as Promise<CommandModule>

/** All commands with their options, for completion. */
export async function createWholeProgram(): Promise<Command> {
  return createProgram(
    [],
    Object.values(COMMANDS).flatMap((descriptions) => Object.keys(descriptions)),
  )
}

async function createProgram(args: string[], loaded: readonly string[] = []): Promise<Command> {
  const ots = new Command('ots')
    .description('Order Testing Service: drug and alcohol test orders over HTTP.')
    .version(version)
    .exitOverride()
    // "audit" and "audit verify" both have --json: options after a subcommand belong to it.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for usage)')
    .configureHelp({ subcommandTerm })
    .addHelpText('after', NOTES)
    .hook('preAction', (_, command) => {
      if (command.optsWithGlobals()['verbose']) setVerbose()
    })
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  const chosen = first === 'help' ? second : first
  for (const [heading, descriptions] of Object.entries(COMMANDS)) {
    ots.commandsGroup(heading)
    for (const [name, description] of Object.entries(descriptions)) {
      const command = ots.command(name).description(description)
      if (name === chosen || loaded.includes(name)) (await loadCommand(name)).define(command)
    }
  }
  addVerboseOption(ots)
  return ots
}

const NOTES = `
Only serve and migrate create the embedded database; other commands start it if
it is not running. Settings are environment variables; "ots config" prints them.

Exit codes: 0 success, 1 refused or failed, 2 wrong usage. Commands with other
exit codes, or with another meaning of 1, say so in their help.`

/** Without "[options]", which every command has. */
const subcommandTerm = (command: Command) =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`
      return argument.required ? `<${name}>` : `[${name}]`
    }),
  ].join(' ')

/** On every command, so that its position does not matter. */
function addVerboseOption(command: Command): void {
  command.option('--verbose', 'print the database or service in use to stderr')
  for (const subcommand of command.commands) addVerboseOption(subcommand)
}
