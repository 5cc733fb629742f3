import { expect, test } from 'vitest'
import { shownInput } from './shown-input.ts'

const shown = (input: unknown) => JSON.parse(shownInput(input) ?? 'null')

test('fields that hold secrets, and secrets inside other texts, are hidden', () => {
  const secret = 'abcdef0123456789abcdef'
  const input = {
    api_key: secret,
    accessToken: secret,
    headers: { Authorization: `Bearer ${secret}`, cookie: secret, accept: 'text/html' },
    text: `curl -H "authorization: Bearer ${secret}" https://ada:${secret}@example.org/?token=${secret}&page=2`,
    code: `client = Client("sk-${secret}")`,
    nested: [{ password: secret, deep: { client_secret: secret } }],
  }
  expect(JSON.stringify(shown(input))).not.toContain(secret)
  expect(shown(input).headers.accept).toBe('text/html')
  expect(shown(input).text).toContain('page=2')
})

test('words that only look like secrets stay', () => {
  const input = {
    keyword: 'battery',
    monkey: 'ape',
    max_tokens: 5,
    keys: ['a'],
    query: 'the token economy',
  }
  expect(shown(input)).toEqual(input)
})

test('a long input is cut, and stays JSON', () => {
  const rows = Array.from({ length: 1_000 }, (_, row) => ({ row, text: 'x'.repeat(1_000) }))
  for (const input of [{ rows }, { text: 'y'.repeat(1_000_000) }, rows, 'z'.repeat(9_999)])
    expect(shownInput(input)?.length).toBeLessThanOrEqual(2_000)
  expect(shown({ text: 'y'.repeat(1_000) }).text).toMatch(/^y+ … \(1,000 characters\)$/)
  expect(shownInput({})).toBeUndefined()
})

test('a secret at the place of a cut leaves no beginning', () => {
  const secret = 'S3cr3tS3cr3tS3cr3t'
  for (let at = 560; at < 600; at += 1)
    expect(shown({ text: `${'x '.repeat(at / 2)}Bearer ${secret}` }).text).not.toContain(
      secret.slice(0, 6),
    )
})

test('what PostgreSQL refuses in JSON is left out, also at the place of a cut', () => {
  const emoji = '😀'.repeat(400)
  const input = { 'a\0b': `x${emoji}`, zero: 'a\0b', half: '\ud83d' }
  for (const each of [input, [input, `y${emoji.repeat(20)}`, ...Array(19).fill(`y${emoji}`)]]) {
    const text = shownInput(each) ?? ''
    expect(JSON.stringify(JSON.parse(text))).toBe(text)
    expect(text).not.toMatch(/\\ud[89a-f]|\\u0000/i)
  }
})
