import { expect, test } from 'vitest'
import { tokensOf } from './words.ts'

const words = (text: string) => tokensOf(text).map(({ word }) => word)

test('names of programs are words in parts and whole', () => {
  expect(words('Set max_connections.')).toEqual(['set', 'max', 'connections', 'maxconnections'])
  expect(words('http.createServer()')).toEqual(['http', 'create', 'server', 'httpcreateserver'])
  expect(words('XMLHttpRequest')).toEqual(['xml', 'http', 'request', 'xmlhttprequest'])
})

test('the parts of a name follow each other, and the whole has the place of the first', () => {
  expect(tokensOf('use pg_dump now').map(({ word, place, at }) => [word, place, at])).toEqual([
    ['use', 1, 0],
    ['pg', 2, 4],
    ['dump', 3, 4],
    ['pgdump', 2, 4],
    ['now', 4, 12],
  ])
})

test('words are compared in lower case and in one form of Unicode', () => {
  expect(words('Ｆｕｌｌ ÉTÉ e\u0301te\u0301')).toEqual(['full', 'été', 'été'])
})

test('text without spaces is divided into words', () => {
  expect(words('キーボードの設定')).toEqual(['キーボード', 'の', '設定'])
  expect(words('ภาษาไทย')).toEqual(['ภาษา', 'ไทย'])
})

test('text of any kind has words, and keys and hashes are none', () => {
  expect(words('')).toEqual([])
  expect(words('— … ¶ 🎉')).toEqual([])
  expect(words('a'.repeat(61))).toEqual([])
  expect(words('\ud800 x')).toEqual(['x'])
})
