import { expect, test } from 'vitest'
import { cell } from '../src/parts/csv.ts'

test.each([
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['+1 630 555 0142', "'+1 630 555 0142"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1', "'  =1"],
  ['\t=1', "'\t=1"],
  ['Prairie Arrow, Inc.', '"Prairie Arrow, Inc."'],
  ['K7M4-2QXD', 'K7M4-2QXD'],
  ['', ''],
])('the cell %j is written as %s, so that no spreadsheet runs it', (value, written) => {
  expect(cell(value)).toBe(written)
})
