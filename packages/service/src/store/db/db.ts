import type { Outcome } from './connection.ts'
import { Unavailable } from './errors.ts'
import { compile, Statement, type Compiled, type Value } from './sql.ts'

/** Runs statements on any connection, or on that of a transaction. */
export interface Db {
  /** Runs a statement: ``db<{ id: string }[]>`select id from orders where code = ${code}` ``. Fragments come from `sql`. */
  <Rows extends object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...parts: (Value | Statement)[]
  ): Promise<Rows>
  /** Runs a statement and returns the number of rows that it wrote. */
  count(strings: TemplateStringsArray, ...parts: (Value | Statement)[]): Promise<number>
  /** Runs one or more statements without parameters, given as text. */
  script(text: string): Promise<void>
}

export type Run = (statement: Compiled | string) => Promise<Outcome>

export function dbOn(run: Run): Db {
  const outcome = async (strings: TemplateStringsArray, parts: (Value | Statement)[]) => {
    try {
      return await run(compile(new Statement(strings, parts)))
    } catch (error) {
      // The driver's stack ends at its socket; this one names the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
  const db = async (strings: TemplateStringsArray, ...parts: (Value | Statement)[]) =>
    (await outcome(strings, parts)).rows
  const count = async (strings: TemplateStringsArray, ...parts: (Value | Statement)[]) =>
    (await outcome(strings, parts)).count
  const script = async (text: string) => {
    await run(text)
  }
  return Object.assign(db, { count, script }) as Db
}

/** The single row that a statement always returns. An empty result is a failure, and must not be taken for "not found". */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  if (rows.length !== 1) throw new Unavailable(`Expected one row, got ${rows.length}.`)
  return rows[0]!
}
