import { EmbeddedRefusal } from '@order-testing/embedded-postgres'
import { Command, CommanderError } from 'commander'
import { Refusal } from '../domain/refusal.ts'
import { CatalogRefusal } from '../operations/catalog/files.ts'
import { Unavailable } from '../store/db/errors.ts'
import { MigrationRefusal } from '../store/db/migrate.ts'
import { RoleRefusal } from '../store/db/runtime-role.ts'
import { SealRefusal } from '../store/sealing/keyring.ts'
import { ApiRefusal } from './api.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addBookingsCommand } from './commands/bookings.ts'
import { addCallbacksCommand } from './commands/callbacks.ts'
import { addCatalogCommand } from './commands/catalog.ts'
import { addClustersCommand } from './commands/clusters.ts'
import { addConfigCommand } from './commands/config.ts'
import { addDeliveriesCommand } from './commands/deliveries.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addMessagesCommand } from './commands/messages.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrdersCommand } from './commands/orders.ts'
import { addResultsCommand } from './commands/results.ts'
import { addRetentionCommand } from './commands/retention.ts'
import { addServeCommand } from './commands/serve.ts'
import { addTokenCommand } from './commands/token.ts'
import { NoDatabase } from './run/database.ts'
import { ConfigRefusal } from './run/settings.ts'
import { failureContext, setVerbose } from './target.ts'
import { version } from './version.ts'

/** Runs `ots` with the given arguments and returns its exit code: 0 success, 1 refused or failed, 2 wrong usage. */
export async function main(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${explain(error)}\n${failureContext()}`)
    return 1
  }
}

/** As --help lists them. */
const COMMANDS = {
  'Service:': [addServeCommand, addConfigCommand, addDoctorCommand],
  'Database (DATABASE_URL, or the embedded one in OTS_DATA_DIR):': [
    addMigrateCommand,
    addCatalogCommand,
    addTokenCommand,
    addKeysCommand,
    addRetentionCommand,
    addClustersCommand,
  ],
  'API of a running service (OTS_URL, with the operator token of OTS_TOKEN):': [
    addOrdersCommand,
    addBookingsCommand,
    addResultsCommand,
    addMessagesCommand,
    addDeliveriesCommand,
    addCallbacksCommand,
    addAuditCommand,
  ],
}

function createProgram(): Command {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
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
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    ots.commandsGroup(heading)
    for (const addCommand of commands) addCommand(ots, print)
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

const REFUSALS = [
  Refusal,
  ApiRefusal,
  CatalogRefusal,
  ConfigRefusal,
  EmbeddedRefusal,
  MigrationRefusal,
  NoDatabase,
  RoleRefusal,
]

/** The message of a refusal is enough; any other error is shown with its stack trace. */
function explain(error: unknown): string {
  if (REFUSALS.some((kind) => error instanceof kind)) return (error as Error).message
  const { code, message, stack } = error as Error & { code?: string }
  if (error instanceof SealRefusal) return `${message} Check OTS_KEYS with "ots doctor".`
  if (error instanceof Unavailable) return `Cannot reach the database: ${message || code}`
  return stack ?? String(error)
}
