import { expect, test } from 'vitest'
import {
  continued,
  draftOf,
  newDraft,
  readRules,
  requestOf,
  type StoredSale,
} from './sale-draft.ts'

const stored: StoredSale = {
  name: 'weather',
  address: 'https://weather.example/openapi.json',
  private: true,
  kind: 'openapi',
  server: 'https://weather.example/v2',
  credential: { kind: 'bearer' },
  rules: [
    { match: '#admin', price: 'not sold' },
    { match: '*', price: 3 },
  ],
  priceCents: 3,
}

test('an API that is sold again begins with what is stored of it', () => {
  expect(requestOf(draftOf(stored), stored)).toEqual({
    address: stored.address,
    name: 'weather',
    price: 3,
    rules: [{ match: '#admin', price: 'not sold' }],
    private: true,
    kind: 'openapi',
    server: stored.server,
    credential: stored.credential,
  })
})

test('a rule for all calls that says more than a price stays a rule', () => {
  const rule = { match: '*', price: 3, free_per_day: 2 }
  const sale = { ...stored, rules: [rule], priceCents: null }
  const { price, rules = [] } = requestOf(draftOf(sale), sale)
  expect([price, rules]).toEqual([undefined, [rule]])
})

test('what is typed of an API that turns out to be sold stays, with the stored rules', () => {
  const typed = { ...newDraft, address: 'https://weather.example/new.json' }
  expect(continued(typed, stored)).toEqual({
    ...draftOf(stored),
    address: typed.address,
    isPrivate: false,
  })
  expect(continued({ ...typed, price: '5' }, stored).price).toBe('5')
})

test('a program is sold again with what it may see', () => {
  const program = { command: ['npx', 'notes'], folders: [], network: true, environment: {} }
  const sale = { ...stored, kind: 'mcp' as const, program: { ...program, package: 'notes@1.0.0' } }
  const request = requestOf(draftOf(sale), sale)
  expect(request.program).toEqual(program)
  expect(request).not.toHaveProperty('address')
})

test('rules are a list in JSON', () => {
  expect([readRules(''), readRules('[{"match": "*"}]')]).toEqual([[], [{ match: '*' }]])
  expect([readRules('{}'), readRules('[')]).toEqual([undefined, undefined])
})
