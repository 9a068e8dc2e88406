export type Value = string | boolean | number | Date | Buffer | null

/** Array elements are sent as text, since the driver infers the type of an array from its first element. */
function encodeText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value)
}

/** One column of many rows, as an array. */
export const columnsOf =
  <Row>(rows: readonly Row[]) =>
  (read: (row: Row) => Value) =>
    rows.map((row) => encodeText(read(row)))

/** An array literal, for arrays nested in arrays. */
export const arrayText = (items: readonly string[]) =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
