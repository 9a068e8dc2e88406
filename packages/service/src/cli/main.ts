import { EmbeddedRefusal } from '@order-testing/embedded-postgres'
import { Command, CommanderError } from 'commander'
import { Refusal } from '../domain/refusal.ts'
import { CatalogRefusal } from '../operations/catalog/files.ts'
import { MigrationRefusal } from '../store/db/migrate.ts'
import { RoleRefusal } from '../store/db/runtime-role.ts'
import { ApiRefusal } from './api.ts'
import { addAuditCommand } from './commands/audit.ts'
import { addBookingsCommand } from './commands/bookings.ts'
import { addCallbacksCommand } from './commands/callbacks.ts'
import { addCatalogCommand } from './commands/catalog.ts'
import { addClustersCommand } from './commands/clusters.ts'
import { ConfigRefusal, printable, readConfig } from './run/settings.ts'
import { databasePlace } from './run/database-place.ts'
import { addDeliveriesCommand } from './commands/deliveries.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addKeysCommand } from './commands/keys.ts'
import { addMessagesCommand } from './commands/messages.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOrdersCommand } from './commands/orders.ts'
import { Unavailable } from '../store/db/errors.ts'
import { SealRefusal } from '../store/sealing/keyring.ts'
import { PortRefusal } from './run/port.ts'
import { addResultsCommand } from './commands/results.ts'
import { addRetentionCommand } from './commands/retention.ts'
import { addTokenCommand } from './commands/token.ts'
import { version } from './version.ts'

/** Runs `ots` with the given words and tells how it ended: 0 done, 1 refused or failed, 2 wrong words. */
export async function main(words: string[]): Promise<number> {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  try {
    await program(print).parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

function program(print: (text: string) => void): Command {
  const ots = new Command('ots')
    .description('Order Testing Service: drug and alcohol test orders over HTTP.')
    .version(version)
    .exitOverride()
    // Options after a subcommand are its own: "audit" and "audit verify" both have --json.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for what this command takes)')
    .configureHelp({ showGlobalOptions: false })

  ots
    .command('serve')
    .description('run the service until it is stopped')
    .action(async () => {
      // Only here: all that serving needs takes longer to load than most other commands take in all.
      const { serve } = await import('./run/serve.ts')
      await serve(readConfig(process.env), print)
    })

  ots
    .command('config')
    .description('show the settings in force, without secrets')
    .action(async () => {
      const config = readConfig(process.env)
      const settings = printable(config, await databasePlace(config))
      for (const [name, value] of Object.entries(settings)) print(`${name}=${String(value)}`)
    })

  addMigrateCommand(ots, print)
  addCatalogCommand(ots, print)
  addTokenCommand(ots, print)
  addDeliveriesCommand(ots, print)
  addCallbacksCommand(ots, print)
  addOrdersCommand(ots, print)
  addBookingsCommand(ots, print)
  addResultsCommand(ots, print)
  addMessagesCommand(ots, print)
  addAuditCommand(ots, print)
  addKeysCommand(ots, print)
  addRetentionCommand(ots, print)
  addDoctorCommand(ots, print)
  addClustersCommand(ots, print)
  ots.addHelpText('after', '\nSettings come from environment variables; "ots config" shows them all.')
  return ots
}

const REFUSALS = [
  Refusal,
  ApiRefusal,
  CatalogRefusal,
  ConfigRefusal,
  EmbeddedRefusal,
  MigrationRefusal,
  PortRefusal,
  RoleRefusal,
]

/** A refusal speaks for itself; anything else is a failure whose trace helps to find it. */
function explain(error: unknown): string {
  if (REFUSALS.some((kind) => error instanceof kind)) return (error as Error).message
  const { code, message, stack } = error as Error & { code?: string }
  if (error instanceof SealRefusal) return `${message} Check OTS_KEYS with "ots doctor".`
  if (error instanceof Unavailable) return `Cannot reach the database: ${message || code}`
  return stack ?? String(error)
}
