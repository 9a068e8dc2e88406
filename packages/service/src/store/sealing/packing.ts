/**
 * Makes the JSON texts of an order shorter before they are sealed, since the database cannot compress sealed bytes: an order of three
 * services takes a third of the room. Fragments that every order has become one byte each; JSON has no such bytes of its own.
 *
 * Deflating them would save a little more room, but opening them for a read would take three times as long
 * (docs/decisions/0022-at-rest.md has the figures). Without it rows grow to twice their size, and nothing else changes.
 */

/** At most 31 each, for the bytes 1 to 31. Never change one: what is stored was packed with it. Add another table instead. */
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
}

/** By the first byte of what is packed. */
const KINDS = { answer: 1, content: 2 } as const
type Kind = keyof typeof KINDS
const BY_KIND: readonly (Packing | undefined)[] = [undefined, packingWith(ANSWERS), packingWith(CONTENTS)]

/** Parts one text from the next. */
const END = '\0'

const PACKED = /[\u0001-\u001F]/g

/** A shorter text. */
export function shorten(kind: Kind, text: string): string {
  const { fragment, bytes } = BY_KIND[KINDS[kind]]!
  return text.replace(fragment, (found) => bytes.get(found)!)
}

/** Shortened texts of one kind together, as bytes. */
export const pack = (kind: Kind, ...shortened: string[]): Buffer =>
  Buffer.from(String.fromCharCode(KINDS[kind]) + shortened.join(END))

/** The texts that were packed together; `first` leaves out all but the first. */
export function unpack(packed: Buffer, { first = false } = {}): string[] {
  const packing = BY_KIND[packed[0]!]
  if (!packing) throw new Error('This value was packed by a later release.')
  const end = first ? packed.indexOf(0, 1) : -1
  const text = packed.toString('utf8', 1, end === -1 ? packed.length : end)
  return text.replace(PACKED, (byte) => packing.fragments[byte.charCodeAt(0) - 1]!).split(END)
}

function packingWith(fragments: readonly string[]): Packing {
  // The longest first: of several that begin alike, the one that saves most.
  const longestFirst = fragments.toSorted((a, b) => b.length - a.length)
  const literal = longestFirst.map((fragment) => fragment.replaceAll(/[[\]{}.?*+^$()|\\/]/g, String.raw`\$&`))
  return {
    fragments,
    fragment: new RegExp(literal.join('|'), 'g'),
    bytes: new Map(fragments.map((fragment, i) => [fragment, String.fromCharCode(i + 1)])),
  }
}
