import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { ReadStream } from 'node:tty'
import { ApiRefusal } from './api.ts'

interface Terminal {
  input: Pick<ReadStream, 'isTTY'> & NodeJS.ReadableStream
  output: NodeJS.WritableStream
}

/** Goes on only when a person says yes; where nobody can be asked, that is to be said beforehand. */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY) throw new ApiRefusal(`${question}\nNothing was done: say --yes to go ahead.`)
  // By lines, so that Ctrl-C ends the command as anywhere else.
  const terminal = createInterface({ input, output, terminal: false })
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), once(terminal, 'close')])
    if (typeof answer !== 'string' || !/^\s*y(es)?\s*$/i.test(answer)) throw new ApiRefusal('Nothing was done.')
  } finally {
    terminal.close()
  }
}
