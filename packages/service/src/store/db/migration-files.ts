import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The numbered SQL files; the folder inside holds those that the baseline replaces. */
export const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

export const BASELINE = '0001_baseline.sql'
export const BEFORE_BASELINE = 'before-baseline/'

/** The schema of the database and the one that this release needs do not fit together. */
export class MigrationRefusal extends Error {}

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** Its statements run one by one, without a transaction around them, because they would block the service for too long. */
  isOnline: boolean
}

/** The first line of a file whose statements run one by one. */
const ONLINE = '-- online\n'

/** The migrations of a folder in the order in which they are applied. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return {
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        isOnline: sql.startsWith(ONLINE),
      }
    }),
  )
}

/** The statements of a file that is applied online: each ends with a semicolon at the end of its line, outside of `$$`. */
export const statementsOf = ({ sql }: Migration): string[] =>
  sql
    .replaceAll(/^--.*\n/gm, '')
    .split('$$')
    // Every second part is quoted.
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(';\n', END) : part))
    .join('$$')
    .split(END)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Ends a statement; no file has this character. */
const END = '\0'

/** The same for a transaction, where nothing is concurrent. */
export const offline = ({ sql }: Migration): string => sql.replaceAll(/ concurrently\b/g, '')

/** Removes something that earlier releases use: they cannot run on it. Every other migration leaves what they use. */
export const isBreaking = (name: string): boolean => name.endsWith('_contract.sql')
