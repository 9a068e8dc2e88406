import { InvalidArgumentError, type Command } from 'commander'

export function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Expected a time such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  const year = time.getUTCFullYear()
  if (year < 1 || year > 9999) throw new InvalidArgumentError('Expected a year from 1 to 9999, in UTC.')
  return time
}

/** The option of commands that change an order. */
export const BASED_ON = [
  '--based-on <time>',
  'refuse if the order changed after it had this "updatedAt" (of "ots orders show --json")',
  readTime,
] as const

/** Keeps a date as it is, and turns a date and time into an instant. */
export function readDay(text: string): string {
  const time = readTime(text)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : time.toISOString()
}

export function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

export const readCountFrom = (least: number, most: number) => (text: string) => {
  const count = readCount(text)
  if (count < least || count > most) throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`)
  return count
}

/** The scheme, host and port of an address, which may have a path. */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Expected an address such as https://hooks.example.com.')
  return url.origin
}

export interface PageOptions {
  limit: number
  page: number
}

/** Adds the options of a command that prints a page of the operator API. */
export const withPaging = (command: Command) =>
  command
    .option('--limit <number>', 'entries per page, at most 20', readCountFrom(1, 20), 20)
    .option('--page <number>', 'page to print', readCountFrom(1, 10_000), 1)

/** Reads comma-separated values. */
export const readList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Collects an option that may be repeated. */
export const collect = (value: string, earlier: string[] = []) => [...earlier, value]
