import { identifiers, join, sql, type Statement, type Value } from '../../src/store/db/sql.ts'

/** Rows to insert: `insert into orders ${rows([{ id, code }])}`. All must have the same columns. */
export function rows(all: readonly Record<string, Value>[]): Statement {
  const columns = Object.keys(all[0]!)
  const tuples = all.map(
    (row) =>
      sql`(${join(
        ', ',
        columns.map((column) => row[column]!),
      )})`,
  )
  return sql`(${identifiers(...columns)}) values ${join(', ', tuples)}`
}
