import { expect, test } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'

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
