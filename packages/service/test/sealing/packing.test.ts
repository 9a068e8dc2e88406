import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../src/domain/orders/order.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { formatOrder } from '../../src/store/orders/order-text.ts'
import { pack, packOpen, shorten, unpack } from '../../src/store/sealing/packing.ts'
import { TYPICAL_ANSWER, TYPICAL_CONTENT, TYPICAL_LISTS } from '../../src/store/sealing/typical-texts.ts'
import { orderOf } from '../orders/given.ts'

const ORDER = orderOf({
  id: 'ord_01hx3v9m2c8k4t6w0q5r7y1z3b',
  code: 'K7M4-2QXD',
  createdAt: new Date('2026-03-01T12:00:00.000Z'),
  services: [{}, { status: 'negative', specimenId: 'S-1' }, {}],
})

describe('packing', () => {
  test('unpacking returns every JSON text as it was, several together or the first of them', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.json(),
        fc.constantFrom('answer' as const, 'content' as const, 'order' as const),
        (one, two, kind) => {
          const packed = pack(kind, shorten(kind, one), shorten(kind, two), one)
          expect(unpack(packed)).toEqual([one, two, one])
          expect(unpack(packed, { most: 2 })).toEqual([one, two])
          expect(unpack(packed, { most: 1 })).toEqual([one])
        },
      ),
    )
  })

  test('unpacking returns long texts as they were', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('answer' as const, 'content' as const, 'order' as const), (json, kind) => {
        const long = JSON.stringify(Array.from({ length: 2_000 }, () => json))
        const packed = pack(kind, shorten(kind, json), shorten(kind, long))
        expect(unpack(packed)).toEqual([json, long])
        expect(unpack(packed, { most: 1 })).toEqual([json])
        expect(unpack(packOpen(kind, shorten(kind, json), shorten(kind, long)))).toEqual([json, long])
      }),
      { numRuns: 20 },
    )
  })

  test('a finished order of five services takes a seventh of its view', () => {
    const steps = ['ordered', 'scheduled', 'checkedIn', 'collected', 'receivedAtLab', 'testing', 'negative'] as const
    const history = steps.map((status, i) => ({ status, at: new Date(Date.UTC(2026, 2, 1, 12, i * 7, i * 11)) }))
    const services = [...ORDER.services, ...ORDER.services.slice(1)].map((service) => ({
      ...service,
      status: 'negative' as const,
      history,
    }))
    const { packed, length } = packedOrder({ ...ORDER, services })
    expect(packed.length / length).toBeLessThan(1 / 7)
  })

  test('a text that spells out fragments or control characters is unpacked unchanged', () => {
    const { order } = composeView({ ...ORDER, otherTestReason: '","status":"\u0001\u001f\0' })
    const content = JSON.stringify({ ...ORDER, cancelReason: '"}],"screens":[]}{"status":"\u0002' })
    expect(unpack(pack('answer', shorten('answer', order)))).toEqual([order])
    expect(unpack(pack('content', shorten('content', content)))).toEqual([content])
  })

  test('an open order is deflated only if it is very long', () => {
    const deflated = (packed: Buffer) => packed[0]! >= 0x40
    const long = 'a'.repeat(3_000)
    expect([pack('order', long), packOpen('order', long)].map(deflated)).toEqual([true, false])
    expect(deflated(packOpen('order', long, long))).toBe(true)
  })

  test('an order of three services takes less than its view', () => {
    const { packed, length } = packedOrder(ORDER)
    expect(packed.length / length).toBeLessThan(0.9)
  })

  test('values packed by earlier releases can be unpacked: the tables have not changed', () => {
    const everyByte = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('')
    const read = (['answer', 'content', 'order'] as const).map((kind) => unpack(pack(kind, everyByte))[0]!)
    expect([...read, TYPICAL_ANSWER, TYPICAL_CONTENT, TYPICAL_LISTS].map(shortHash)).toEqual([
      '0e519ca5e2a7d3d9',
      '600ee611975b8325',
      '0e519ca5e2a7d3d9',
      '247b177d08c95bc9',
      'a6837789cd0514a8',
      'b7674cc84c03cd7d',
    ])
  })

  test('values deflated by earlier releases can be unpacked: the dictionaries have not changed', () => {
    const answer = 'QZMZbV/AK06kShBSRSDV69BaZLR9AWlfIGrlod28QPgDEsGjrQt4lT/auhhtXYy2LkZbF5S0LgA='
    const content = 'QhMB1zK4apvRqna0qoUkIWyVHLwaHa1qUWq+0ap2tKodrWpHq1q0qhYA'
    const order =
      'Q+2YOwrAMAzF7n/r4k/sZ5LSJUMHjTU0QwhYUrolwcR2wodN+4ucSuirxHFw1YedvPKPC4crvt07lWASpmfQLTyaFzzI6ABAhh7FS0U4O/wMlFIAGrhDMHk1MILJ' +
      'KUisyjGZruMGwcRFW4Gr9btIKyVcEStGzVbxrVAVE6GpGAhGxWCtZoIJwYRgQjAhmGRUIJgQTEqaCSazARBM/hlMHg=='
    // Each refers to the whole of its dictionary.
    expect(unpack(Buffer.from(answer, 'base64'))).toEqual([TYPICAL_ANSWER.replaceAll('\0', '')])
    expect(unpack(Buffer.from(content, 'base64'))).toEqual([TYPICAL_CONTENT])
    expect(unpack(Buffer.from(order, 'base64')).join('')).toBe(`${TYPICAL_LISTS}${TYPICAL_ANSWER}`.replaceAll('\0', ''))
  })

  test('a value that an earlier build deflated without a dictionary is unpacked', () => {
    const { order } = composeView(ORDER)
    const packed = Buffer.concat([Buffer.of(0x81), deflateRawSync(shorten('answer', order))])
    expect(unpack(packed)).toEqual([order])
  })

  test('a value packed by a newer release is refused', () => {
    for (const first of [4, 0x44, 0xc1]) expect(() => unpack(Buffer.from([first, 65]))).toThrow('newer release')
  })
})

/** An order as it is stored, and the length of the view in it. */
function packedOrder(order: Order): { packed: Buffer; length: number } {
  const view = composeView(order)
  const packed = pack('order', shorten('order', view.participant), shorten('order', view.order), formatOrder(order))
  return { packed, length: view.participant.length + view.order.length }
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
