import { stripVTControlCharacters } from 'node:util'
import { Help, type Argument, type Command, type Option } from 'commander'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { bold, cyan, dim, hasColors } from './output/colors.ts'
import { mode } from './output/mode.ts'

/** Sets how help and wrong usage are printed; subcommands inherit it. */
export function configureHelp(ots: Command): void {
  ots
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({
      getOutHasColors: () => hasColors(process.stdout),
      getErrHasColors: () => hasColors(process.stderr),
      // With --json, main() reports wrong usage.
      writeErr: (text) => void (mode.json || process.stderr.write(text)),
    })
    .configureHelp({
      formatHelp,
      subcommandTerm,
      subcommandDescription: summaryOf,
      optionDescription: describeOption,
      argumentDescription: describeArgument,
      visibleCommands: (command) => [...command.commands],
      styleTitle: bold,
      styleOptionText: cyan,
      styleSubcommandText: cyan,
      styleArgumentText: cyan,
    })
    .addHelpText('after', NOTES)
    .addHelpText('afterAll', ({ command }) => closingText(command))
  withExamples(
    ots,
    'ots serve                     # a sandbox on http://localhost:3000',
    'ots trigger negative          # place an order and simulate its result',
    'ots listen --forward-to http://localhost:4000/hook',
    "ots orders list --json | jq -r '.data[].code'",
  )
}

/** The line of a command in lists: its summary, or the first sentence of its description. */
export const summaryOf = (command: Command) => command.summary() || command.description().replace(/(?<=\.) .*/s, '')

const EXAMPLES = new WeakMap<Command, string[]>()

/** Adds command lines that the help of a command ends with. */
export function withExamples(command: Command, ...lines: string[]): Command {
  EXAMPLES.set(command, lines)
  return command
}

/** The examples of a command, or some of its subcommands. */
export const examplesOf = (command: Command): string[] =>
  EXAMPLES.get(command) ?? command.commands.slice(0, 4).flatMap((each) => EXAMPLES.get(each)?.slice(0, 1) ?? [])

function closingText(command: Command): string {
  const examples = [`\n${bold('Examples:')}`, ...examplesOf(command).map((line) => `  ${line}`)]
  return [...examples, ...(command.parent ? ['', dim(GLOBAL_HINT)] : [])].join('\n')
}

const NOTES = `
${bold('Where commands work:')}
  Commands with --url and --token call the API of a running service: that of
  OTS_URL with the token of OTS_TOKEN, by default the one on HOST and PORT.
  The others work on the database of DATABASE_URL, by default the embedded one
  in OTS_DATA_DIR, which only serve and migrate create.
  Settings are environment variables; "ots config" prints them.

${bold('Exit codes:')}
  0  success
  1  refused or failed, or found something: doctor, audit verify, catalog diff
  2  wrong usage
  3  results post: accepted, but queued for an operator`

const GLOBAL_HINT = 'Global options: --json, --quiet, --no-color, --verbose; see "ots --help".'

/** Lists subcommands before options, and global options only in the help of `ots` itself. */
function formatHelp(command: Command, helper: Help): string {
  const visibleOptions = (each: Command) =>
    helper.visibleOptions(each).filter((option) => each.parent === null || option.helpGroupHeading !== GLOBAL_OPTIONS)
  const listing = Object.assign(Object.create(helper) as Help, { visibleOptions })
  const sections = Help.prototype.formatHelp.call(listing, command, listing).trimEnd().split('\n\n')
  const isOptions = (section: string) => /^(?:Global o|O)ptions:\n/.test(stripVTControlCharacters(section))
  const ordered = [...sections.filter((each) => !isOptions(each)), ...sections.filter(isOptions)]
  return `${(command.commands.length > 0 ? ordered : sections).join('\n\n')}\n`
}

const describeOption = ({ description, mandatory, argChoices, defaultValue, envVar }: Option) =>
  withFacts(description, [
    ...(mandatory ? ['required'] : []),
    ...choicesText(argChoices),
    // That of --no-color is not worth mentioning.
    ...(defaultValue === undefined || defaultValue === true ? [] : [`default: ${String(defaultValue)}`]),
    ...(envVar === undefined ? [] : [`or ${envVar}`]),
  ])

const describeArgument = ({ description, argChoices }: Argument) => withFacts(description, choicesText(argChoices))

const choicesText = (choices: readonly string[] | undefined) => (choices ? [`one of ${choices.join(', ')}`] : [])

const withFacts = (text: string, facts: string[]) => (facts.length === 0 ? text : `${text} (${facts.join('; ')})`)

/** Without "[options]", which every command has. */
const subcommandTerm = (command: Command) =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '...' : ''}`
      return argument.required ? `<${name}>` : `[${name}]`
    }),
  ].join(' ')
