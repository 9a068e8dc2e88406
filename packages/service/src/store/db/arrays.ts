import { isoOf } from '../../domain/times.ts'
import { identifiers, sql, Statement, type Value } from './sql.ts'

/**
 * Rows as the table `given`, with one array parameter for each column, so that the text of a statement does not depend on their
 * number. `columns` has the names of members by the type of their column; `place` numbers the rows from 1.
 */
export function givenRows<Row extends object>(
  rows: readonly Row[],
  columns: Record<string, (keyof Row & string)[]>,
): Statement {
  const typed = Object.entries(columns).flatMap(([type, names]) => names.map((name) => ({ type, name })))
  const lists = typed.map(({ name }) => rows.map((row) => (row[name] ?? null) as Value))
  // The planner does not see the length of the first list.
  const casts = typed.map(({ type }, i) => `::${type}[]${i === 0 ? ')' : ''}${i === typed.length - 1 ? ')' : ', '}`)
  const names = typed.map(({ name }) => name)
  // One flat statement: a create builds several of them.
  return sql`${new Statement(['unnest((select ', ...casts], lists)}
    with ordinality as given (${identifiers(...names, 'place')})`
}

/**
 * A list whose length the planner does not see. To PostgreSQL, a plan for a few rows seems cheaper than the one for any number that
 * the session keeps, so it would plan almost every execution anew: the statements that take a result took 1.7 times as long
 * (`pg_stat_statements` with `track_planning`, a minute of creates, results and lists). To go once `store/kept-plans` passes without.
 */
export const unseen = (list: (string | null)[]): Statement => sql`(select ${list}::text[])`

/** An array literal of numbers, which need no quotes: see `arrayText`. */
export const numbersText = (numbers: readonly bigint[]) => `{${numbers.join(',')}}`

/** An array literal, for arrays of different lengths nested in an array. */
export const arrayText = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`

/** Array elements are sent as text, and bytes in hexadecimal. */
function encodeText(value: string | boolean | number | Date | Buffer | null): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return isoOf(value)
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
}

/** One column of many rows, as an array. */
export const columnsOf =
  <Row>(rows: readonly Row[]) =>
  (read: (row: Row) => string | boolean | number | Date | Buffer | null) =>
    rows.map((row) => encodeText(read(row)))
