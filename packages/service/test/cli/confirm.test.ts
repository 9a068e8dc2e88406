import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { confirm } from '../../src/cli/confirm.ts'

/** A terminal at which somebody types this, or closes it. */
function terminal(typed: string | null, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed ?? '')
  return { input, output, shown: () => String(output.read() ?? '') }
}

describe('a command that asks first', () => {
  test.each(['y\n', 'Y\n', 'yes\n', ' YES \n'])('goes on at %j', async (typed) => {
    const at = terminal(typed)
    await confirm('Send again?', at)
    expect(at.shown()).toBe('Send again? [y/N] ')
  })

  test.each(['n\n', '\n', 'yesterday\n', null])('does nothing at %j', async (typed) => {
    await expect(confirm('Send again?', terminal(typed))).rejects.toThrow('Nothing was done.')
  })

  test('does nothing where nobody can answer, and says what to say', async () => {
    const at = terminal('y\n', false)
    await expect(confirm('Send again?', at)).rejects.toThrow('Send again?\nNothing was done: say --yes to go ahead.')
    expect(at.shown()).toBe('')
  })
})
