import type { Command } from 'commander'
import { describeDatabase } from '../run/database-place.ts'
import { printable, readConfig } from '../run/settings.ts'

export function addConfigCommand(ots: Command, print: (text: string) => void): void {
  ots
    .command('config')
    .description('Print the settings in effect, without secrets.')
    .action(async () => {
      const config = readConfig(process.env)
      const settings = printable(config, await describeDatabase(config))
      for (const [name, value] of Object.entries(settings)) print(`${name}=${String(value)}`)
    })
}
