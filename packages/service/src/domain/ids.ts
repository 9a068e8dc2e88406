/** Crockford's base 32 in lower case: sortable, and without letters that look like digits. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16

export type IdPrefix =
  | 'ord'
  | 'evt'
  | 'dlv'
  | 'cbk'
  | 'rsl'
  | 'rfm'
  | 'doc'
  | 'aud'
  | 'msg'
  | 'mbx'
  | 'sim'
  | 'req'
  | 'hlp'
  | 'agr'
  | 'sup'
  | 'tsk'
  | 'usr'
  | 'ses'
  | 'psk'
  | 'vew'

/** An id that sorts by creation time: 48 bits of milliseconds, then 80 random bits. */
export function makeId(prefix: IdPrefix, now: Date, random: (bytes: number) => Uint8Array): string {
  let text = ''
  for (let time = now.getTime(), place = 0; place < TIME_LENGTH; place++) {
    text = DIGITS[time % 32]! + text
    time = Math.floor(time / 32)
  }
  for (const byte of random(RANDOM_LENGTH)) text += DIGITS[byte % 32]!
  return `${prefix}_${text}`
}

/** The id of an order service contains the id of its order. */
export const serviceIdOf = (orderId: string, place: number) => `osv_${orderId.slice('ord_'.length)}_${place}`

/** The id of the order that a service id belongs to; undefined for an invalid id. */
export function orderIdOf(serviceId: string): string | undefined {
  const [, order] = /^osv_([0-9a-z]{26})_\d{1,4}$/.exec(serviceId) ?? []
  return order === undefined ? undefined : `ord_${order}`
}

/** The lowest id of anything created at this time. */
export function idFloor(prefix: IdPrefix, at: Date): string {
  return makeId(prefix, new Date(Math.max(at.getTime(), 0)), (bytes) => new Uint8Array(bytes))
}
