import { z } from 'zod'

/** PostgreSQL cannot store NUL, and nobody means it. */
const storable = /^[^\u0000]*$/u

/** Text of a request: bounded, and without characters that cannot be kept. */
export function text(min: number, max: number) {
  return z.string().min(min).max(max).regex(storable, 'This holds a character that cannot be stored.')
}

export const Timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'Timestamp',
  description: 'Date and time in UTC with milliseconds (ISO 8601).',
  example: '2026-03-02T15:04:05.678Z',
})

export const Path = z.string().meta({ format: 'uri-reference', description: 'Canonical path of the resource.' })

/** `true`, `false`, `1`, `0`, in JSON or spelled as text. */
export const Flag = z
  .preprocess((value) => FLAGS.get(value) ?? value, z.boolean())
  .meta({ override: { anyOf: [{ type: 'boolean' }, { enum: [1, 0, '1', '0', 'true', 'false'] }] } })

const FLAGS = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
])

/** A number, or a string that spells one in plain decimal digits. */
export function numeric<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value), schema)
}

const DECIMAL = /^[+-]?(\d+(\.\d+)?|\.\d+)$/

export const Coordinates = z
  .object({ lat: z.number().min(-90).max(90), long: z.number().min(-180).max(180) })
  .meta({ id: 'Coordinates', description: 'Degrees, WGS 84.' })
