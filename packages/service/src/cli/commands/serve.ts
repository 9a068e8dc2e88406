import type { Command } from 'commander'
import { serve } from '../run/serve.ts'
import { readConfig } from '../run/settings.ts'

export function define(command: Command): void {
  command.action(() => serve(readConfig(process.env)))
}
