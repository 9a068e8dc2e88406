import { stripVTControlCharacters } from 'node:util'
import { dim } from './colors.ts'

/** Aligns cells in columns. In a terminal that is too narrow, long cells are cut or columns go on in a second line. */
export function table(body: string[][], { head, width = terminalWidth() }: TableOptions = {}): string {
  const rows = head ? [head.map((name) => (name === '' ? '' : dim(name))), ...body] : body
  const widths = widthsOf(rows)
  if (sumOf(widths) <= width) return align(rows, widths)
  const narrowed = narrow(rows, widths, width)
  if (narrowed) return align(rows, narrowed)
  return flow(rows, widths, width)
}

interface TableOptions {
  /** The names of the columns. */
  head?: readonly string[]
  width?: number
}

/** Names and values. In a terminal, long values are continued below their beginning. */
export function sheet(rows: string[][], width = terminalWidth()): string {
  const [indent = 0] = widthsOf(rows)
  return rows
    .map(([name = '', value = '']) => {
      const lines = wrap(value, Math.max(20, width - indent - GAP.length))
      return `${pad(name, indent)}${GAP}${lines.join(`\n${' '.repeat(indent)}${GAP}`)}`.trimEnd()
    })
    .join('\n')
}

/** Escapes control characters, which a terminal might act on. */
export const escapeControls = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' ? ' ' : String.raw`\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )

export const formatCount = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** A page as the operator API returns it. */
export interface Found<T> {
  data: T[]
  limit: number
  page: number
  total: number
  /** The total is a lower bound. */
  isMore?: boolean
}

interface PageTable<T> {
  /** The names of the columns. */
  head: readonly string[]
  row: (entry: T) => string[]
  empty: string
  order?: string
}

/** A table with one row per entry, and below it which part of the total it is. */
export function pageTable<T>(
  { data, limit, page, total, isMore = false }: Found<T>,
  [one, many]: readonly [one: string, many: string],
  { head, row, empty, order = 'newest first' }: PageTable<T>,
): string {
  if (total === 0) return empty
  const all = `${isMore ? 'more than ' : ''}${formatCount(total, one, many)}`
  if (data.length === 0) return `There are ${all}, but none on page ${page}.`
  const from = (page - 1) * limit + 1
  return `${table(
    data.map((entry) => row(entry)),
    { head },
  )}\n\n${from} to ${from + data.length - 1} of ${all}, ${order}.`
}

/** Nothing is cut or wrapped unless a person reads it in a terminal. */
const terminalWidth = () => (process.stdout.isTTY ? process.stdout.columns || 80 : Infinity)

const GAP = '  '

/** The indentation of the columns that do not fit in the first line of a row. */
const INDENT = '    '

/** Columns are cut down to this width, and not further. */
const LEAST_WIDTH = 20

/** Ids and times are copied into other commands, so they are never cut. */
const WHOLE = /\b[a-z]{3}_[0-9a-z]{8,}|\d{4}-\d\d-\d\dT[\d:.]+Z/

const SEGMENTER = new Intl.Segmenter('en')

const charactersOf = (text: string) => Array.from(SEGMENTER.segment(text), ({ segment }) => segment)

const lengthOf = (cell: string) => charactersOf(stripVTControlCharacters(cell)).length

const widthsOf = (rows: string[][]) => (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => lengthOf(row[i]!))))

const sumOf = (widths: number[]) => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)

const pad = (cell: string, width: number) => cell + ' '.repeat(Math.max(0, width - lengthOf(cell)))

const align = (rows: string[][], widths: number[]) => rows.map((row) => alignRow(row, widths)).join('\n')

const alignRow = (row: string[], widths: number[]) =>
  row
    .map((cell, i) => pad(cut(cell, widths[i]!), widths[i]!))
    .join(GAP)
    .trimEnd()

/** Takes from the widest columns what is missing; undefined if that is not enough. */
function narrow(rows: string[][], widths: number[], width: number): number[] | undefined {
  const isFixed = widths.map((_, i) => rows.some((row) => WHOLE.test(stripVTControlCharacters(row[i]!))))
  const narrowed = [...widths]
  while (sumOf(narrowed) > width) {
    const widest = Math.max(...narrowed.filter((_, i) => !isFixed[i]))
    if (widest <= LEAST_WIDTH) return undefined
    narrowed[narrowed.findIndex((each, i) => each === widest && !isFixed[i])]!--
  }
  return narrowed
}

/** Continues each row in further lines. */
function flow(rows: string[][], widths: number[], width: number): string {
  const lines: number[][] = [[]]
  for (const [column, each] of widths.entries()) {
    const line = lines.at(-1)!
    const indent = lines.length > 1 ? INDENT.length : 0
    const used = line.reduce((sum, i) => sum + widths[i]! + GAP.length, indent)
    if (line.length > 0 && used + each > width) lines.push([column])
    else line.push(column)
  }
  const limited = widths.map((each) => Math.min(each, width - INDENT.length))
  const texts = rows.flatMap((row) =>
    lines.map((columns, i) => {
      const text = alignRow(
        columns.map((column) => row[column]!),
        columns.map((column) => limited[column]!),
      )
      return text === '' ? '' : `${i > 0 ? INDENT : ''}${text}`
    }),
  )
  return texts.filter((text) => text !== '').join('\n')
}

/** Cuts visible characters and keeps colors. */
function cut(cell: string, width: number): string {
  if (lengthOf(cell) <= width) return cell
  let left = width - 1
  const kept = cell.split(/(\u001B\[\d+m)/).map((part) => {
    if (part.startsWith('\u001B')) return part
    const shown = charactersOf(part).slice(0, left)
    left -= shown.length
    return shown.join('')
  })
  const last = kept.findLastIndex((part) => part !== '' && !part.startsWith('\u001B'))
  return kept.map((part, i) => (i === last ? `${part}…` : part)).join('')
}

/** Breaks a text between words. */
function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (lengthOf(line) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
