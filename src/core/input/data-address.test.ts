import { expect, test } from 'vitest'
import {
  base64Pattern,
  isBase64,
  mayBeBase64,
  readDataAddress,
  splitDataAddress,
} from './data-address.ts'

test('an address is read with its type and data', () => {
  const address = { mediaType: 'image/png', data: 'iVBORw==' }
  expect(readDataAddress('data:image/png;base64,iVBORw==')).toEqual(address)
  expect(splitDataAddress('data:image/png;base64,not base64')).toMatchObject({ data: 'not base64' })
})

test.each([
  '',
  'https://a.example/',
  'data:image/png,x',
  'data:image/png;base64,',
  'data:;base64,AA',
])('no address: %s', (text) => expect(readDataAddress(text)).toBeUndefined())

test.each([
  'A',
  'AA=',
  'AA==',
  'A'.repeat(65_536),
  `${'A'.repeat(65_535)}==`,
  `${'A'.repeat(65_536)}=`,
])('base64', (text) => expect(isBase64(text)).toBe(true))

test.each([
  '',
  '=',
  '==',
  'A===',
  'A=A',
  'AA\n',
  'ü',
  `${'A'.repeat(65_535)}=A`,
  `${'A'.repeat(65_535)}===`,
])('no base64', (text) => expect(isBase64(text)).toBe(false))

test('a long text is read however often shorter ones were', () => {
  for (let count = 0; count < 2_000; count += 1) isBase64(`AAAA${count}`)
  expect(isBase64('A'.repeat(60_000_000))).toBe(true)
})

test.each([
  '',
  '=',
  '==',
  '===',
  'A',
  'AA==',
  'A===',
  'A=A',
  'AA\n',
  'A_-',
  `${'A'.repeat(65_536)}=`,
  `${'A'.repeat(65_536)}_`,
])('what may be base64 is what the published pattern says', (text) => {
  expect(mayBeBase64(text)).toBe(new RegExp(base64Pattern).test(text))
  expect(mayBeBase64(text, 'any')).toBe(/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
})
