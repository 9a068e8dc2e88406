import { Argument, type Command } from 'commander'
import { GLOBAL_OPTIONS } from '../global-options.ts'
import { summaryOf, withExamples } from '../help.ts'
import { mode } from '../output/mode.ts'
import { print } from '../output/print.ts'

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript }

type Shell = keyof typeof SHELLS

export function define(completion: Command): void {
  withExamples(
    completion,
    'source <(ots completion bash)      # in ~/.bashrc',
    'source <(ots completion zsh)       # in ~/.zshrc',
    'ots completion fish | source       # in ~/.config/fish/config.fish',
  )
    .description('Print a script that completes commands and options in bash, zsh or fish.')
    .addArgument(new Argument('<shell>', 'shell to complete commands in').choices(Object.keys(SHELLS)))
    .action(async (shell: Shell) => {
      if (mode.json) completion.error('error: --json does not apply: this prints a script for a shell')
      const { createWholeProgram } = await import('../main.ts')
      print(SHELLS[shell](stepsOf(await createWholeProgram())))
    })
}

/** What may follow a command. */
interface Step {
  /** The words of the command, without `ots`. */
  path: string[]
  commands: { name: string; description: string }[]
  options: { name: string; description: string; takesValue: boolean; choices: readonly string[]; isGlobal: boolean }[]
  /** Values of its first argument. */
  choices: readonly string[]
}

const HELP = { name: '--help', description: 'print help', takesValue: false, choices: [], isGlobal: true }

/** Every command, the longest first. */
function stepsOf(command: Command, path: string[] = []): Step[] {
  const below = command.commands.flatMap((each) => stepsOf(each, [...path, each.name()]))
  const commands = command.commands.map((each) => ({
    name: each.name(),
    description: summaryOf(each),
  }))
  const options = command.options.map((option) => ({
    name: option.long!,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
    isGlobal: option.helpGroupHeading === GLOBAL_OPTIONS,
  }))
  const choices = command.registeredArguments[0]?.argChoices ?? []
  return [...below, { path, commands, options: [...options, HELP], choices }]
}

const wordsOf = ({ commands, options, choices }: Step) =>
  [...[...commands, ...options].map(({ name }) => name), ...choices].join(' ')

/** Arguments may follow a command that has no subcommands. */
const patternOf = ({ path, commands }: Step) => `"${path.join(' ')}"${commands.length === 0 ? '*' : ''}`

function bashScript(steps: Step[]): string {
  return `_ots() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path\${path:+ }$word" ;; esac
  done
  case "$path $previous" in
${steps.flatMap(valueCases).join('\n')}
    *) case "$path" in
${steps.map((step) => `      ${patternOf(step)}) words="${wordsOf(step)}" ;;`).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ots ots`
}

/** What follows an option that takes a value: one of its choices, or anything. */
function valueCases(step: Step): string[] {
  return step.options.flatMap(({ name, takesValue, choices }) =>
    takesValue ? [`    ${patternOf(step)}" ${name}") words="${choices.join(' ')}" ;;`] : [],
  )
}

function zshScript(steps: Step[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(steps)}`
}

function fishScript(steps: Step[]): string {
  const lines = steps.flatMap(({ path, commands, options, choices }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`)
    const inside = commands.map(({ name }) => name).join(' ')
    const unseen = inside === '' ? [] : [`not __fish_seen_subcommand_from ${inside}`]
    const condition = [...seen, ...unseen].join('; and ')
    const when = condition === '' ? '' : ` -n '${condition}'`
    return [
      ...commands.map(({ name, description }) => `complete -c ots -f${when} -a ${name} -d ${quote(description)}`),
      ...options.flatMap((option) => (option.isGlobal ? [] : [`complete -c ots${when} ${fishOption(option)}`])),
      ...(choices.length > 0 ? [`complete -c ots -f${when} -a '${choices.join(' ')}'`] : []),
    ]
  })
  const globals = steps.at(-1)!.options.filter(({ isGlobal }) => isGlobal)
  return [...globals.map((option) => `complete -c ots ${fishOption(option)}`), ...lines].join('\n')
}

function fishOption({ name, description, takesValue, choices }: Step['options'][number]): string {
  const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : ''
  return `-l ${name.slice(2)}${value} -d ${quote(description)}`
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
