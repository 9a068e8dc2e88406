/** A line of CSV (RFC 4180), with its end. */
export const csvLine = (values: readonly (string | null)[]): string =>
  `${values.map((value) => cell(value ?? '')).join(',')}\r\n`

/** Spreadsheets run a cell that begins like this as a formula; an apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@]|^[\t\r\n]/

function cell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
