import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ots } from '../support/processes.ts'

const run = promisify(execFile)

/** What bash offers for a line that ends with an unfinished word. */
async function offered(words: string[]): Promise<string[]> {
  const { stdout: script } = await ots(['completion', 'bash'])
  const ask = `COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _ots; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-c', `${script}\n${ask}`])
  return stdout.split('\n').filter((word) => word !== '')
}

test('ots completion bash completes commands, subcommands and options', async () => {
  expect(await offered(['ots', 'de'])).toEqual(['deliveries'])
  expect(await offered(['ots', 'orders', 'c'])).toEqual(['create', 'correct', 'contact', 'cancel'])
  expect(await offered(['ots', 'orders', 'create', '--ex'])).toEqual(['--external-id'])
  expect(await offered(['ots', 'orders', 'cancel', 'ord_1', '--re'])).toEqual(['--reason'])
  expect(await offered(['ots', 'orders', '--verbose', 'wa'])).toEqual(['watch'])
})

test('ots completion bash offers global options everywhere, and the values of options and arguments', async () => {
  expect(await offered(['ots', '--'])).toEqual(['--version', '--json', '--quiet', '--no-color', '--verbose', '--help'])
  expect(await offered(['ots', 'keys', 'rotate', '--'])).toEqual([
    '--json',
    '--quiet',
    '--no-color',
    '--verbose',
    '--help',
  ])
  expect(await offered(['ots', '--json', 'orders', 'simulate', 'ord_1', 'negative', '--w'])).toEqual(['--wait'])
  expect(await offered(['ots', 'deliveries', 'list', '--state', 'de'])).toEqual(['delivered'])
  expect(await offered(['ots', 'deliveries', 'list', '--from', ''])).toEqual([])
  expect(await offered(['ots', 'completion', 'z'])).toEqual(['zsh'])
})

test('ots completion fish lists global options once, and the values of options', async () => {
  const { stdout } = await ots(['completion', 'fish'])
  for (const option of ['json', 'quiet', 'no-color', 'verbose', 'help'])
    expect(stdout.match(new RegExp(` -l ${option} `, 'g'))).toHaveLength(1)
  expect(stdout).toMatch(/from deliveries; and __fish_seen_subcommand_from list' -l state -x -a '[a-z ]*delivered/)
  expect(stdout).toMatch(/__fish_seen_subcommand_from completion' -a 'bash zsh fish'$/m)
})

test('ots completion prints scripts for zsh and fish, and names the shells it knows', async () => {
  expect((await ots(['completion', 'zsh'])).stdout).toMatch(/^autoload -U \+X compinit && compinit\n[^]*_ots\(\) \{/)
  const fish = (await ots(['completion', 'fish'])).stdout
  expect(fish).toContain("-n '__fish_seen_subcommand_from orders; and __fish_seen_subcommand_from create'")
  expect(fish).toMatch(/^complete -c ots -f .* -a listen -d 'Forward events/m)
  const unknown = await ots(['completion', 'powershell'])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})
