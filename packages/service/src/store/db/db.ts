import type { Outcome } from './connection.ts'
import { Unavailable } from './errors.ts'
import { compile, Statement, type Compiled, type Value } from './sql.ts'

/** Runs statements: on any connection, or on the one of a transaction. */
export interface Db {
  /** Runs a statement: ``db<{ id: string }[]>`select id from orders where code = ${code}` ``. Pieces are made with `sql`. */
  <Rows extends object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...parts: (Value | Statement)[]
  ): Promise<Rows>
  /** Runs a statement and counts the rows that it wrote. */
  count(strings: TemplateStringsArray, ...parts: (Value | Statement)[]): Promise<number>
  /** Runs SQL that is only known at run time and takes no values; several statements may be in it. */
  script(text: string): Promise<void>
}

export type Run = (statement: Compiled | string) => Promise<Outcome>

/** Statements that are run in this way. */
export function dbOn(run: Run): Db {
  const outcome = async (strings: TemplateStringsArray, parts: (Value | Statement)[]) => {
    try {
      return await run(compile(new Statement(strings, parts)))
    } catch (error) {
      // The driver's stack leads to its socket; this one leads to who asked.
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

/** The one row that a statement always gives. Without it nothing is known: an empty answer must not pass for "not found". */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  if (rows.length !== 1) throw new Unavailable(`Expected one row, got ${rows.length}.`)
  return rows[0]!
}
