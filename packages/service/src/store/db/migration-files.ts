import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** The numbered SQL files; the folder inside holds those that the baseline replaces. */
export const MIGRATIONS = new URL('../../../migrations/', import.meta.url)

export const BASELINE = '0001_baseline.sql'
export const BEFORE_BASELINE = 'before-baseline/'

export interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The migrations of a folder in the order in which they are applied. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
