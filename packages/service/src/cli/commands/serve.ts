import type { Command } from 'commander'
import { readConfig } from '../run/settings.ts'

export function addServeCommand(ots: Command, print: (text: string) => void): void {
  ots
    .command('serve')
    .description('Run the service until it is stopped. Creates the embedded database on the first start.')
    .action(async () => {
      // Imported here, because loading all that serving needs takes longer than most other commands run.
      const { serve } = await import('../run/serve.ts')
      await serve(readConfig(process.env), print)
    })
}
