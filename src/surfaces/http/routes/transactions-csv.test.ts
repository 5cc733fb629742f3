import { expect, test } from 'vitest'
import { cellOf } from './transactions-csv.ts'

test.each([
  [null, ''],
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['-0.010000', '-0.010000'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  // A spreadsheet would compute these.
  ['=1+1', "'=1+1"],
  ['-1+1', "'-1+1"],
  ['+1', "'+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\n=1+1', `"'\n=1+1"`],
  ['=HYPERLINK("http://a.example","b")', `"'=HYPERLINK(""http://a.example"",""b"")"`],
])('%j is written as %s', (value, cell) => {
  expect(cellOf(value)).toBe(cell)
})
