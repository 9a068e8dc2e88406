import { NotTaken } from './not-taken.ts'

/** Turns bytes into text; undefined where they are none in this character set. */
export type Decoder = (bytes: Uint8Array) => string | undefined

/** The text of a message in the character set that it names in MSH-18, else that of its envelope, else UTF-8. */
export function textOf(bytes: Buffer, charset = ''): { text: string; decoder: Decoder } {
  const named = characterSetOf(bytes) || charset
  const decoder = decoderOf(named)
  const text = decoder?.(bytes)
  if (!decoder) throw new NotTaken(102, `MSH-18: the character set ${named.slice(0, 40)} is not known here.`)
  if (text === undefined) {
    throw new NotTaken(102, `MSH-18: this is not text in the character set ${named.slice(0, 40) || 'UNICODE UTF-8'}.`)
  }
  return { text: unframed(text), decoder }
}

/** Read before anything can be decoded: the header itself is in ASCII. */
function characterSetOf(bytes: Buffer): string {
  const start = bytes.subarray(0, 4096).toString('latin1')
  const header = /MSH[^\r\n]*/.exec(start)?.[0] ?? ''
  const fields = header.split(header[3] ?? '|')
  const first = fields[17]?.split(fields[1]?.[1] ?? '~')[0]?.trim() ?? ''
  return first === '""' ? '' : first
}

function decoderOf(name: string): Decoder | undefined {
  const [, part] = /^(?:ISO[-_ ]?(?:IR)?)?8859[-/](\d{1,2})$/i.exec(name) ?? []
  const isUnicode = /^(|(US-?)?ASCII|UNICODE|(UNICODE )?UTF-?8)$/i.test(name)
  const label = part === undefined ? (isUnicode ? 'utf-8' : undefined) : `iso-8859-${part}`
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    return (bytes) => attempt(() => decoder.decode(bytes))
  } catch {
    return undefined
  }
}

/** Without what MLLP puts around a message, and what editors put before and behind it. */
function unframed(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\u001C' || text[end - 1]!.trim() === '')) end--
  return text.slice(0, end).trimStart()
}

/** The delimiters of a message, and its character set, in which escapes spell bytes. */
export interface Signs {
  field: string
  component: string
  repetition: string
  escape: string
  subcomponent: string
  /** Ends a value that was cut off (since 2.7). */
  truncation: string | undefined
  decoder: Decoder
}

const MEANINGS = String.raw`F|S|T|R|E|P|H|N|X[0-9A-F]+|\.[A-Z]{2}[+-]?\d{0,4}`

/** A text without its escapes; what is no escape of the standard stays as it is. */
export function decode(raw: string, signs: Signs): string {
  if (!raw.includes(signs.escape)) return raw
  return raw.replaceAll(patternOf(signs.escape), (whole, meaning: string) =>
    meaningOf(meaning.toUpperCase(), whole, signs),
  )
}

/** One for each sign that escapes: making one for each text takes longer than using it. */
const patterns = new Map<string, RegExp>()

function patternOf(escape: string): RegExp {
  const sign = escape.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
  const pattern = patterns.get(escape) ?? new RegExp(`${sign}(${MEANINGS})${sign}`, 'gi')
  patterns.set(escape, pattern)
  return pattern
}

function meaningOf(escape: string, whole: string, signs: Signs): string {
  if (escape.startsWith('X')) return hexadecimal(escape.slice(1), signs.decoder) ?? whole
  if (/^\.(BR|SP|CE)/.test(escape)) return '\n'
  const { field: F, component: S, subcomponent: T, repetition: R, escape: E, truncation: P = whole } = signs
  // Highlighting, indents and wrapping change how a text looks, not what it says.
  return { F, S, T, R, E, P }[escape] ?? ''
}

const hexadecimal = (digits: string, decoder: Decoder) =>
  digits.length % 2 === 0 ? decoder(Buffer.from(digits, 'hex')) : undefined

/** What describes may be cut short, for the message is kept as it came; what identifies never is. */
export function cut(text: string, most: number): string | undefined {
  if (text.length <= most) return text === '' ? undefined : text
  // Not between the halves of a surrogate pair.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
