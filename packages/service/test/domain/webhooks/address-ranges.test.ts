import { BlockList } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLoopback, whySpecial } from '../../../src/domain/webhooks/address-ranges.ts'
import { body, problemCodes } from '../../support/orders.ts'
import { addressIn, specialHost } from '../../webhooks/addresses.ts'
import { SPECIAL } from './special-ranges.ts'

const ZEROS = new Uint8Array(16)
const ONES = new Uint8Array(16).fill(255)
const familyOf = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4')

/** The ranges as Node reads them; the code under test uses a library. IPv4 apart, since a mapped range contains it all. */
function blockList(ranges: string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [network, bits] = range.split('/') as [string, string]
    lists[familyOf(network)].addSubnet(network, Number(bits), familyOf(network))
  }
  return (address) => lists[familyOf(address)].check(address, familyOf(address))
}

describe('special address ranges', () => {
  const ranges = SPECIAL.map(([range]) => range)
  const v4 = ranges.filter((range) => !range.includes(':'))
  const isSpecial = blockList(ranges)

  test('every address in a special range is refused in any spelling, also inside an IPv6 address', () => {
    fc.assert(
      fc.property(specialHost, (host) => {
        const given = body({ callback: { url: `http://${host}/` } })
        const problems = problemCodes(given, { policy: { production: false, callbackAllow: [] } })
        expect(problems).toEqual(['invalidValue /callback/url'])
      }),
      { numRuns: 2000 },
    )
  })

  test.each(SPECIAL)('the first and the last address of %s are %s', (range, what) => {
    for (const address of [addressIn(range, ZEROS), addressIn(range, ONES)]) {
      // Of IPv6 ranges within each other, the one listed first is reported.
      const first = SPECIAL.find(([other]) => blockList([other])(address))
      const expected = familyOf(range) === 'ipv4' ? what : first![1]
      expect([address, whySpecial(address, [])]).toEqual([address, expected])
    }
  })

  test('the IPv4 addresses next to a special range are allowed', () => {
    for (const range of v4) {
      const neighbours = [bitsOf(addressIn(range, ZEROS)) - 1, bitsOf(addressIn(range, ONES)) + 1]
      for (const bits of neighbours.filter((each) => each >= 0 && each < 2 ** 32)) {
        const address = dotted(bits)
        expect([address, whySpecial(address, []) !== null]).toEqual([address, isSpecial(address)])
      }
    }
  })

  test('every global IPv6 address outside the special ranges is allowed', () => {
    const given = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => addressIn('2000::/3', bytes))
    fc.assert(
      fc.property(given, (address) => {
        expect(whySpecial(address, []) !== null).toBe(isSpecial(address))
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
        expect(whySpecial(ip, []) !== null).toBe(isSpecial(ip))
      }),
      { numRuns: 1000 },
    )
  })

  test('an allowed range allows exactly its addresses', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (network, size, ip) => {
        const range = `${network}/${size}`
        const isOpen = !isSpecial(ip) || blockList([range])(ip)
        expect(whySpecial(ip, [range]) === null).toBe(isOpen)
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

const bitsOf = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.')
