import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { TYPICAL_ANSWER, TYPICAL_CONTENT, TYPICAL_LISTS } from './typical-texts.ts'

/**
 * Compresses the JSON of an order before it is sealed, since the database cannot compress sealed bytes. Fragments common to all
 * views become one control character each, which JSON never contains. What is still long when the order is closed, because of its
 * history, is deflated as well, with what orders typically contain as dictionary.
 *
 * Deflate takes longer than all else (figures in docs/decisions/0022-at-rest.md), so open orders do without. Without packing rows
 * are twice as large; nothing else depends on it.
 */

/** At most 31 per table, for the bytes 1 to 31. Never change a table: stored values were packed with it. Add another instead. */
const ANSWERS = [
  '{"groupType":"ordered","object":"orderServiceStatusHistory","occurredAt":"',
  '","object":"orderServiceStatusHistory","occurredAt":"',
  '{"groupType":"',
  '","status":"',
  '"}],"statusUpdatedAt":"',
  '"},{"groupType":"',
  '","trackingNumber":null}',
  '{"attributes":{"category":"',
  '","type":"',
  '"},"courierServiceName":null,"id":"',
  '","isDot":true,"isFinal":',
  '","isDot":false,"isFinal":',
  ',"lab":{"id":"',
  ',"lab":null,"name":"',
  '","object":"vendor","type":"lab"},"name":"',
  '","object":"orderService","screenHistory":[',
  '],"specimenId":null,"status":"',
  '","statusHistory":[',
  '","name":"',
  '","object":"company","url":"/api/v2/companies/',
  '"},"createdAt":"',
  '","expiresAt":',
  '"jobCategory":null,"location":{"id":"',
  '","object":"location","url":"/api/v2/locations/',
  '"},"object":"order","otherTestReason":null,"packages":[{"id":"',
  '","object":"package","url":"/api/v2/packages/',
  '"}],"services":[',
  '","testReason":"',
  '","updatedAt":"',
  '","url":"/api/v2/orders/ord_',
  ',"issuingCountry":null,"issuingState":null,"object":"participantIdentifier"}',
]

const CONTENTS = [
  '{"status":"',
  '","at":"',
  '"},{"status":"',
  '"}],"screens":[]}',
  '"}],"screens":[',
  '","serviceId":"',
  '","name":"',
  '","category":"',
  '","type":"',
  '","isDot":false,"requiresMro":false,"lab":',
  '","isDot":false,"requiresMro":true,"lab":',
  '","isDot":true,"requiresMro":true,"lab":',
  '"},"status":"',
  'null,"status":"',
  '","statusUpdatedAt":"',
  '","specimenId":null,"courierServiceName":null,"trackingNumber":null,"history":[',
  '","specimenId":"',
  '"},"location":{"id":"',
  '"},"packages":[{"id":"',
  '"}],"agencyId":null,"jobCategoryId":null,"testReason":"',
  '","otherTestReason":null,"observed":false,"source":"api","clinic":',
  ',"isBooked":false,"appointmentAt":null,"services":[',
  '],"participant":{"firstName":"',
  '","lastName":"',
  '","middleName":null,"address":{"',
  '","issuingCountry":null,"issuingState":null}',
  ']},"requester":{"email":"',
  '","middleName":null,"phone":',
  '},"delivery":{"type":"email","to":"',
  '","cc":[]},"scheduling":{"option":"',
  ',"billingCode":null,"ended":null,"cancelReason":null,"status":"',
]

interface Packing {
  fragments: readonly string[]
  fragment: RegExp
  bytes: ReadonlyMap<string, string>
  /** What deflate refers to. */
  dictionary: Buffer
}

/** The first byte of a packed value. Earlier builds wrote an answer and a content for each order, which are still read. */
const KINDS = { answer: 1, content: 2, order: 3 } as const
type Kind = keyof typeof KINDS
const BY_KIND: readonly (Packing | undefined)[] = [
  undefined,
  packingWith(ANSWERS, TYPICAL_ANSWER),
  packingWith(CONTENTS, TYPICAL_CONTENT),
  packingWith(ANSWERS, `${TYPICAL_LISTS}${TYPICAL_ANSWER}`),
]

/** Set in the first byte of a value whose rest is deflated: without a dictionary, as earlier builds did, or with it. */
const DEFLATED = 0x80
const DEFLATED_WITH_DICTIONARY = 0x40
const FLAGS = DEFLATED | DEFLATED_WITH_DICTIONARY

/** A window that holds the dictionary and most orders. */
const DEFLATE = { level: 1, windowBits: 13, memLevel: 5 }

/**
 * From this many bytes on, a value is deflated. Most finished orders of three services are longer. One that is open is written
 * again and again, so it is deflated only if it would hardly fit a page otherwise.
 */
const LONG = { closed: 2_600, open: 5_000 }

/** Separates texts that are packed together. */
const END = '\0'

const PACKED = /[\u0001-\u001F]/g

/** Replaces the known fragments of a text. */
export function shorten(kind: Kind, text: string): string {
  return shortenWith(BY_KIND[KINDS[kind]]!, text)
}

function shortenWith({ fragment, bytes }: Pick<Packing, 'fragment' | 'bytes'>, text: string): string {
  return text.replace(fragment, (found) => bytes.get(found)!)
}

/** Packs shortened texts of one kind together. */
export const pack = (kind: Kind, ...shortened: string[]): Buffer => packFrom(LONG.closed, kind, shortened)

/** The same, for an order that will be written again. */
export const packOpen = (kind: Kind, ...shortened: string[]): Buffer => packFrom(LONG.open, kind, shortened)

function packFrom(long: number, kind: Kind, shortened: string[]): Buffer {
  const text = shortened.join(END)
  if (Buffer.byteLength(text) < long) return Buffer.from(String.fromCharCode(KINDS[kind]) + text)
  const { dictionary } = BY_KIND[KINDS[kind]]!
  const first = Buffer.of(KINDS[kind] | DEFLATED_WITH_DICTIONARY)
  return Buffer.concat([first, deflateRawSync(text, { ...DEFLATE, dictionary })])
}

/** The texts that were packed together, or the first of them. */
export function unpack(packed: Buffer, { most = Number.POSITIVE_INFINITY } = {}): string[] {
  const isFlaggedTwice = (packed[0]! & FLAGS) === FLAGS
  const packing = isFlaggedTwice ? undefined : BY_KIND[packed[0]! & ~FLAGS]
  if (!packing) throw new Error('This value was packed by a newer release.')
  const bytes = inflate(packed, packing)
  const text = bytes.toString('utf8', 0, endOf(bytes, most))
  return text.replace(PACKED, (byte) => packing.fragments[byte.charCodeAt(0) - 1]!).split(END)
}

/** Where the first texts end. */
function endOf(bytes: Buffer, count: number): number {
  let end = -1
  for (let i = 0; i < count; i++) {
    end = bytes.indexOf(END, end + 1)
    if (end === -1) return bytes.length
  }
  return end
}

function inflate(packed: Buffer, { dictionary }: Packing): Buffer {
  const rest = packed.subarray(1)
  if (packed[0]! & DEFLATED_WITH_DICTIONARY) return inflateRawSync(rest, { dictionary })
  return packed[0]! & DEFLATED ? inflateRawSync(rest) : rest
}

function packingWith(fragments: readonly string[], typical: string): Packing {
  // Longest first: of several fragments with the same beginning, the longest saves most.
  const longestFirst = fragments.toSorted((a, b) => b.length - a.length)
  const literal = longestFirst.map((fragment) => fragment.replaceAll(/[[\]{}.?*+^$()|\\/]/g, String.raw`\$&`))
  const fragment = new RegExp(literal.join('|'), 'g')
  const bytes = new Map(fragments.map((text, i) => [text, String.fromCharCode(i + 1)]))
  return { fragments, fragment, bytes, dictionary: Buffer.from(shortenWith({ fragment, bytes }, typical)) }
}
