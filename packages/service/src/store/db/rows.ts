import { types } from 'pg'

const { builtins } = types

/** Parsers that differ from the driver's or are faster. `int8` and `numeric` stay text. */
const READERS = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === 't'],
  [builtins.BYTEA, (text) => Buffer.from(text.slice(2), 'hex')],
  [builtins.INT2, Number],
  [builtins.INT4, Number],
  [builtins.OID, Number],
  [builtins.FLOAT4, Number],
  [builtins.FLOAT8, Number],
  [builtins.JSON, (text) => JSON.parse(text) as unknown],
  [builtins.JSONB, (text) => JSON.parse(text) as unknown],
  [builtins.DATE, (text) => new Date(text)],
  [builtins.TIMESTAMP, (text) => new Date(`${text}Z`)],
  [builtins.TIMESTAMPTZ, (text) => new Date(text)],
])

export const readers = {
  getTypeParser: (oid: number) => READERS.get(oid) ?? types.getTypeParser(oid, 'text'),
} as unknown as typeof types

/** Converts rows to objects, with `some_column` as `someColumn`. */
export function toObjects(columns: readonly { name: string }[], rows: readonly unknown[][]): object[] {
  const names = columns.map(({ name }) => camelCase(name))
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) object[names[i]!] = row[i]
    return object
  })
}

const camelCased = new Map<string, string>()

function camelCase(name: string): string {
  let cased = camelCased.get(name)
  if (cased === undefined) {
    cased = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camelCased.set(name, cased)
  }
  return cased
}
