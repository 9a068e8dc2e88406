import type { Outcome } from './connection.ts'
import { Unavailable } from './errors.ts'
import { compile, Statement, type Compiled, type Value } from './sql.ts'

type Parts = (Value | Statement)[]

/** Runs statements on any connection, or on that of a transaction. */
export interface Db {
  /** Runs a statement: ``db<{ id: string }[]>`select id from orders where code = ${code}` ``. Fragments come from `sql`. */
  <Rows extends object[] = Record<string, unknown>[]>(strings: TemplateStringsArray, ...parts: Parts): Promise<Rows>
  /** Runs a statement and returns its first row. */
  first<Row extends object>(strings: TemplateStringsArray, ...parts: Parts): Promise<Row | undefined>
  /** Runs a statement that always returns one row. An empty result is a failure, and must not be taken for "not found". */
  only<Row extends object>(strings: TemplateStringsArray, ...parts: Parts): Promise<Row>
  /** Runs a statement and returns the values of its only column. */
  values<Column = string>(strings: TemplateStringsArray, ...parts: Parts): Promise<Column[]>
  /** Runs a statement and returns the number of rows that it returned or wrote. */
  count(strings: TemplateStringsArray, ...parts: Parts): Promise<number>
  /** Runs one or more statements without parameters, given as text. */
  script(text: string): Promise<void>
}

export type Run = (statement: Compiled | string) => Promise<Outcome>

export function dbOn(run: Run): Db {
  const outcome = async (strings: TemplateStringsArray, parts: Parts) => {
    try {
      return await run(compile(new Statement(strings, parts)))
    } catch (error) {
      // The driver's stack ends at its socket; this one names the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
  const db = async (strings: TemplateStringsArray, ...parts: Parts) => (await outcome(strings, parts)).rows
  const methods = {
    first: async (strings: TemplateStringsArray, ...parts: Parts) => (await outcome(strings, parts)).rows[0],
    async only(strings: TemplateStringsArray, ...parts: Parts) {
      const { rows } = await outcome(strings, parts)
      if (rows.length !== 1) throw new Unavailable(`Expected one row, got ${rows.length}.`)
      return rows[0]
    },
    async values(strings: TemplateStringsArray, ...parts: Parts) {
      const { rows } = await outcome(strings, parts)
      return rows.map((row) => Object.values(row)[0] as unknown)
    },
    count: async (strings: TemplateStringsArray, ...parts: Parts) => (await outcome(strings, parts)).count,
    async script(text: string) {
      await run(text)
    },
  }
  return Object.assign(db, methods) as Db
}
