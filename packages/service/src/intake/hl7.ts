import { decode, textOf, type Decoder, type Signs } from './hl7-text.ts'
import { NotTaken } from './not-taken.ts'

/** More than any report has, and few enough that what is made of hostile bytes stays small. */
const MOST = { segments: 5_000, fields: 100, repetitions: 200, components: 20 }

/** Characters of a value that are decoded: far more than any value but a document is kept with. */
const LONGEST_TEXT = 64 * 1024

/** The segments of a message, the first of them its header. */
export function readSegments(bytes: Buffer, charset?: string): Segment[] {
  const { text, decoder } = textOf(bytes, charset)
  if (!/^MSH[^\w\s]/.test(text)) throw new NotTaken(100, 'This does not begin with a segment MSH.')
  const lines = text.split(/[\r\n]+/, MOST.segments + 1).map((line) => line.trimEnd())
  if (lines.length > MOST.segments) throw new NotTaken(102, `The message has more than ${MOST.segments} segments.`)
  const coding = codingOf(lines[0]!, decoder)
  const segments = lines.filter((line) => line !== '').map((line, i) => segmentOf(line, i + 1, coding))
  if (segments.some(({ name }, i) => i > 0 && /^(MSH|FHS|BHS)$/.test(name))) {
    throw new NotTaken(100, 'Send one message at a time: there is a second header.')
  }
  return segments
}

function codingOf(header: string, decoder: Decoder): Signs {
  const field = header[3]!
  const named = Array.from(header.split(field, 2)[1] ?? '')
  const [component, repetition, escape, subcomponent, truncation] = named
  const all = [field, ...named]
  const areFew = named.length === 4 || named.length === 5
  if (
    !areFew ||
    new Set(all).size !== all.length ||
    !all.every((sign) => /^[!-~]$/.test(sign) && !/["\w]/.test(sign))
  ) {
    throw new NotTaken(102, 'MSH-2 must name four or five different delimiters.')
  }
  return {
    field,
    component: component!,
    repetition: repetition!,
    escape: escape!,
    subcomponent: subcomponent!,
    truncation,
    decoder,
  }
}

function segmentOf(line: string, number: number, coding: Signs): Segment {
  const name = line.slice(0, 3)
  if (!/^[A-Z][A-Z0-9]{2}$/.test(name) || (line.length > 3 && line[3] !== coding.field)) {
    throw new NotTaken(100, `Line ${number} is no segment. Line breaks in texts are spelled \\.br\\.`)
  }
  return new Segment(name, line, coding)
}

/** A line of a message. What it lacks reads as empty text, and so does HL7's null `""`: neither says anything. */
export class Segment {
  readonly name: string
  readonly line: string
  readonly #fields: string[]
  readonly #coding: Signs

  constructor(name: string, line: string, coding: Signs) {
    this.name = name
    this.line = line
    this.#coding = coding
    this.#fields = line.split(coding.field, MOST.fields)
    // In the header the delimiter is itself the first field.
    if (name === 'MSH') this.#fields.unshift('MSH')
  }

  /** A part of a field's first repetition. */
  at(field: number, component = 1, subcomponent = 1): string {
    return this.values(field)[0]?.at(component, subcomponent) ?? ''
  }

  /** All that a field says, its repetitions one below the other. */
  text(field: number): string {
    return this.values(field)
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n')
  }

  values(field: number): Value[] {
    const raw = this.#fields[field] ?? ''
    return raw
      .split(this.#coding.repetition, MOST.repetitions)
      .filter((repetition) => repetition !== '')
      .map((repetition) => new Value(repetition, this.#coding))
  }
}

/** One repetition of a field. */
export class Value {
  readonly #raw: string
  readonly #coding: Signs

  constructor(raw: string, coding: Signs) {
    this.#raw = raw
    this.#coding = coding
  }

  at(component: number, subcomponent = 1): string {
    const raw = split(this.raw(component), this.#coding.subcomponent, subcomponent)
    return plain(raw.slice(0, LONGEST_TEXT), this.#coding)
  }

  /** A component that may be of any length, such as a document. */
  whole(component: number): string {
    return plain(split(this.raw(component), this.#coding.subcomponent, 1), this.#coding)
  }

  /** A component as it was sent. */
  raw(component: number): string {
    return split(this.#raw, this.#coding.component, component)
  }

  /** The whole of it, for types without components: who writes plain text forgets to escape. */
  get text(): string {
    return plain(this.#raw.slice(0, LONGEST_TEXT), this.#coding)
  }
}

const split = (raw: string, by: string, place: number) => raw.split(by, MOST.components)[place - 1] ?? ''

function plain(raw: string, coding: Signs): string {
  if (raw === '""') return ''
  const { truncation } = coding
  // The mark keeps what was cut off from being taken for the whole, of an id for instance.
  if (truncation !== undefined && raw.endsWith(truncation)) return `${decode(raw.slice(0, -1), coding).trim()}…`
  return decode(raw, coding).trim()
}
