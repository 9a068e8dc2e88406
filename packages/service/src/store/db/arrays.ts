export type Value = string | boolean | number | Date | Buffer | null

/** Everything travels as text: the driver takes the type of the first value for that of the whole list. */
export function written(value: Value): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
}

/** One column of many rows, as a list. */
export const columnsOf =
  <Row>(rows: readonly Row[]) =>
  (read: (row: Row) => Value) =>
    rows.map((row) => written(read(row)))

/** A list inside a list, as the database writes it. */
export const arrayText = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
