import { createHash } from 'node:crypto'
import { isoOf } from '../../domain/times.ts'

/** A parameter of a statement; arrays become PostgreSQL arrays. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | readonly Value[]

/** SQL text with its parameters, or a fragment to be nested in another statement. */
export class Statement {
  readonly strings: readonly string[]
  readonly parts: readonly (Value | Statement)[]

  constructor(strings: readonly string[], parts: readonly (Value | Statement)[]) {
    this.strings = strings
    this.parts = parts
  }
}

/** Builds a statement without running it. Fragments nest in each other and in statements that `db` runs. */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Statement)[]): Statement {
  return new Statement(strings, parts)
}

/** A statement as the driver expects it. */
export interface Compiled {
  /** Derived from the text, so that a connection prepares each text once. */
  name: string
  text: string
  values: Encoded[]
}

export function compile(statement: Statement): Compiled {
  const values: Encoded[] = []
  const text = write(statement, values)
  return { name: nameOf(text), text, values }
}

function write({ strings, parts }: Statement, values: Encoded[]): string {
  let text = strings[0]!
  for (const [i, part] of parts.entries()) {
    text += part instanceof Statement ? write(part, values) : `$${values.push(encode(part))}`
    text += strings[i + 1]!
  }
  return text
}

/** Bounded: the texts come from templates in the code. */
const namesByText = new Map<string, string>()

function nameOf(text: string): string {
  let name = namesByText.get(text)
  if (name === undefined) {
    name = `ots_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    namesByText.set(text, name)
  }
  return name
}

export type Encoded = string | Buffer | null

/** The text format, which PostgreSQL converts to the type of the parameter. */
function encode(value: Value): Encoded {
  if (typeof value === 'string' || value === null) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Date) return isoOf(value)
  if (Array.isArray(value)) return `{${value.map((each) => encodeElement(each as Value)).join(',')}}`
  if (typeof value === 'object' || value === undefined) throw new TypeError('Unsupported type of statement parameter.')
  return String(value)
}

function encodeElement(value: Value): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return encode(value) as string
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return `"${String(encode(value)).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Names of columns or tables, or other constant SQL; `someColumn` becomes `some_column`. Never pass user input. */
export function identifiers(...names: string[]): Statement {
  const snakeCased = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  return new Statement([snakeCased.join(', ')], [])
}

/** Joins fragments with spaces. */
export const concat = (parts: readonly Statement[]): Statement => join(' ', parts)

/** Joins fragments or values with commas. */
export const list = (parts: readonly (Value | Statement)[]): Statement => join(', ', parts)

const join = (separator: string, parts: readonly (Value | Statement)[]) =>
  new Statement(['', ...parts.slice(1).map(() => separator), ''], parts)

/** The SET clause of an update; `someColumn` means `some_column`. */
export const assign = (values: Record<string, Value>): Statement =>
  list(Object.entries(values).map(([name, value]) => sql`${identifiers(name)} = ${value}`))

/** Conditions that columns equal the given values, each after `and`; an undefined value is no condition. */
export function andEqual(values: Record<string, Value | undefined>): Statement {
  const given = Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  return concat(given.map(([name, value]) => sql`and ${identifiers(name)} = ${value}`))
}

/** Rows to insert: `insert into orders ${rows([{ id, code }])}`. All must have the same columns. */
export function rows(all: readonly Record<string, Value>[]): Statement {
  const columns = Object.keys(all[0]!)
  const tuples = all.map((row) => sql`(${list(columns.map((column) => row[column]!))})`)
  return sql`(${identifiers(...columns)}) values ${list(tuples)}`
}
