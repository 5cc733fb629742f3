import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

const mask = (value: unknown) => createMask({ secrets: [], keep: [] }).apply(value)
const characters = 256_000
const fill = (part: string) => part.repeat(Math.ceil(characters / part.length)).slice(0, characters)

test.each([
  ['one word', fill('x')],
  ['beginnings of tokens', fill('-eyJ')],
  ['dots', fill('a.')],
  ['digits', fill('+1 ')],
  ['many addresses', Array.from({ length: 20_000 }, (_, place) => `a${place}@b.example`).join(' ')],
])('a long text of %s is masked within a second or two of the processor', (_, text) => {
  const before = process.threadCpuUsage()
  const found = mask(text)
  expect(found).not.toContain('@b.example')
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(10_000)
})

test('the same value has the same mask in all places', () => {
  expect(
    mask({
      first_name: 'Augusta',
      emails: ['x-ada.b@navy.example', '<x-ada.b@navy.example>'],
      note: 'Augusta, +44 20 7946 0958',
    }),
  ).toEqual({
    first_name: 'Person 1',
    emails: ['person1@example.org', '<person1@example.org>'],
    note: 'Person 1, +15550100001',
  })
})

test('the account, the card and the home of a person are masked, and other numbers stay', () => {
  expect(
    mask({
      email: 'ada@navy.example',
      address: '5 Main Street, Berlin',
      iban: 'DE89 3704 0044 0532 0130 00, DE89370400440532013000',
      card: '4242 4242 4242 4242, 4242424242424242 and 3782 822463 10005',
      order: 'FR76 3000 6000 0112 3456 7890 188',
      number: '4242424242424241',
    }),
  ).toEqual({
    email: 'person1@example.org',
    address: '1 Main St',
    iban: 'XX00000000000000, XX00000000000000',
    card: '0000000000000000, 0000000000000000 and 0000000000000000',
    order: 'FR76 3000 6000 0112 3456 7890 188',
    number: '4242424242424241',
  })
  expect(mask({ title: 'Town hall', address: '5 Main Street, Berlin' })).toEqual({
    title: 'Town hall',
    address: '5 Main Street, Berlin',
  })
})
