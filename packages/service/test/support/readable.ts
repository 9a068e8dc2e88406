import { identifiers } from '../../src/store/db/sql.ts'
import type { Pool } from '../../src/store/db/pool.ts'

/** Reads the whole database as text by `table.column`; bytes also as the text that they may encode. */
export async function columnsOf(pool: Pool): Promise<Map<string, string>> {
  const tables = await pool<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const columns = new Map<string, string[]>()
  for (const { name } of tables) {
    const rows = await pool<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) as row from ${identifiers(name)} t`
    for (const { row } of rows) {
      for (const [column, value] of Object.entries(row)) {
        const key = `${name}.${column}`
        columns.set(key, [...(columns.get(key) ?? []), readable(value)])
      }
    }
  }
  return new Map([...columns].map(([key, values]) => [key, values.join('\n').toLowerCase()]))
}

function readable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (!text.startsWith('\\x')) return text
  const bytes = Buffer.from(text.slice(2), 'hex')
  return `${text} ${bytes.toString('latin1')} ${bytes.toString('utf8')}`
}

/** Lists where any of these secrets is readable, as `name in table.column`. */
export const foundIn = (columns: Map<string, string>, secrets: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    [...columns].flatMap(([column, text]) =>
      spellings(secret).some((spelling) => text.includes(spelling.toLowerCase())) ? [`${name} in ${column}`] : [],
    ),
  )

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // Depending on its offset in a longer text, its inner part is encoded as one of these.
  const inBase64 = [0, 1, 2].map((shift) =>
    bytes
      .subarray(shift)
      .toString('base64')
      .replace(/.{0,2}=*$/, ''),
  )
  const significant = inBase64.filter(({ length }) => length >= 8)
  return [secret, secret.replaceAll('-', ''), bytes.toString('hex'), ...significant]
}
