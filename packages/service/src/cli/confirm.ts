import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { ReadStream } from 'node:tty'
import { ApiRefusal } from './api.ts'

interface Terminal {
  input: Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream
  output: NodeJS.WritableStream
}

/** Returns if a person answers yes, and refuses otherwise, also without a terminal. */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY) throw new ApiRefusal(`${question}\nNothing was done. Add --yes to confirm without a terminal.`)
  // Reads lines, so that Ctrl-C ends the command as usual.
  const terminal = createInterface({ input, output, terminal: false })
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), once(terminal, 'close')])
    if (typeof answer !== 'string' || !/^\s*y(es)?\s*$/i.test(answer)) throw new ApiRefusal('Nothing was done.')
  } finally {
    terminal.close()
  }
}
