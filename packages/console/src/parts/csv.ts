/** Rows as a file for spreadsheets. */
export const csvFile = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map((value) => cell(String(value))).join(',')).join('\r\n')}\r\n`

/** A cell that begins like a formula would be run by the spreadsheet: an apostrophe makes it text. */
export function cell(value: string): string {
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
