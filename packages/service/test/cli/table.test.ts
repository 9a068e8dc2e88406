import { describe, expect, test } from 'vitest'
import { dim, green } from '../../src/cli/output/colors.ts'
import { sheet, table } from '../../src/cli/output/table.ts'

const AT = '2027-01-31T12:00:00.000Z'
const ID = 'ord_01hx3v9m2c8k4t6w0q5r7y1z3b'

describe('tables', () => {
  test('columns have names, which are no wider than their cells need', () => {
    expect(table([['K7M4-2QXD', 'ordered']], { head: ['Order', 'Status'] })).toBe(
      `${dim('Order')}      ${dim('Status')}\nK7M4-2QXD  ordered`,
    )
  })

  test('cells are aligned by what is visible of them', () => {
    expect(
      table([
        [green('ok'), 'a'],
        ['failed', 'b'],
      ]),
    ).toBe(`${green('ok')}      a\nfailed  b`)
  })

  test('nothing is cut outside of a terminal', () => {
    const long = 'x'.repeat(500)
    expect(table([[AT, ID, long]])).toBe(`${AT}  ${ID}  ${long}`)
  })

  test('long texts are cut to the width of a terminal, and keep their color', () => {
    expect(table([['K7M4-2QXD', green('x'.repeat(100)), 'end']], { width: 60 })).toBe(
      `K7M4-2QXD  ${green(`${'x'.repeat(43)}…`)}  end`,
    )
  })

  test('ids and times are never cut: columns that do not fit go on in another line', () => {
    const rows = [
      ['K7M4-2QXD', dim(AT), ID, 'a short text'],
      ['P3WT-9HC4', dim(AT), ID, ''],
    ]
    expect(table(rows, { width: 60 })).toBe(
      [`K7M4-2QXD  ${dim(AT)}`, `    ${ID}  a short text`, `P3WT-9HC4  ${dim(AT)}`, `    ${ID}`].join('\n'),
    )
  })

  test('the values of a sheet are continued below their beginning', () => {
    const rows = [
      ['Order', 'K7M4-2QXD'],
      ['Reason', 'one two three four five six seven'],
    ]
    expect(sheet(rows, 32)).toBe('Order   K7M4-2QXD\nReason  one two three four five\n        six seven')
    expect(sheet(rows)).toBe('Order   K7M4-2QXD\nReason  one two three four five six seven')
  })
})
