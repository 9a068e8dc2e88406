import type { Command } from 'commander'

/** A command that prints no single document, with the reason. */
export const EXCEPTIONS = {
  serve: 'runs until it is stopped; its log lines are JSON, and --json leaves out the banner',
  listen: 'prints one line of JSON for each event, until it is stopped',
  'orders watch': 'prints one line of JSON for each change',
  'audit export': 'prints CSV, and refuses --json',
  'orders export': 'prints CSV, and refuses --json',
  completion: 'prints a script for a shell, and refuses --json',
  backup: 'needs an embedded database; its own tests run it',
  restore: 'needs a backup; its own tests run it with --json',
  'clusters remove': 'needs a database outside of its data folder, which only root gets',
}

/** Every command that does something, by its words. */
export function actionsOf(command: Command, words: string[] = []): Map<string, Command> {
  const own = words.length > 0 && hasAction(command) ? [[words.join(' '), command] as const] : []
  return new Map([...own, ...command.commands.flatMap((each) => [...actionsOf(each, [...words, each.name()])])])
}

/** Commander offers no other way to tell a command from a mere group. */
const hasAction = (command: Command) => (command as unknown as { _actionHandler: unknown })._actionHandler !== null
