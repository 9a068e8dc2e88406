import type { Command } from 'commander'
import { withExamples } from '../help.ts'
import { show } from '../output/print.ts'
import { describeDatabase } from '../run/database-place.ts'
import { printable, readConfig } from '../run/settings.ts'

export function define(command: Command): void {
  withExamples(command, 'ots config', 'ots config --json | jq -r .OTS_MODE').action(async () => {
    const config = readConfig(process.env)
    show(printable(config, await describeDatabase(config)), (settings) =>
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value === null ? '(not set)' : String(value)}`)
        .join('\n'),
    )
  })
}
