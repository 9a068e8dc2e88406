import { z } from 'zod'

/** PostgreSQL can store neither NUL nor unpaired surrogates. */
export const STORABLE = /^[^\u0000\uD800-\uDFFF]*$/u

export const STORABLE_DETAIL = 'Contains a character that cannot be stored: U+0000 or an unpaired surrogate.'

export const NO_CONTROLS = /^\P{Cc}*$/u
export const NO_CONTROLS_DETAIL = 'Control characters such as line breaks are not allowed.'

/** Text in a request: of bounded length, without characters that cannot be stored. */
export function text(min: number, max: number) {
  return z.string().min(min).max(max).regex(STORABLE, STORABLE_DETAIL)
}

/** An object with arbitrary member names. Their number is checked before the members. */
export function members<V extends z.ZodType>(name: z.ZodString, value: V, max: number) {
  return z
    .preprocess(
      (sent, { issues }) => {
        if (typeof sent !== 'object' || sent === null) return sent
        if (memberCount(sent) > max)
          issues.push({ code: 'too_big', origin: 'object', maximum: max, inclusive: true, input: sent, message: '' })
        // The schema below would drop it without a word.
        if (Object.hasOwn(sent, '__proto__'))
          issues.push({
            code: 'custom',
            path: ['__proto__'],
            input: sent,
            message: NO_PROTO,
            params: { code: 'invalidKey' },
          })
        return sent
      },
      z.record(name, value),
    )
    .meta({ override: { maxProperties: max } })
}

const NO_PROTO = 'This member name is reserved. Choose another one.'

/** Counting the members of a huge object takes milliseconds, and an invalid body is walked several times. */
const hugeCounts = new WeakMap<object, number>()
const HUGE = 1_000

export function memberCount(object: object): number {
  const known = hugeCounts.get(object)
  if (known !== undefined) return known
  const count = Object.keys(object).length
  if (count > HUGE) hugeCounts.set(object, count)
  return count
}

/** `URL` tolerates blanks and missing slashes; receivers of the URL may not. */
const SPELLED_OUT = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]\S*$/i

/** An absolute URL, kept as written. */
export function webAddress(max: number) {
  return (
    z
      .string()
      // Checked on the raw text, because `URL` silently drops line breaks and outer blanks.
      .check(({ value, issues }) => {
        if (!SPELLED_OUT.test(value) || !URL.canParse(value)) {
          issues.push({
            code: 'invalid_format',
            format: 'url',
            input: value,
            message: 'Expected an absolute URL.',
          })
        }
      })
      .max(max)
      .regex(STORABLE, STORABLE_DETAIL)
      .meta({ format: 'uri' })
  )
}

export const Timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'Timestamp',
  description: 'Date and time in UTC with milliseconds (ISO 8601).',
  examples: ['2026-03-02T15:04:05.678Z'],
})

/** Invalid times are reported elsewhere. */
const isFarOff = (value: string) =>
  Number.isFinite(Date.parse(value)) && (value < '1900' || value.startsWith('9999-12-31'))

/** A reported time: with an offset, in the range that PostgreSQL and JavaScript both handle. */
export const instant = () =>
  z.iso.datetime({ offset: true }).refine((value) => !isFarOff(value), {
    error: 'Expected a time between the years 1900 and 9999.',
  })

/** A calendar date, or a date and time with an offset. */
export const dayOrInstant = () =>
  z
    .string()
    .check(({ value, issues }) => {
      const isKnown = z.iso.date().safeParse(value).success || z.iso.datetime({ offset: true }).safeParse(value).success
      if (isKnown && !isFarOff(value)) return
      const message = 'Expected a date such as 2026-03-04, or a date and time with an offset.'
      issues.push({ code: 'invalid_format', format: 'date', input: value, message })
    })
    .meta({
      override: showAs(() => ({
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
      })),
    })

export const Path = z.string().meta({ format: 'uri-reference', description: 'Canonical path of the resource.' })

/** `true`, `false`, `1` or `0`, as JSON values or as text. */
export const Flag = z
  .preprocess((value) => FLAGS.get(value) ?? value, z.boolean())
  .meta({
    override: showAs(() => ({
      anyOf: [
        { type: 'boolean' },
        { type: 'integer', enum: [0, 1] },
        { type: 'string', enum: ['0', '1', 'true', 'false'] },
      ],
    })),
  })

/** The same in a query string. */
export const FlagText = Flag.meta({ override: showAs(() => ({ type: 'string', enum: ['0', '1', 'true', 'false'] })) })

const FLAGS = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
])

/** A number, or a string that holds one in decimal digits. Documented as a number. */
export function numeric<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === 'string' && DECIMAL.test(value) ? finite(value) : value), schema)
}

/** The same, documented with both forms. */
export function numberOrText<T extends z.ZodType>(schema: T) {
  const override = showAs((number) => ({
    anyOf: [number, { type: 'string', pattern: (number['type'] === 'integer' ? DIGITS : DECIMAL).source }],
  }))
  return numeric(schema).meta({ override })
}

const DIGITS = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(\d+(\.\d+)?|\.\d+)$/

/** Clamped, so that a number with too many digits is too big and not of a wrong type. */
function finite(digits: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(digits)))
}

/** Text with known values to which others may be added, so that generated clients name them and accept any. */
export function openEnum<T extends z.ZodType = z.ZodString>(values: readonly string[], schema?: T) {
  const override = showAs((any) => ({ anyOf: [{ type: 'string', enum: values }, any] }))
  return ((schema ?? z.string()) as T).meta({ override })
}

export const Coordinates = z
  .object({ lat: z.number().min(-90).max(90), long: z.number().min(-180).max(180) })
  .meta({ id: 'Coordinates', description: 'Degrees, WGS 84.' })

type Rendered = Record<string, unknown>

/** Replaces the rendered schema in the OpenAPI document; its description and default stay. */
export function showAs(replacement: (rendered: Rendered) => Rendered) {
  return ({ jsonSchema }: { jsonSchema: object }) => {
    const target = jsonSchema as Rendered
    const { description, default: fallback, override: _, ...rendered } = target
    for (const key of Object.keys(target)) delete target[key]
    Object.assign(target, replacement(rendered))
    if (description !== undefined) target['description'] = description
    if (fallback !== undefined) target['default'] = fallback
  }
}
