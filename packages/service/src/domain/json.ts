import { isUtf8 } from 'node:buffer'
import { refuse } from './refusal.ts'

/** Deeper than any valid body, and shallow enough for recursion. */
export const DEEPEST = 100

/** More values than any valid body has, and few enough to fit in memory. */
const MOST_VALUES = 8_000_000

/** Parses a JSON body; undefined if it is empty. Depth and number of values are checked before parsing. */
export function readJson(bytes: Uint8Array, { values = MOST_VALUES }: { values?: number } = {}): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw refuse('badRequest', 'The body is not valid UTF-8. Encode it as UTF-8.')
  const size = sizeOf(bytes)
  if (size.depth > DEEPEST) throw refuse('badRequest', `The body is nested more than ${DEEPEST} levels deep.`)
  if (size.values > values) throw refuse('tooBig', `The body holds more than ${values.toLocaleString('en')} values.`)
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'))
  } catch {
    throw refuse('badRequest', 'The body is not valid JSON.')
  }
}

/**
 * The nesting depth of JSON text and the maximum number of its values. Brackets and commas inside strings count too, which
 * does no harm: no valid string has a hundred open brackets.
 */
function sizeOf(bytes: Uint8Array): { depth: number; values: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === COMMA) values++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++
      values++
      if (depth > deepest) deepest = depth
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
  }
  return { depth: deepest, values }
}

const [COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
