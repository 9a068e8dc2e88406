import { Hl7Rejection } from './hl7-rejection.ts'

/** Undefined if the bytes are not valid in the character set. */
export type Decoder = (bytes: Uint8Array) => string | undefined

/** Decodes a message with the character set of MSH-18, else that of its envelope, else UTF-8. */
export function decodeText(bytes: Buffer, charset = ''): { text: string; decoder: Decoder } {
  const named = readCharacterSet(bytes) || charset
  const decoder = findDecoder(named)
  const text = decoder?.(bytes)
  if (!decoder) throw new Hl7Rejection(102, `MSH-18: unknown character set ${named.slice(0, 40)}.`)
  if (text === undefined) {
    throw new Hl7Rejection(102, `MSH-18: the message is not valid ${named.slice(0, 40) || 'UNICODE UTF-8'}.`)
  }
  return { text: unframe(text), decoder }
}

/** Read before decoding: the header is in ASCII. */
function readCharacterSet(bytes: Buffer): string {
  const start = bytes.subarray(0, 4096).toString('latin1')
  const header = /MSH[^\r\n]*/.exec(start)?.[0] ?? ''
  const fields = header.split(header[3] ?? '|')
  const first = fields[17]?.split(fields[1]?.[1] ?? '~')[0]?.trim() ?? ''
  return first === '""' ? '' : first
}

function findDecoder(name: string): Decoder | undefined {
  const [, part] = /^(?:ISO[-_ ]?(?:IR)?)?8859[-/](\d{1,2})$/i.exec(name) ?? []
  const isUnicode = /^(|(US-?)?ASCII|UNICODE|(UNICODE )?UTF-?8)$/i.test(name)
  const label = part === undefined ? (isUnicode ? 'utf-8' : undefined) : `iso-8859-${part}`
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    return (bytes) => {
      try {
        return decoder.decode(bytes)
      } catch {
        return undefined
      }
    }
  } catch {
    return undefined
  }
}

/** Removes MLLP framing and surrounding white space. */
function unframe(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\u001C' || text[end - 1]!.trim() === '')) end--
  return text.slice(0, end).trimStart()
}

/** The delimiters of a message, and the decoder of bytes that escapes spell. */
export interface Encoding {
  field: string
  component: string
  repetition: string
  escape: string
  subcomponent: string
  /** Ends a truncated value (since 2.7). */
  truncation: string | undefined
  decoder: Decoder
}

const ESCAPES = String.raw`F|S|T|R|E|P|H|N|X[0-9A-F]+|\.[A-Z]{2}[+-]?\d{0,4}`

/** Replaces the escapes of the standard; others stay as they are. */
export function decodeEscapes(raw: string, encoding: Encoding): string {
  if (!raw.includes(encoding.escape)) return raw
  return raw.replaceAll(patternOf(encoding.escape), (whole, escape: string) =>
    expand(escape.toUpperCase(), whole, encoding),
  )
}

/** One per escape character: compiling takes longer than matching. */
const patterns = new Map<string, RegExp>()

function patternOf(escape: string): RegExp {
  const quoted = escape.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  const pattern = patterns.get(escape) ?? new RegExp(`${quoted}(${ESCAPES})${quoted}`, 'gi')
  patterns.set(escape, pattern)
  return pattern
}

function expand(escape: string, whole: string, encoding: Encoding): string {
  if (escape.startsWith('X')) return decodeHex(escape.slice(1), encoding.decoder) ?? whole
  if (/^\.(BR|SP|CE)/.test(escape)) return '\n'
  const { field: F, component: S, subcomponent: T, repetition: R, escape: E, truncation: P = whole } = encoding
  // Highlighting, indents and wrapping do not change the content.
  return { F, S, T, R, E, P }[escape] ?? ''
}

const decodeHex = (digits: string, decoder: Decoder) =>
  digits.length % 2 === 0 ? decoder(Buffer.from(digits, 'hex')) : undefined

/** Truncates a description; the original text is stored too. Identifiers must not be truncated. */
export function truncate(text: string, most: number): string | undefined {
  if (text.length <= most) return text === '' ? undefined : text
  // Do not split a surrogate pair.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
