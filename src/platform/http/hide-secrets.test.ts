import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'
import { redactSecrets } from './vendor-text.ts'

const key = 'sk~live!0123456789'
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

test('a key is hidden in texts of two bytes to a character, which stay as they are otherwise', () => {
  for (const write of [(text: string) => Buffer.from(text, 'utf16le'), bigEndian]) {
    expect(hideSecrets(write(`{"é":"${key}"}`), [key])).toEqual(write('{"é":"[redacted]"}'))
    expect(hideSecrets(write(key), [key])).toEqual(write('[redacted]'))
    const other = write('{"a":"Nothing to hide."}')
    expect(hideSecrets(other, [key])).toBe(other)
  }
})

test('a key is hidden where it is written as hexadecimal digits', () => {
  const hex = Buffer.from(key).toString('hex')
  for (const form of [hex, hex.toUpperCase()])
    expect(hideSecrets(Buffer.from(`seen ${form}`), [key]).toString()).toBe('seen [redacted]')
})

/** Base64 of a common kind, with a quotation mark and a backslash, which JSON must escape. */
const odd = 'q9/Zk3+aB/7x"q2\\mN&0=='
const json = (value: unknown) => JSON.stringify(value)
const unicode = (text: string) =>
  [...text]
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const percent = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('')
const forms: Readonly<Record<string, (text: string) => string>> = {
  'as JSON': (text) => json(text),
  'as JSON in JSON': (text) => json(json({ key: text })),
  'as JSON in JSON in JSON': (text) => json(json(json({ key: text }))),
  'as JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'as an event with escaped slashes': (text) =>
    `data: ${json({ key: text }).replaceAll('/', '\\/')}\n\n`,
  'as escapes of all characters': unicode,
  'as escapes in upper case, in JSON': (text) =>
    json(unicode(text).toUpperCase().replaceAll('U', 'u')),
  'in an address': encodeURIComponent,
  'in an address, all characters encoded': percent,
  'in an address, encoded twice': (text) => encodeURIComponent(percent(text)),
  'in a query': (text) => new URLSearchParams({ text }).toString(),
  'in HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in HTML, by number': (text) =>
    [...text].map((character) => `&#${character.charCodeAt(0)};`).join(''),
  'in base64 behind a name': (text) => btoa(`user:${text}`),
  'in base64 behind one character': (text) => btoa(`x${text}!`),
  'in base64 of JSON': (text) => btoa(json({ k: text.replaceAll(/["\\]/g, '-') })),
  'in base64 for addresses': (text) => Buffer.from(`ab${text}`).toString('base64url'),
}

test.each(Object.keys(forms))('a key is hidden %s', (name) => {
  const write = forms[name]
  for (const secret of [key, odd, 'q9/Zk3+aB/7xPq2LmN0sT4==']) {
    const written = write?.(secret) ?? ''
    const plain = name === 'in base64 of JSON' ? secret.replaceAll(/["\\]/g, '-') : secret
    const shown = hideSecrets(Buffer.from(written), [plain]).toString()
    expect(shown).toContain('[redacted]')
    expect(shown).toBe(redactSecrets(written, [plain]))
    // What is left of it says nothing of the middle of the key.
    for (const part of [secret.slice(4, 10), secret.slice(-8, -2)])
      expect(shown).not.toContain(part)
  }
})

test('texts of many backslashes or percent signs are read in one pass', () => {
  for (const character of ['\\', '%25', '&amp;#'])
    expect(redactSecrets(character.repeat(300_000), [odd])).not.toContain('[redacted]')
})

test('JSON stays JSON with the key hidden', () => {
  const answer = { a: `1${odd}2`, [odd]: 'b', nested: json({ c: odd }) }
  expect(JSON.parse(redactSecrets(json(answer), [odd]))).toEqual({
    a: '1[redacted]2',
    '[redacted]': 'b',
    nested: '{"c":"[redacted]"}',
  })
})

test('a key is hidden inside the base64 of a longer text, wherever it begins', () => {
  for (const before of ['', 'u', 'us', 'use', 'user:'])
    for (const after of ['', ':x', ' and more of it'])
      for (const form of ['base64', 'base64url'] as const) {
        const text = Buffer.from(before + key + after).toString(form)
        const shown = hideSecrets(Buffer.from(`seen ${text}`), [key]).toString()
        expect(shown).toContain('[redacted]')
        const rest = shown.replace('seen ', '').replace('[redacted]', '')
        expect(rest.length).toBeLessThan(text.length - key.length)
      }
})

test('a key is hidden where each of its characters is percent-encoded', () => {
  const percent = [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('')
  for (const form of [percent, percent.toUpperCase()])
    expect(hideSecrets(Buffer.from(`seen ${form}`), [key]).toString()).toBe('seen [redacted]')
})

test('a key is hidden in a file of gzip, and another file stays as it is', () => {
  const file = gzipSync(`seen ${key}`)
  expect(gunzipSync(hideSecrets(file, [key])).toString()).toBe('seen [redacted]')
  const other = gzipSync('Nothing to hide.')
  expect(hideSecrets(other, [key])).toBe(other)
  const broken = file.subarray(0, 20)
  expect(hideSecrets(broken, [key])).toBe(broken)
})
