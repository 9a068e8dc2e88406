/** No 0 and O, no 1, I and L: what is read out over the telephone must be taken down right. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const SHAPE = new RegExp(`^[${ALPHABET}]{4}-[${ALPHABET}]{4}$`)
const LETTERS = 8

/**
 * Each letter counts this many times the one after it. The alphabet has a prime number of letters and the eight powers
 * are all different, so one wrong letter or two swapped ones always show.
 */
const STEP = 20

/** A new order code such as `K7M4-2QXD`: seven letters of chance and one that checks them. */
export function makeCode(random: (limit: number) => number): string {
  const chosen = Array.from({ length: LETTERS - 1 }, () => random(ALPHABET.length))
  const check = (ALPHABET.length - remainder([...chosen, 0])) % ALPHABET.length
  return dashed([...chosen, check].map((value) => ALPHABET[value]).join(''))
}

/** Whether this is an order code in its proper spelling, with the right check letter. */
export function isWellFormedCode(code: string): boolean {
  return SHAPE.test(code) && remainder(Array.from(code.replace('-', ''), (letter) => ALPHABET.indexOf(letter))) === 0
}

/** The proper spelling of a code in any case, with or without its dash; null for what is no code at all. */
export function normaliseCode(text: string): string | null {
  const code = dashed(text.toUpperCase().replaceAll(/[\s-]/g, ''))
  return SHAPE.test(code) ? code : null
}

const dashed = (letters: string) => `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`

const remainder = (values: number[]) => values.reduce((sum, value) => (sum * STEP + value) % ALPHABET.length, 0)
