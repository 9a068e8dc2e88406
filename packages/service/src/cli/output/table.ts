export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Aligns cells in columns. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Escapes control characters, which a terminal might act on. */
export const escapeControls = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' ' : String.raw`\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

export const formatCount = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

export const toJson = (value: unknown) => JSON.stringify(value, null, 2)

/** A page as the operator API returns it. */
export interface Found<T> {
  data: T[]
  limit: number
  page: number
  total: number
  /** The total is a lower bound. */
  isMore?: boolean
}

/** A table with one row per entry, and below it which part of the total it is. */
export function pageTable<T>(
  { data, limit, page, total, isMore = false }: Found<T>,
  [one, many]: readonly [one: string, many: string],
  { row, empty, order = 'newest first' }: { row: (entry: T) => string[]; empty: string; order?: string },
): string {
  if (total === 0) return empty
  const all = `${isMore ? 'more than ' : ''}${formatCount(total, one, many)}`
  if (data.length === 0) return `There are ${all}, but none on page ${page}.`
  const from = (page - 1) * limit + 1
  return `${table(data.map((entry) => row(entry)))}\n\n${from} to ${from + data.length - 1} of ${all}, ${order}.`
}
