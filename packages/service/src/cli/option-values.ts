import { InvalidArgumentError } from 'commander'

export function readTime(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Expected a time such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  const year = time.getUTCFullYear()
  if (year < 1 || year > 9999) throw new InvalidArgumentError('Expected a year from 1 to 9999, in UTC.')
  return time
}

/** A date stays one; of a date and time the moment is kept. */
export function readDay(text: string): string {
  const time = readTime(text)
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : time.toISOString()
}

export function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

/** A count within limits. */
export const readCountFrom = (least: number, most: number) => (text: string) => {
  const count = readCount(text)
  if (count < least || count > most) throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`)
  return count
}

/** Of an address its scheme, host and port: the whole of a callback's address will do. */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Expected an address such as https://hooks.example.com.')
  return url.origin
}
