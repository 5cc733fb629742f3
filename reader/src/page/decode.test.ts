import { expect, test } from 'vitest'
import { decodeText } from './decode.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
const latin = bytes('<meta charset="windows-1252"><p>Caf', [0xe9], ' ', [0x80], '5')
const shiftJis = [0x93, 0xfa, 0x96, 0x7b]
/** Seven bits wide, so that it is valid UTF-8 as well. */
const iso2022 = bytes([0x1b], '$BF|K\\', [0x1b], '(B')
const koi8 = [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]

test.each([
  ['declared by the page', latin, undefined, 'Café €5'],
  ['declared by the header', bytes('<p>', shiftJis), 'text/html; charset=Shift_JIS', '日本'],
  [
    'declared by meta http-equiv',
    bytes('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>', koi8),
    'text/html',
    'Привет',
  ],
  [
    'of seven bits, declared by the page',
    bytes('<meta charset="iso-2022-jp"><p>', iso2022.toString('latin1')),
    'text/html',
    '日本',
  ],
  [
    'of seven bits, declared by the header',
    bytes('<p>', iso2022.toString('latin1')),
    'text/html; charset=ISO-2022-JP',
    '日本',
  ],
  ['UTF-8 that says so', Buffer.from('<p>naïve 日本'), 'text/html; charset=utf-8', 'naïve 日本'],
  ['UTF-8 that says nothing', Buffer.from('<p>naïve 日本'), undefined, 'naïve 日本'],
  [
    'UTF-8 that says latin1',
    Buffer.from('<meta charset=iso-8859-1><p>naïve'),
    'text/html; charset=iso-8859-1',
    'naïve',
  ],
  ['UTF-8 with a mark', Buffer.from('\ufeff<p>naïve'), undefined, 'naïve'],
  ['UTF-16 with a mark', Buffer.from('\ufeff<p>naïve', 'utf16le'), undefined, 'naïve'],
  [
    'UTF-16 from the other end',
    Buffer.from('\ufeff<p>naïve', 'utf16le').swap16(),
    undefined,
    'naïve',
  ],
  ['UTF-16 without a mark', Buffer.from('<html><p>naïve', 'utf16le'), undefined, 'naïve'],
  ['UTF-8 with a stray zero', Buffer.from('<p>\0 naïve 日本'), undefined, 'naïve 日本'],
  [
    'of one byte a letter, with a stray zero',
    bytes('<meta charset="koi8-r"><p>\0', koi8),
    undefined,
    'Привет',
  ],
  ['undeclared and not UTF-8', bytes('<p>Caf', [0xe9]), undefined, 'Café'],
  ['an unknown encoding', bytes('<p>Caf', [0xe9]), 'text/html; charset=klingon', 'Café'],
])('%s', (_name, body, contentType, text) => {
  const decoded = decodeText(body, contentType).text
  expect(decoded).toContain(text)
  expect(decoded).not.toContain('\ufeff')
})

test('a stray byte in UTF-8 does not turn the page into another language', () => {
  const body = Buffer.concat([
    Buffer.from('<meta charset="utf-8"><p>naïve '),
    Buffer.from([0xff]),
    Buffer.from(' 日本'),
  ])
  expect(decodeText(body, 'text/html').text).toContain('naïve \ufffd 日本')
})

test('an empty body becomes empty text', () => {
  expect(decodeText(Buffer.alloc(0), undefined)).toEqual({ text: '', charset: 'utf-8' })
})
