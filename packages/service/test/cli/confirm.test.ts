import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from '../../src/cli/confirm.ts'

/** A terminal with this input; null: it is closed. */
function terminal(answer: string | null, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(answer ?? '')
  return { input, output, shown: () => String(output.read() ?? '') }
}

describe('a command that asks for confirmation', () => {
  test.each(['y\n', 'Y\n', 'yes\n', ' YES \n'])('a command that asks continues after the answer %j', async (answer) => {
    const at = terminal(answer)
    await confirm('Send again?', at)
    expect(at.shown()).toBe('Send again? [y/N] ')
  })

  test.each(['n\n', '\n', 'yesterday\n', null])(
    'a command that asks does nothing after the answer %j',
    async (answer) => {
      await expect(confirm('Send again?', terminal(answer))).rejects.toThrow('Nothing was done.')
    },
  )

  test('a command that asks does nothing without a terminal, and names the option --yes', async () => {
    const at = terminal('y\n', false)
    await expect(confirm('Send again?', at)).rejects.toThrow(
      'Send again?\nNothing was done. Add --yes to confirm without a terminal.',
    )
    expect(at.shown()).toBe('')
  })
})
