import { Option, type Command } from 'commander'
import { setMode } from './output/mode.ts'

const OPTIONS = [
  ['json', '--json', 'print JSON: one document, or one line per entry of a stream'],
  ['quiet', '-q, --quiet', 'print no progress and no hints'],
  ['color', '--no-color', 'print without colors, as NO_COLOR=1 does'],
  ['verbose', '--verbose', 'print the database or service in use to stderr'],
] as const

/** Adds the options to every command, so that their position does not matter. */
export function addGlobalOptions(command: Command): void {
  for (const [, flags, description] of OPTIONS)
    command.addOption(new Option(flags, description).helpGroup(GLOBAL_OPTIONS))
  for (const subcommand of command.commands) addGlobalOptions(subcommand)
}

export const GLOBAL_OPTIONS = 'Global options:'

/** Wrong usage is reported before any option is known, so this looks for them in the arguments. */
export function guessMode(args: string[]): void {
  const end = args.indexOf('--')
  const given = new Set(end === -1 ? args : args.slice(0, end))
  setMode({
    json: given.has('--json'),
    quiet: given.has('--quiet') || given.has('-q'),
    color: !given.has('--no-color'),
    verbose: given.has('--verbose'),
  })
}

/** Applies the options of a command and of those above it. */
export function applyGlobalOptions(command: Command): void {
  const line: Command[] = []
  for (let each: Command | null = command; each; each = each.parent) line.push(each)
  const isGiven = (name: string) => line.some((each) => each.getOptionValueSource(name) === 'cli')
  setMode({
    json: isGiven('json'),
    quiet: isGiven('quiet'),
    color: !isGiven('color'),
    verbose: isGiven('verbose'),
  })
}
