import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mayColor } from '../../src/cli/output/colors.ts'
import { ots, OTS } from '../support/processes.ts'

const run = promisify(execFile)

describe('the choice of colors', () => {
  test.each([
    [true, {}, true, true],
    [false, {}, true, false],
    [undefined, {}, true, false],
    [true, { NO_COLOR: '1' }, true, false],
    [true, { NO_COLOR: '0' }, true, false],
    [true, { NO_COLOR: '' }, true, true],
    [true, { TERM: 'dumb' }, true, false],
    [false, { FORCE_COLOR: '1' }, true, true],
    [false, { FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
    [true, { FORCE_COLOR: '0' }, true, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    [false, { FORCE_COLOR: '1' }, false, false],
  ])('with a terminal: %s, %o and colors wanted: %s, they are on: %s', (isTTY, env, isWanted, expected) => {
    expect(mayColor({ isTTY, env, isWanted })).toBe(expected)
  })

  test('a command without a terminal prints colors only with FORCE_COLOR', async () => {
    expect((await ots(['--help'])).stdout).not.toContain('\u001B')
    const forced = { FORCE_COLOR: '1' }
    expect((await ots(['--help'], forced)).stdout).toContain('\u001B[1mExit codes:\u001B[22m')
    expect((await ots(['--help', '--no-color'], forced)).stdout).not.toContain('\u001B')
    expect((await ots(['config', '--json'], forced)).stdout).not.toContain('\u001B')
    expect((await ots(['token', 'revoke', 'x'], { ...forced, PORT: 'x' })).stderr).toContain(
      '\u001B[31m✗\u001B[39m PORT: ',
    )
  })
})

const SCRIPT = '/usr/bin/script'

describe.runIf(existsSync(SCRIPT))('in a terminal', () => {
  /** What a terminal gets; `script` passes on stdout and stderr together. */
  async function shown(args: string, env: Record<string, string> = {}): Promise<string> {
    const line = `stty cols 80; "${process.execPath}" "${OTS}" ${args}`
    const clean = { PATH: process.env['PATH'], TERM: 'xterm', ...env }
    const running = run(SCRIPT, ['-qec', line, '/dev/null'], { env: clean }).catch((error: { stdout: string }) => error)
    return (await running).stdout.replaceAll('\r\n', '\n')
  }

  test('output is colored in a terminal, unless NO_COLOR, TERM=dumb, --no-color or a pipe prevents it', async () => {
    expect(await shown('--help')).toMatch(/^\u001B\[1mUsage:\u001B\[22m ots [^]*\n {2}\u001B\[36mserve\u001B\[39m +Run/)
    const plain = await Promise.all([
      shown('--help', { NO_COLOR: '1' }),
      shown('--help', { TERM: 'dumb' }),
      shown('--help --no-color'),
      shown('--help | cat'),
    ])
    for (const text of plain) expect(text).toMatch(/^Usage: ots [^\u001B]*$/)
  })

  test('a terminal shows what a command is doing, and the line is gone when it prints', async () => {
    const text = await shown('doctor', { OTS_DATA_DIR: '/nonexistent' })
    expect(text).toMatch(
      /^\r\u001B\[2mChecking [^\n]*\r\u001B\[K\u001B\[33mwarning\u001B\[39m {2}The mode is sandbox\.\n/,
    )
  })
})
