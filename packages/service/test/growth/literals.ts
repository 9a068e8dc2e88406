import type { Encoded } from '../../src/store/db/sql.ts'

/** The values of a prepared statement, as `execute` takes them. */
export function literals(values: Encoded[]): string {
  if (values.length === 0) return ''
  const written = values.map((value) => {
    if (value === null) return 'null'
    return Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : `'${value.replaceAll("'", "''")}'`
  })
  return `(${written.join(', ')})`
}
