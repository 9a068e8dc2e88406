import { dbOn, type Db } from '../../src/store/db/db.ts'
import type { Pool } from '../../src/store/db/pool.ts'
import type { Compiled } from '../../src/store/db/sql.ts'

/** The statements that the work would run. */
export async function statementsOf(work: (db: Db) => Promise<void>): Promise<Compiled[]> {
  const statements: Compiled[] = []
  await work(
    dbOn(async (statement) => {
      statements.push(statement as Compiled)
      return { command: '', count: 0, rows: [] }
    }),
  )
  return statements
}

/** Runs a statement as the first of its session would, and returns its plan with what happened. */
export async function runExplained(pool: Pool, { name, text, values }: Compiled): Promise<string> {
  const { rows } = await pool.run({ name: `${name}_explained`, text: `explain analyze ${text}`, values })
  return rows.map((row) => Object.values(row)[0]).join('\n')
}
