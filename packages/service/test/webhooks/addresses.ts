import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { SPECIAL } from '../domain/webhooks/special-ranges.ts'

/** Any special address, as a resolver would return it. */
export const specialAddress: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...SPECIAL), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(([[range], random]) => addressIn(range, random))

/** The host of a URL with such an address, in one of the spellings that URL parsers accept. */
export const specialHost: fc.Arbitrary<string> = specialAddress.chain((address) =>
  address.includes(':') ? spellingsOf6(address) : spellingsOf4(address),
)

/** An address of the range, with its free bits from the 16 given bytes. */
export function addressIn(range: string, bytes: Uint8Array): string {
  const [network, bits] = ipaddr.parseCIDR(range)
  const filled = network.toByteArray().map((byte, i) => {
    const fixed = Math.min(8, Math.max(0, bits - 8 * i))
    const free = 0xff >> fixed
    return (byte & ~free) | (bytes[i]! & free)
  })
  return ipaddr.fromByteArray(filled).toString()
}

function spellingsOf6(address: string): fc.Arbitrary<string> {
  const read = ipaddr.IPv6.parse(address)
  const texts = [read.toString(), read.toNormalizedString(), address.toUpperCase()]
  return fc.constantFrom(...texts.map((text) => `[${text}]`))
}

function spellingsOf4(address: string): fc.Arbitrary<string> {
  const octets = address.split('.').map(Number)
  const radixes = fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 })
  const numbers = fc.tuple(fc.integer({ min: 1, max: 4 }), radixes, fc.constantFrom(...DRESSES))
  const [a, b, c, d] = octets.map((octet) => octet.toString(16).padStart(2, '0')) as [string, string, string, string]
  return fc.oneof(
    numbers.map(([parts, radix, dress]) => dress(inParts(octets, parts, radix))),
    fc.constantFrom(
      `[::ffff:${address}]`,
      `[::FFFF:${a}${b}:${c}${d}]`,
      `[0:0:0:0:0:ffff:${a}${b}:${c}${d}]`,
      `[::${address}]`,
      `[64:ff9b::${a}${b}:${c}${d}]`,
      `[2002:${a}${b}:${c}${d}::]`,
    ),
  )
}

/** One to four numbers, each in its radix; the last one covers the remaining octets. */
function inParts(octets: number[], parts: number, radixes: number[]): string {
  const last = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0)
  return [...octets.slice(0, parts - 1), last]
    .map((part, i) => PREFIX[radixes[i]!] + part.toString(radixes[i]))
    .join('.')
}

const PREFIX: Record<number, string> = { 8: '0', 10: '', 16: '0x' }

/** Other characters that URL parsers read as the same ones. */
const DRESSES: ((text: string) => string)[] = [
  (text) => text,
  (text) => `${text}.`,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll('.', '。'),
  (text) => text.replaceAll(/\d/g, (digit) => `%3${digit}`),
  (text) => text.replaceAll(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)]!),
  (text) => text.replaceAll(/[0-9a-z]/g, (char) => String.fromCodePoint(char.codePointAt(0)! + 0xfee0)),
]
