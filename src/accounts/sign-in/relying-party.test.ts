import { expect, test } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

test.each([
  ['https://gateway.example', { id: 'gateway.example', origin: 'https://gateway.example' }],
  [
    'https://gateway.example:8443/',
    { id: 'gateway.example', origin: 'https://gateway.example:8443' },
  ],
  ['http://localhost:4020', { id: 'localhost', origin: 'http://localhost:4020' }],
  ['http://127.0.0.1:4020', { id: 'localhost', origin: 'http://localhost:4020' }],
  ['http://[::1]:4020', { id: 'localhost', origin: 'http://localhost:4020' }],
])('a gateway at %s has passkeys', (baseUrl, expected) => {
  expect(relyingPartyOf(baseUrl)).toEqual(expected)
})

test.each([
  'http://gateway.example',
  'https://192.0.2.1',
  'http://192.168.0.1:4020',
  'https://[2001:db8::1]',
  '',
])('a gateway at "%s" has none', (baseUrl) => {
  expect(relyingPartyOf(baseUrl)).toBeUndefined()
})
