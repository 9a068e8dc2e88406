import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopback, whySpecial } from '../../../src/domain/webhooks/address-ranges.ts'
import { whySpecialHost } from '../../../src/domain/webhooks/callbacks.ts'
import { body, problemCodes } from '../../support/orders.ts'
import { SPECIAL } from './special-ranges.ts'

const to = (url: string) =>
  problemCodes(body({ callback: { url } }), { policy: { production: false, callbackAllow: [] } })

describe('special address ranges', () => {
  const ranges = SPECIAL.map(([range]) => range)
  const v4 = ranges.filter((range) => !range.includes(':'))
  const v6 = ranges.filter((range) => range.includes(':'))
  const v4Within = fc.constantFrom(...v4).chain((range) => within(range, bitsOf4, 32))
  const v6Within = fc.constantFrom(...v6).chain((range) => within(range, bitsOf6, 128))
  const radix = fc.constantFrom(8, 10, 16)

  test('every IPv4 address in a special range is refused in any spelling', () => {
    fc.assert(
      fc.property(
        v4Within,
        fc.array(radix, { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        circled(),
        (bits, radixes, parts, dress) => {
          const url = `http://${dress(spell4(bits, radixes, parts))}/`
          expect(to(url)).toEqual(['invalidValue /callback/url'])
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('every IPv6 address in a special range is refused in any spelling', () => {
    fc.assert(
      fc.property(v6Within, fc.boolean(), fc.boolean(), (bits, upper, dotted) => {
        const text = spell6(bits, dotted)
        expect(to(`http://[${upper ? text.toUpperCase() : text}]/`)).toEqual(['invalidValue /callback/url'])
      }),
      { numRuns: 1000 },
    )
  })

  test('an IPv4 address in a special range is refused inside an IPv6 address', () => {
    const carriers = [
      (ip: bigint) => (0xffffn << 32n) | ip,
      (ip: bigint) => (0x64ff9bn << 96n) | ip,
      (ip: bigint) => (0x2002n << 112n) | (ip << 80n),
    ]
    fc.assert(
      fc.property(v4Within, fc.constantFrom(...carriers), (bits, carry) => {
        expect(whySpecialHost(`[${spell6(carry(bits), false)}]`, [])).not.toBeNull()
      }),
    )
  })

  test.each(SPECIAL)('the first and the last address of %s are %s', (range, what) => {
    const isV4 = !range.includes(':')
    const [network = '', fixed] = range.split('/')
    const free = BigInt((isV4 ? 32 : 128) - Number(fixed))
    const first = isV4 ? bitsOf4(network) : bitsOf6(network)
    const spell = (bits: bigint) => (isV4 ? dotted4(bits) : spell6(bits, false))
    const last = first | ((1n << free) - 1n)
    // Where ranges lie within each other, the one that is listed first is told.
    const narrower = (bits: bigint) =>
      isV4 ? undefined : SPECIAL.find(([other]) => other.includes(':') && contains6(other, bits))?.[1]
    expect(whySpecial(spell(first), [])).toBe(narrower(first) ?? what)
    expect(whySpecial(spell(last), [])).toBe(narrower(last) ?? what)
  })

  test('the IPv4 addresses next to a special range are allowed', () => {
    for (const range of v4) {
      const [network = '', fixed] = range.split('/')
      const first = bitsOf4(network)
      const after = first + (1n << BigInt(32 - Number(fixed)))
      for (const bits of [first - 1n, after].filter((each) => each >= 0n && each < 1n << 32n)) {
        const inside = v4.some((other) => contains(other, dotted4(bits)))
        expect([dotted4(bits), whySpecial(dotted4(bits), []) !== null]).toEqual([dotted4(bits), inside])
      }
    }
  })

  test('every global IPv6 address outside the special ranges is allowed', () => {
    const given = fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n })
    fc.assert(
      fc.property(given, (bits) => {
        const inside = v6.some((range) => contains6(range, bits))
        expect(whySpecial(spell6(bits, false), []) !== null).toBe(inside)
      }),
      { numRuns: 1000 },
    )
    for (const ip of ['2600::1', '2001:200::1', '2001:4860:4860::8888', '2003::1', '3ffe::1', '2620:4f:7fff::1'])
      expect([ip, whySpecial(ip, [])]).toEqual([ip, null])
  })

  test('an IPv4-mapped address is allowed only by a range that contains the embedded address', () => {
    expect(whySpecial('::ffff:10.0.0.1', ['10.0.0.0/8'])).toBeNull()
    expect(whySpecial('::ffff:10.0.0.1', ['::/0'])).toBe('IPv4-mapped')
    expect(whySpecial('64:ff9b::a00:1', ['10.0.0.0/8'])).toBe('NAT64')
    expect(whySpecial('10.0.0.1', ['::/0'])).toBe('private')
    expect(whySpecial('fd00::1', ['10.0.0.0/8', 'fc00::/7'])).toBeNull()
  })

  test('loopback addresses are recognised in IPv4 and IPv6', () => {
    for (const ip of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect([ip, isLoopback(ip)]).toEqual([ip, true])
    for (const ip of ['126.0.0.1', '10.0.0.1', '::2', '::ffff:10.0.0.1', 'localhost', ''])
      expect([ip, isLoopback(ip)]).toEqual([ip, false])
  })

  test('every IPv4 address outside the special ranges is allowed', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const inside = v4.some((range) => contains(range, ip))
        expect(whySpecial(ip, []) !== null).toBe(inside)
      }),
      { numRuns: 1000 },
    )
  })

  test('an allowed range allows exactly its addresses', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (network, size, ip) => {
        const range = `${network}/${size}`
        const open = !v4.some((special) => contains(special, ip)) || contains(range, ip)
        expect(whySpecial(ip, [range]) === null).toBe(open)
      }),
      { numRuns: 1000 },
    )
  })

  test('text that is not an address is refused', () => {
    expect(whySpecial('nowhere', ['0.0.0.0/0', '::/0'])).toBe('not readable')
  })

  test('an address with a zone is judged without the zone', () => {
    expect(whySpecial('fe80::1%eth0', [])).toBe('link-local')
  })
})

/** The addresses of a range, as numbers. */
function within(range: string, bitsOf: (text: string) => bigint, size: number): fc.Arbitrary<bigint> {
  const [network = '', fixed] = range.split('/')
  const free = BigInt(size - Number(fixed))
  return fc.bigInt({ min: 0n, max: (1n << free) - 1n }).map((rest) => ((bitsOf(network) >> free) << free) | rest)
}

function contains(range: string, ip: string): boolean {
  const [network, fixed] = range.split('/') as [string, string]
  const free = BigInt(32 - Number(fixed))
  return bitsOf4(network) >> free === bitsOf4(ip) >> free
}

function contains6(range: string, bits: bigint): boolean {
  const [network, fixed] = range.split('/') as [string, string]
  const free = BigInt(128 - Number(fixed))
  return bitsOf6(network) >> free === bits >> free
}

const dotted4 = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')

function bitsOf4(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function bitsOf6(text: string): bigint {
  const [head = '', tail = ''] = text.split('::')
  const [left, right] = [head, tail].map((half) => half.split(':').filter((part) => part !== '')) as [
    string[],
    string[],
  ]
  const middle = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...middle, ...right].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n)
}

/** In one to four parts, the last of which takes what is left, each in its own radix. */
function spell4(bits: bigint, radixes: number[], parts: number): string {
  const octets = [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n)
  const last = octets.slice(parts - 1).reduce((sum, octet) => sum * 256n + octet, 0n)
  return [...octets.slice(0, parts - 1), last]
    .map((part, i) => ({ 8: '0', 10: '', 16: '0x' })[radixes[i] as 8 | 10 | 16] + part.toString(radixes[i]))
    .join('.')
}

function spell6(bits: bigint, dotted: boolean): string {
  const parts = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  if (!dotted) return parts.join(':')
  const octets = [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n)
  return `${parts.slice(0, 6).join(':')}:${octets.join('.')}`
}

/** Other characters that browsers and URL parsers read as the same digits and dots. */
function circled(): fc.Arbitrary<(text: string) => string> {
  const wide = (text: string) =>
    text.replaceAll(/[0-9a-zA-Z]/g, (char) => String.fromCodePoint(char.codePointAt(0)! + 0xfee0))
  return fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `${text}.`,
    wide,
    (text) => text.replaceAll('.', '。'),
    (text) => text.replaceAll(/[0-9]/g, (digit) => `%3${digit}`),
  )
}
