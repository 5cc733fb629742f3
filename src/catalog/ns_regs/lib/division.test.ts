import { expect, test } from 'vitest'
import { readDivision } from './division.ts'

test('table cells and note headings stay separate words', () => {
  const { text } = readDivision(
    '<DIV8><HEAD>§ 1.1 Limits.</HEAD><AUTH><HED>Authority:</HED><PSPACE>21 U.S.C. 321.</PSPACE></AUTH>' +
      '<TABLE><TR><TH>Gas</TH><TH>Limit</TH></TR><TR><TD>CO<sub>2</sub></TD><TD>9</TD></TR></TABLE></DIV8>',
  )
  expect(text.split('\n')).toEqual([
    '§ 1.1 Limits.',
    'Authority: 21 U.S.C. 321.',
    'Gas Limit',
    'CO2 9',
  ])
})
