import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readVendorText } from './vendor-text.ts'

const key = 'sk-operator-1234567890'
const read = (body: unknown, sent = '') => readVendorText(body, { secrets: [key], sent })

test.each<[string, unknown, string]>([
  [
    'a list of what is wrong with which parameter',
    { detail: [{ loc: ['body', 'job_title_or'], msg: 'value is not a valid list' }] },
    'job_title_or: value is not a valid list',
  ],
  [
    'an object with a message',
    { error: { message: 'limit must be <= 10' } },
    'limit must be <= 10',
  ],
  ['a message', { message: 'Unknown country XX', status: 400 }, 'Unknown country XX'],
  ['a sentence of plain text', 'The query is too short.', 'The query is too short.'],
  ['fields and what they lack', { errors: [{ field: 'q', message: 'is needed' }] }, 'q: is needed'],
  ['markup in a message', { message: 'Bad <b>date</b><script>alert(1)</script>' }, 'Bad date'],
  [
    'characters that cannot be seen',
    'Bad\u0000 \u202edate\u200b\r\nthere\u001b[31m',
    'Bad date there [31m',
  ],
  ['the operator’s key', `Request with ${key} was bad`, 'Request with [redacted] was bad'],
  ['another credential', 'Bad header Bearer abcdefghijkl', 'Bad header [redacted]'],
  [
    'an address of the operator’s',
    'Blocked 203.0.113.9 for ops@example.org',
    'Blocked [redacted] for [redacted]',
  ],
])('passes on of %s what the caller can use', (_name, body, expected) => {
  expect(read(body)).toBe(expected)
})

test('repeats what the caller sent', () => {
  expect(read('No mailbox ada@example.org', '{"email":"ada@example.org"}')).toBe(
    'No mailbox ada@example.org',
  )
})

test.each([
  ['a bad key', { message: 'Invalid API key provided' }],
  ['an empty account', { error: 'Your account has no credits left' }],
  ['a plan', { detail: 'Upgrade your plan to use this endpoint' }],
  ['a bill', { message: 'Payment overdue since May' }],
  ['a page', '<!doctype html><html><body>Bad request</body></html>'],
  ['no sentence', { code: 400 }],
  ['nothing', null],
  ['a number', 7],
])('says nothing of %s', (_name, body) => {
  expect(read(body)).toBeUndefined()
})

test('even a hostile text comes out short, clean and without any form of the key', () => {
  const secret = 'user-name:pass-word-123'
  const forms = [
    secret,
    'pass-word-123',
    Buffer.from(secret).toString('base64'),
    encodeURIComponent(secret),
  ]
  const piece = fc.oneof(fc.constantFrom(...forms), fc.string({ unit: 'binary', maxLength: 50 }))
  const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))
  const body = fc.oneof(
    text,
    fc.record({ message: text }),
    fc.record({ detail: fc.array(fc.record({ loc: fc.array(text), msg: text })) }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(body, (hostile) => {
      const found = readVendorText(hostile, { secrets: [secret], sent: '' }) ?? ''
      for (const form of forms) expect(found).not.toContain(form)
      expect([...found].length).toBeLessThanOrEqual(501)
      expect(found).not.toMatch(/[\p{Cc}\p{Cf}]|<[a-z/!]/iu)
      expect(found.isWellFormed()).toBe(true)
    }),
    { numRuns: 500, examples: [['</'], ['<\u0000b>'], ['a <!b']] },
  )
})
