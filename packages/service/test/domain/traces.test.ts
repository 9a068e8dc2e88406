import { describe, expect, test } from 'vitest'
import { composeTraceparent, readTrace } from '../../src/domain/traces.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

describe('traceparent', () => {
  test.each([
    [`00-${ID}-${PARENT}-01`, `${ID}-01`],
    [`00-${ID}-${PARENT}-00`, `${ID}-00`],
    // Flags that version 00 does not know are not passed on.
    [`00-${ID}-${PARENT}-ff`, `${ID}-01`],
    // A later version may have more members.
    [`cc-${ID}-${PARENT}-01`, `${ID}-01`],
    [`cc-${ID}-${PARENT}-01-what-the-future-brings`, `${ID}-01`],
  ])('%s belongs to the trace %s', (header, trace) => {
    expect(readTrace(header)).toBe(trace)
  })

  test.each([
    [''],
    ['00'],
    [`00-${ID}-${PARENT}`],
    [`00-${ID}-${PARENT}-1`],
    [`00-${ID}-${PARENT}-01-more`],
    [`00-${ID}-${PARENT}-01-`],
    [`cc-${ID}-${PARENT}-01.more`],
    [`ff-${ID}-${PARENT}-01`],
    [`0-${ID}-${PARENT}-01`],
    [`00-${ID.toUpperCase()}-${PARENT}-01`],
    [`00-${ID}-${PARENT.toUpperCase()}-01`],
    [`00-${'0'.repeat(32)}-${PARENT}-01`],
    [`00-${ID}-${'0'.repeat(16)}-01`],
    [`00-${ID.slice(1)}-${PARENT}-01`],
    [`00-${ID}0-${PARENT}-01`],
    [`00-${ID.slice(1)}g-${PARENT}-01`],
    [` 00-${ID}-${PARENT}-01`],
    [`00-${ID}-${PARENT}-01, 00-${ID}-${PARENT}-01`],
    [`cc-${ID}-${PARENT}-01-${'a'.repeat(10_000)}`],
  ])('the invalid header %s is ignored', (header) => {
    expect(readTrace(header)).toBeUndefined()
  })

  test('a request of the trace has the same trace id and flags, and its own parent id', () => {
    expect(composeTraceparent(`${ID}-01`, 'b7ad6b7169203331')).toBe(`00-${ID}-b7ad6b7169203331-01`)
  })
})
