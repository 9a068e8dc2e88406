import type { Command } from 'commander'
import { print } from '../output/table.ts'
import { describeDatabase } from '../run/database-place.ts'
import { printable, readConfig } from '../run/settings.ts'

export function define(command: Command): void {
  command.action(async () => {
    const config = readConfig(process.env)
    const settings = printable(config, await describeDatabase(config))
    for (const [name, value] of Object.entries(settings)) print(`${name}=${String(value)}`)
  })
}
