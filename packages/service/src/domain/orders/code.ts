/** Without 0, O, 1, I and L, which are easily confused when a code is read out or written down. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const SHAPE = new RegExp(`^[${ALPHABET}]{4}-[${ALPHABET}]{4}$`)
const LETTERS = 8

/**
 * The base of the checksum. The alphabet has a prime number of letters and the first eight powers of the base all differ, so one
 * wrong letter or two swapped ones are always detected.
 */
const BASE = 20

/** A new order code such as `K7M4-2QXD`: seven random letters and a check letter. */
export function makeCode(random: (limit: number) => number): string {
  const chosen = Array.from({ length: LETTERS - 1 }, () => random(ALPHABET.length))
  const check = (ALPHABET.length - remainder([...chosen, 0])) % ALPHABET.length
  return addDash([...chosen, check].map((value) => ALPHABET[value]).join(''))
}

/** The random letters of a code, as `makeCode` draws them. */
export const drawsOf = (code: string): number[] =>
  Array.from(code.replace('-', '').slice(0, LETTERS - 1), (letter) => ALPHABET.indexOf(letter))

/** Whether this is an order code in its canonical form, with the right check letter. */
export function isWellFormedCode(code: string): boolean {
  return SHAPE.test(code) && remainder(Array.from(code.replace('-', ''), (letter) => ALPHABET.indexOf(letter))) === 0
}

/** The canonical form of a code in any case, with or without its dash; null if the text is not a code. */
export function normaliseCode(text: string): string | null {
  const code = addDash(text.toUpperCase().replaceAll(/[\s-]/g, ''))
  return SHAPE.test(code) ? code : null
}

/** Operators refer to an order by its id or its code. */
export function parseReference(text: string): { id: string } | { code: string } {
  const code = normaliseCode(text)
  return code === null ? { id: text } : { code }
}

const addDash = (letters: string) => `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`

const remainder = (values: number[]) => values.reduce((sum, value) => (sum * BASE + value) % ALPHABET.length, 0)
