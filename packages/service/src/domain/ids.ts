/** Crockford's base 32 in lower case: in order, and without letters that look like digits. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 26
const CHANCE_BYTES = 10

export type IdPrefix = 'ord' | 'osv' | 'evt' | 'dlv' | 'cbk'

/** An id that sorts by the time it was made: 48 bits of milliseconds, then 80 of chance. */
export function makeId(prefix: IdPrefix, now: Date, random: (bytes: number) => Buffer): string {
  const chance = BigInt(`0x${random(CHANCE_BYTES).toString('hex')}`)
  const value = (BigInt(now.getTime()) << BigInt(CHANCE_BYTES * 8)) | chance
  return `${prefix}_${Array.from({ length: LENGTH }, (_, place) => digitAt(value, LENGTH - 1 - place)).join('')}`
}

/** The lowest id that something made at this time can have. */
export function idFloor(prefix: IdPrefix, at: Date): string {
  return makeId(prefix, new Date(Math.max(at.getTime(), 0)), (bytes) => Buffer.alloc(bytes))
}

const digitAt = (value: bigint, place: number) => DIGITS[Number((value >> BigInt(5 * place)) & 31n)]
