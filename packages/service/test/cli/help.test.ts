import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { examplesOf } from '../../src/cli/help.ts'
import { createWholeProgram } from '../../src/cli/main.ts'
import { ots } from '../support/processes.ts'

let program: Command
beforeAll(async () => {
  program = await createWholeProgram()
})

/** Every command with its words, `ots` itself included. */
const walk = (command: Command, words: string[] = []): { command: Command; words: string[] }[] => [
  { command, words },
  ...command.commands.flatMap((each) => walk(each, [...words, each.name()])),
]

const helpOf = async (words: string[]) => (await ots([...words, '--help'])).stdout

describe('help', () => {
  test('the help of every command fits in 80 columns, and has examples at the end', async () => {
    for (const { words } of walk(program)) {
      const help = await helpOf(words)
      expect({ words, wide: help.split('\n').filter((line) => line.length > 80) }).toEqual({ words, wide: [] })
      expect(help).toMatch(/\n\nExamples:\n(?: {2}.*\n)+(?:\nGlobal options: .*\n)?$/)
    }
  })

  test('every command of a list is described in one line', async () => {
    for (const { command, words } of walk(program).filter(({ command: { commands } }) => commands.length > 0)) {
      const help = await helpOf(words)
      for (const each of command.commands)
        expect(help).toMatch(new RegExp(`^  ${each.name()}(?: [^ ]+)*  +[A-Z].*\\.\n(?!    )`, 'm'))
    }
  })

  test('examples use commands and options that exist', () => {
    for (const { command } of walk(program))
      for (const line of examplesOf(command)
        .join('\n')
        .replaceAll('\\\n', ' ')
        .split(/\n|\||&&/)) {
        const [, rest] = /(?:^|[ (])ots (.*)/.exec(line.replace(/ #.*/, '')) ?? []
        if (rest === undefined) continue
        let named = program
        for (const word of rest.split(' ')) named = named.commands.find((each) => each.name() === word) ?? named
        const known = new Set(named.options.map(({ long }) => long))
        const unknown = rest.match(/(?<= )--[a-z-]+/g)?.filter((option) => !known.has(option)) ?? []
        expect({ line, isCommand: named !== program, unknown }).toEqual({ line, isCommand: true, unknown: [] })
      }
  })

  test('ots --help lists commands by who needs them, then options and exit codes', async () => {
    const help = await helpOf([])
    expect(help.match(/^[A-Z].*:$/gm)).toEqual([
      'For integrators:',
      'For operators:',
      'Running the service:',
      'Options:',
      'Global options:',
      'Where commands work:',
      'Exit codes:',
      'Examples:',
    ])
    expect(help).toMatch(/^Exit codes:\n {2}0 {2}success\n {2}1 {2}refused or failed.*\n {2}2 {2}wrong usage\n {2}3 /m)
  })

  test('global options are described in the help of ots, and only named in that of a command', async () => {
    expect(await helpOf([])).toMatch(/^ {2}--json {9}print JSON/m)
    const help = await helpOf(['orders', 'list'])
    expect(help).not.toMatch(/^ {2}--json/m)
    expect(help).toMatch(/\nGlobal options: --json, --quiet, --no-color, --verbose; see "ots --help"\.\n$/)
  })

  test.each([
    [['ordrs'], 'Did you mean orders?'],
    [['orders', 'lst'], 'Did you mean list?'],
    [['orders', 'list', '--statis', 'x'], 'Did you mean --status?'],
    [['orders', 'list', '--jso'], 'Did you mean --json?'],
    [['--quite', 'config'], 'Did you mean --quiet?'],
  ])('ots %s suggests what was meant', async (args, suggestion) => {
    const { code, stdout, stderr } = await ots(args)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(suggestion)])
  })
})
