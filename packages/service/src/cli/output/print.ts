import { fitColors, green, hasColors, red } from './colors.ts'
import { mode } from './mode.ts'
import { clearProgress } from './progress.ts'

/** Writes a line of text to stdout. */
export function print(text: string): void {
  clearProgress()
  process.stdout.write(`${fitColors(text, process.stdout)}\n`)
}

/** Prints what a command found: as one JSON document with --json, otherwise as text. */
export function show<T>(value: T, toText: (value: T) => string): void {
  if (mode.json) printJson(value)
  else print(toText(value))
}

/** Prints what a command did, marked as done in a terminal. */
export function showDone<T>(value: T, toText: (value: T) => string): void {
  show(value, () => markDone(toText(value)))
}

/** Prints one entry of a stream: with --json as a line of JSON. */
export function showEntry<T>(value: T, toText: (value: T) => string): void {
  print(mode.json ? JSON.stringify(value) : toText(value))
}

/** Prints what is JSON anyway. */
export function printJson(value: unknown): void {
  clearProgress()
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** A hint for people. */
export function note(text: string): void {
  if (!mode.json && !mode.quiet) writeError(text)
}

/** What went wrong; with --json a line of JSON on stderr. */
export interface Failure {
  message: string
  [member: string]: unknown
}

/** Reports a failure; the caller decides about the exit code. */
export function printFailure(failure: Failure): void {
  if (mode.json) writeError(JSON.stringify({ error: failure }))
  else writeError(hasColors(process.stderr) ? `${red('✗')} ${failure.message}` : failure.message)
}

/** The command did its work, but what it found is a failure. */
export function failWith(message: string): void {
  printFailure({ message })
  process.exitCode = 1
}

/** Writes a line to stderr. */
export function writeError(text: string): void {
  clearProgress()
  process.stderr.write(`${fitColors(text, process.stderr)}\n`)
}

const markDone = (text: string) => (hasColors(process.stdout) ? `${green('✓')} ${text}` : text)
