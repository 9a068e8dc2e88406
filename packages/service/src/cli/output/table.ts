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
export const visible = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' ' : String.raw`\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

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
  found: Found<T>,
  nouns: readonly [one: string, many: string],
  { row, empty, order }: { row: (entry: T) => string[]; empty: string; order?: string },
): string {
  if (found.total === 0) return empty
  const summary = pageText({ ...found, count: found.data.length }, nouns, order)
  return found.data.length === 0 ? summary : `${table(found.data.map((entry) => row(entry)))}\n\n${summary}`
}

/** Says which part of the total a page is. */
export function pageText(
  {
    page,
    limit,
    total,
    count,
    isMore = false,
  }: { page: number; limit: number; total: number; count: number; isMore?: boolean },
  [one, many]: readonly [string, string],
  order = 'newest first',
): string {
  const all = `${isMore ? 'more than ' : ''}${counted(total, one, many)}`
  if (count === 0) return `There are ${all}, but none on page ${page}.`
  const from = (page - 1) * limit + 1
  return `${from} to ${from + count - 1} of ${all}, ${order}.`
}
