/** Rows of cells in columns that are as wide as they need to be. */
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

/** Text that others wrote, without what a terminal might obey. */
export const visible = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' ' : String.raw`\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** Which part of all a page is. */
export function pageText(
  {
    page,
    limit,
    total,
    count,
    isMore = false,
  }: { page: number; limit: number; total: number; count: number; isMore?: boolean },
  [one, many]: readonly [string, string],
  first = 'newest first',
): string {
  const all = `${isMore ? 'more than ' : ''}${counted(total, one, many)}`
  if (count === 0) return `There are ${all}, and none on page ${page}.`
  const from = (page - 1) * limit + 1
  return `${from} to ${from + count - 1} of ${all}, ${first}.`
}
