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

/** Ordinary sentences, in charsets that they are published in. */
const sentences = {
  'windows-1251': 'Вчера вечером мельник закрыл мельницу и пересчитал мешки с мукой.',
  'koi8-r': 'Вчера вечером мельник закрыл мельницу и пересчитал мешки с мукой.',
  'iso-8859-5': 'Вчера вечером мельник закрыл мельницу и пересчитал мешки с мукой.',
  shift_jis: '昨日の夜、粉屋は水車小屋を閉めて、小麦粉の袋を数えました。',
  'euc-jp': '昨日の夜、粉屋は水車小屋を閉めて、小麦粉の袋を数えました。',
  gbk: '昨天晚上，磨坊主关上了磨坊的门，数了数剩下的面粉袋。',
  big5: '昨天晚上，磨坊主關上了磨坊的門，數了數剩下的麵粉袋。',
  'euc-kr': '어제 저녁 방앗간 주인은 문을 닫고 남은 밀가루 자루를 세었다.',
  'iso-8859-2': 'Včera večer mlynář zavřel mlýn a spočítal pytle s moukou, které ještě zbývaly.',
  'windows-1250':
    'Wczoraj wieczorem młynarz zamknął młyn i policzył wszystkie worki z mąką żytnią.',
  'iso-8859-7': 'Χθες το βράδυ ο μυλωνάς έκλεισε τον μύλο και μέτρησε τα σακιά με το αλεύρι.',
  'windows-1254': 'Dün akşam değirmenci değirmeni kapattı ve kalan un çuvallarını saydı.',
  'windows-1252':
    'Hier soir, le meunier a fermé le moulin et compté les sacs de farine qui restaient.',
} as const

const encoders = new Map<string, Map<string, number[]>>()
function encode(text: string, charset: string): Buffer {
  const encoder = encoders.get(charset) ?? encoderOf(charset)
  encoders.set(charset, encoder)
  return Buffer.from([...text].flatMap((character) => encoder.get(character) ?? missing(character)))
}

/** From the decoder: what each byte, and each pair of bytes, stands for. */
function encoderOf(charset: string): Map<string, number[]> {
  const decoder = new TextDecoder(charset)
  const encoder = new Map<string, number[]>()
  const note = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !encoder.has(text)) encoder.set(text, bytes)
  }
  for (let byte = 0; byte < 0x100; byte += 1) note(byte)
  for (let lead = 0x81; lead < 0xff; lead += 1)
    for (let trail = 0x40; trail < 0xff; trail += 1) note(lead, trail)
  return encoder
}

function missing(character: string): never {
  throw new Error(`The charset has no ${character}.`)
}

const page = (charset: string, text: string) =>
  encode(
    `<html><head><script>var a = 1 < 2</script></head><body><p>${text}</p></body></html>`,
    charset,
  )

test.each(Object.entries(sentences))('%s is read by its content', (charset, text) => {
  expect(decodeText(page(charset, text), 'text/html').text).toContain(text)
})

test.each([
  ['euc-jp', 'utf-8'],
  ['windows-1251', 'utf-8'],
  ['gbk', 'utf-8'],
  ['shift_jis', 'euc-jp'],
  ['koi8-r', 'iso-2022-jp'],
  ['big5', 'klingon'],
] as const)('%s is read by its content where the header says %s', (charset, declared) => {
  const text = sentences[charset]
  const { text: decoded } = decodeText(page(charset, text), `text/html; charset=${declared}`)
  expect(decoded).toContain(text)
})

test.each([
  ['windows-1251', 'iso-8859-1', 'windows-1251'],
  ['windows-1251', 'windows-1251', 'iso-8859-1'],
  ['shift_jis', 'euc-jp', 'shift_jis'],
  ['koi8-r', 'windows-1251', 'koi8-r'],
  ['gbk', 'gbk', 'big5'],
  ['windows-1254', 'iso-8859-1', 'windows-1254'],
  ['windows-1252', 'windows-1252', 'windows-1251'],
] as const)('%s is read where the header says %s and the page %s', (charset, header, meta) => {
  const text = sentences[charset]
  const body = Buffer.concat([
    Buffer.from(`<meta charset="${meta}">`),
    page(charset, text.repeat(3)),
  ])
  expect(decodeText(body, `text/html; charset=${header}`).text).toContain(text)
})

test('a declaration that its bytes do not contradict is believed', () => {
  const text = sentences['windows-1251']
  const declared = decodeText(page('windows-1251', text), 'text/html; charset=windows-1252')
  expect(declared.charset).toBe('windows-1252')
})

test('UTF-8 that is cut inside a character is UTF-8', () => {
  const whole = Buffer.from('<p>naïve 日本')
  expect(decodeText(whole.subarray(0, -1), 'text/html')).toEqual({
    text: '<p>naïve 日',
    charset: 'utf-8',
  })
})

test('a stray byte in UTF-8 does not turn the page into another language', () => {
  const body = Buffer.concat([
    Buffer.from('<meta charset="utf-8"><p>naïve '),
    Buffer.from([0xff]),
    Buffer.from(' 日本'),
  ])
  expect(decodeText(body, 'text/html').text).toContain('naïve \ufffd 日本')
})

test.each([
  ['windows-1252', 'Muñoz;León\nPeña;Málaga\n'],
  ['windows-1250', 'Gdańsk;Poznań\nToruń;Brno\n'],
] as const)('a short list in %s has its own letters', (charset, list) => {
  expect(decodeText(encode(list.repeat(3), charset), 'text/csv').text).toContain(list)
})

test('an empty body becomes empty text', () => {
  expect(decodeText(Buffer.alloc(0), undefined)).toEqual({ text: '', charset: 'utf-8' })
})
