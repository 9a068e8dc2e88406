import { nameOf, resolveSchema, type OpenapiDocument, type Schema } from './document.ts'
import { codeHtml, escapeHtml } from './inline.ts'

/** Where objects with a table of their own are described. */
export type ObjectPlaces = ReadonlyMap<string, string>

export interface Reading {
  document: OpenapiDocument
  objects: ObjectPlaces
}

const FORMATS: Record<string, string> = { 'date-time': 'timestamp', date: 'date', uri: 'URL', email: 'e-mail address' }

/** The type of a member in words, as HTML. */
export function typeText(schema: Schema, reading: Reading): string {
  const name = nameOf(schema)
  const place = name === undefined ? undefined : reading.objects.get(name)
  if (place !== undefined) return `<a href="${place}">${escapeHtml(name!)}</a>`
  const {
    type,
    items,
    format,
    anyOf,
    oneOf,
    additionalProperties,
    enum: values,
    const: only,
  } = resolveSchema(reading.document, schema)
  const variants = anyOf ?? (type === undefined ? oneOf : undefined)
  if (variants) return [...new Set(nullLast(variants).map((each) => typeText(each, reading)))].join(' or ')
  if (Array.isArray(type))
    return type.map((each) => (each === 'string' && format ? FORMATS[format] : each)).join(' or ')
  if (type === 'array') return `list of ${plural(items ? typeText(items, reading) : 'value')}`
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object of ${plural(typeText(additionalProperties, reading))}`
  return FORMATS[format ?? ''] ?? type ?? typeof (only ?? values?.[0])
}

const nullLast = (variants: Schema[]) =>
  variants.toSorted((a, b) => Number(a.type === 'null') - Number(b.type === 'null'))

/** Names of objects and combinations stay as they are. */
const plural = (type: string) =>
  type.endsWith('</a>') || type.includes(' or ') ? type : `${type}${type.endsWith('s') ? 'es' : 's'}`

/** Values and limits, each as a sentence in HTML. */
export function limitTexts(schema: Schema, document: OpenapiDocument): string[] {
  const own = resolveSchema(document, schema)
  const variants = own.anyOf?.map((each) => resolveSchema(document, each)).filter(({ type }) => type !== 'null') ?? []
  // A list of known values beside any string: more values may be added.
  const isOpen =
    variants.some(({ enum: values }) => values) &&
    variants.some(({ enum: values, type }) => !values && type === 'string')
  const limits = own.anyOf
    ? isOpen
      ? []
      : variants.flatMap((each) => limitTexts(each, document))
    : limitsOf(own, document)
  const known = variants.find(({ enum: values }) => values)?.enum
  return [...new Set([...(isOpen && known ? [`Known values: ${listed(known)}. More may be added.`] : []), ...limits])]
}

function limitsOf(schema: Schema, document: OpenapiDocument): string[] {
  const { enum: values, const: only, pattern, contentEncoding, items, default: fallback } = schema
  return [
    values && (values.length === 1 ? `Only ${listed(values)}.` : `One of ${listed(values)}.`),
    only !== undefined && `Always ${codeHtml(String(only))}.`,
    rangeText(schema.minLength, schema.maxLength, 'characters'),
    schema.exclusiveMinimum === undefined
      ? rangeText(schema.minimum, schema.maximum)
      : `More than ${schema.exclusiveMinimum}${schema.maximum === undefined ? '' : `, at most ${schema.maximum}`}.`,
    rangeText(schema.minItems, schema.maxItems, 'items'),
    rangeText(schema.minProperties, schema.maxProperties, 'members'),
    pattern !== undefined && `Matches ${codeHtml(pattern)}.`,
    contentEncoding !== undefined && `Encoded as ${contentEncoding}.`,
    fallback !== undefined && fallback !== '' && `Default: ${codeHtml(String(fallback))}.`,
    ...(items && !items.$ref
      ? limitTexts(items, document).map((text) => `Each: ${text[0]!.toLowerCase()}${text.slice(1)}`)
      : []),
  ].filter((text) => typeof text === 'string')
}

const listed = (values: unknown[]) => values.map((value) => codeHtml(String(value))).join(', ')

function rangeText(least: number | undefined, most: number | undefined, unit = ''): string | false {
  const number = (value: number) => value.toLocaleString('en-US')
  const end = (value: number) => `${unit && ` ${value === 1 ? unit.slice(0, -1) : unit}`}.`
  if (least !== undefined && most !== undefined)
    return least === most ? `Exactly ${number(least)}${end(least)}` : `${number(least)} to ${number(most)}${end(most)}`
  if (most !== undefined) return `At most ${number(most)}${end(most)}`
  return least !== undefined && `At least ${number(least)}${end(least)}`
}
