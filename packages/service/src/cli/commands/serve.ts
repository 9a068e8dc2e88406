import { Option, type Command } from 'commander'
import { withExamples } from '../help.ts'
import { readCountFrom } from '../option-values.ts'
import { mode } from '../output/mode.ts'
import { serve } from '../run/serve.ts'
import { readConfig } from '../run/settings.ts'

export function define(command: Command): void {
  withExamples(
    command.addHelpText('after', JSON_LINES),
    'ots serve                                  # a sandbox, database in ./data',
    'PORT=8080 OTS_CATALOG=acme.json ots serve',
    'OTS_MODE=production DATABASE_URL=postgres://… OTS_KEYS=… ots serve',
    'ots serve --processes 4                    # on several cores',
  )
    .description('Run the service until it is stopped. Creates the embedded database on the first start.')
    .option('--processes <number>', 'processes that answer requests', readCountFrom(1, 64), 1)
    // How the first process starts the others.
    .addOption(new Option('--one-of-several').default(false).hideHelp())
    .action(({ processes, oneOfSeveral }: { processes: number; oneOfSeveral: boolean }) => {
      const config = readConfig(mode.json ? { OTS_LOG_LEVEL: 'info', ...process.env } : process.env)
      return serve(config, { processes, isOneOfSeveral: oneOfSeveral })
    })
}

const JSON_LINES = `
Log lines are JSON. With --json, a sandbox prints them from the level info on
instead of its banner, as production does.`
