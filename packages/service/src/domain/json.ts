import { isUtf8 } from 'node:buffer'
import { refuse } from './refusal.ts'

/** Deeper than any body of the interface, and shallow enough for whatever walks it. */
const DEEPEST = 100

/** More values than any document of the interface has, few enough to be held in memory. */
const MOST_VALUES = 8_000_000

interface JsonLimits {
  values?: number
}

/** The value that a body in JSON holds, undefined for an empty one. Its shape is bounded before it is parsed. */
export function readJson(bytes: Uint8Array, { values = MOST_VALUES }: JsonLimits = {}): unknown {
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
 * How deep a text in JSON is nested and how many values it can hold at most. Brackets and commas inside strings count
 * too, which does no harm: no string of the interface has a hundred open ones.
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
