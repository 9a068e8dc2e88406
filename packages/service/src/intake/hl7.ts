import { Hl7Rejection } from './hl7-rejection.ts'
import { decodeText, decodeEscapes, type Decoder, type Encoding } from './hl7-text.ts'

/** More than real reports have, but few enough to bound the memory of hostile ones. */
const MOST = { segments: 5_000, fields: 100, repetitions: 200, components: 20 }

/** Characters of a value that are decoded; only documents are longer. */
const LONGEST_TEXT = 64 * 1024

/** Parses a message into segments. The first one is the header. */
export function readSegments(bytes: Buffer, charset?: string): Segment[] {
  const { text, decoder } = decodeText(bytes, charset)
  if (!/^MSH[^\w\s]/.test(text)) throw new Hl7Rejection(100, 'The message does not begin with an MSH segment.')
  const lines = text.split(/[\r\n]+/, MOST.segments + 1).map((line) => line.trimEnd())
  if (lines.length > MOST.segments) throw new Hl7Rejection(102, `The message has more than ${MOST.segments} segments.`)
  const encoding = readEncoding(lines[0]!, decoder)
  const segments = lines.filter((line) => line !== '').map((line, i) => readSegment(line, i + 1, encoding))
  if (segments.some(({ name }, i) => i > 0 && /^(MSH|FHS|BHS)$/.test(name))) {
    throw new Hl7Rejection(100, 'The message contains a second header. Send one message at a time.')
  }
  return segments
}

function readEncoding(header: string, decoder: Decoder): Encoding {
  const field = header[3]!
  const named = Array.from(header.split(field, 2)[1] ?? '')
  const [component = '', repetition = '', escape = '', subcomponent = '', truncation] = named
  const all = [field, ...named]
  const isCounted = named.length === 4 || named.length === 5
  const isDistinct = new Set(all).size === all.length
  if (!isCounted || !isDistinct || !all.every((sign) => /^[!-~]$/.test(sign) && !/["\w]/.test(sign))) {
    throw new Hl7Rejection(102, 'MSH-2 must name four or five different delimiters.')
  }
  return { field, component, repetition, escape, subcomponent, truncation, decoder }
}

function readSegment(line: string, number: number, encoding: Encoding): Segment {
  const name = line.slice(0, 3)
  if (!/^[A-Z][A-Z0-9]{2}$/.test(name) || (line.length > 3 && line[3] !== encoding.field)) {
    throw new Hl7Rejection(100, `Line ${number} is not a segment. Write line breaks in texts as \\.br\\.`)
  }
  return new Segment(name, line, encoding)
}

/** A line of a message. Missing fields and HL7's null `""` both read as empty text. */
export class Segment {
  readonly name: string
  readonly line: string
  readonly #fields: string[]
  readonly #encoding: Encoding

  constructor(name: string, line: string, encoding: Encoding) {
    this.name = name
    this.line = line
    this.#encoding = encoding
    this.#fields = line.split(encoding.field, MOST.fields)
    // In the header, the delimiter itself counts as the first field.
    if (name === 'MSH') this.#fields.unshift('MSH')
  }

  /** A component of the first repetition. */
  at(field: number, component = 1, subcomponent = 1): string {
    return this.values(field)[0]?.at(component, subcomponent) ?? ''
  }

  /** All repetitions of a field, one per line. */
  text(field: number): string {
    return this.values(field)
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n')
  }

  values(field: number): Value[] {
    const raw = this.#fields[field] ?? ''
    return raw
      .split(this.#encoding.repetition, MOST.repetitions)
      .filter((repetition) => repetition !== '')
      .map((repetition) => new Value(repetition, this.#encoding))
  }
}

/** One repetition of a field. */
export class Value {
  readonly #raw: string
  readonly #encoding: Encoding

  constructor(raw: string, encoding: Encoding) {
    this.#raw = raw
    this.#encoding = encoding
  }

  at(component: number, subcomponent = 1): string {
    const raw = partAt(this.raw(component), this.#encoding.subcomponent, subcomponent)
    return toText(raw.slice(0, LONGEST_TEXT), this.#encoding)
  }

  /** A component of any length, such as a document. */
  whole(component: number): string {
    return toText(partAt(this.raw(component), this.#encoding.subcomponent, 1), this.#encoding)
  }

  /** A component as it was sent. */
  raw(component: number): string {
    return partAt(this.#raw, this.#encoding.component, component)
  }

  /** The whole value, for types without components: senders of plain text forget to escape delimiters. */
  get text(): string {
    return toText(this.#raw.slice(0, LONGEST_TEXT), this.#encoding)
  }
}

const partAt = (raw: string, by: string, place: number) => raw.split(by, MOST.components)[place - 1] ?? ''

function toText(raw: string, encoding: Encoding): string {
  if (raw === '""') return ''
  const { truncation } = encoding
  // The mark keeps a truncated id from passing for a whole one.
  if (truncation !== undefined && raw.endsWith(truncation))
    return `${decodeEscapes(raw.slice(0, -1), encoding).trim()}…`
  return decodeEscapes(raw, encoding).trim()
}
