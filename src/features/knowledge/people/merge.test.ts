import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePeople } from './merge.ts'
import { areCompaniesAlike, areNamesAlike, canonicalProfile, isEmailOfName } from './person.ts'
import { readQuestion } from './question.ts'

test.each([
  ['who are the heads of marketing in Berlin?', 'heads of marketing', undefined, 'Berlin'],
  ['find me a CTO at Acme in New York', 'CTO', 'Acme', 'New York'],
  ['Jane Doe, Acme Inc.', 'Jane Doe', 'Acme Inc', undefined],
  ['Jane Doe @ acme.com', 'Jane Doe', 'acme.com', undefined],
  ['people who work at Acme', 'people', 'Acme', undefined],
  ['nurses', 'nurses', undefined, undefined],
])('%s', (query, head, company, place) => {
  expect(readQuestion(query)).toMatchObject({ head, company, place })
})

test.each([
  ['Jane Doe', 'Dr. Jane Doe, PhD', true],
  ['José Núñez', 'jose nunez', true],
  ['Jane Doe', 'Jane Mary Doe', true],
  ['Jane Doe', 'John Doe', false],
  ['CTO', 'Jane Doe', false],
  ['Jane', 'Jane Doe', false],
])('%s and %s are one name: %s', (one, other, same) => {
  expect(areNamesAlike(one, other)).toBe(same)
})

test.each([
  ['Acme Inc.', 'acme', true],
  ['Acme', 'acme.com', true],
  ['acme.co.uk', 'The Acme Company', true],
  ['mail.acme.com', 'Acme', true],
  ['Acme', 'Acme Robotics', false],
  ['', 'acme.com', false],
])('%s and %s are one company: %s', (one, other, same) => {
  expect(areCompaniesAlike(one, other)).toBe(same)
})

test.each([
  ['jane.doe@acme.com', 'Jane Doe', true],
  ['jdoe@acme.com', 'Jane Mary Doe', true],
  ['doe.jane+news@acme.com', 'Jane Doe', true],
  ['john.roe@acme.com', 'Jane Doe', false],
  ['info@acme.com', 'Jane Doe', false],
  ['jane@acme.com', '山田太郎', undefined],
])('%s is an address of %s: %s', (email, name, is) => {
  expect(isEmailOfName(email, name)).toBe(is)
})

test.each([
  ['linkedin.com/in/Jane-Doe/', 'https://www.linkedin.com/in/jane-doe'],
  ['https://de.linkedin.com/in/jane-doe?x=1', 'https://www.linkedin.com/in/jane-doe'],
  ['https://www.linkedin.com/company/acme', undefined],
  ['https://linkedin.com.evil.example/in/jane', undefined],
])('the profile %s is %s', (address, canonical) => {
  expect(canonicalProfile(address)).toBe(canonical)
})

const names = ['Jane Doe', 'John Roe', 'Ann Lee']
const found = fc.record({
  name: fc.constantFrom(...names),
  company: fc.constantFrom('Acme', 'Other Ltd', undefined),
  linkedin: fc.constantFrom(
    'https://www.linkedin.com/in/a',
    'https://www.linkedin.com/in/b',
    undefined,
  ),
})

test('no profile is in two rows, no row has two profiles, and no one is lost or invented', () => {
  fc.assert(
    fc.property(fc.array(fc.array(found, { maxLength: 6 }), { maxLength: 3 }), (lists) => {
      const named = lists.map((list, at) => list.map((each) => ({ ...each, source: `s${at}` })))
      const rows = mergePeople(named)
      const profiles = rows.flatMap(({ linkedin }) => linkedin ?? [])
      expect(new Set(profiles).size).toBe(profiles.length)
      const asked = new Set(lists.flat().flatMap(({ linkedin }) => linkedin ?? []))
      expect(new Set(profiles)).toEqual(asked)
      expect(rows.length).toBeLessThanOrEqual(lists.flat().length)
      const known = new Set(lists.flat().map(({ name }) => name))
      for (const { name } of rows) expect(known).toContain(name)
    }),
  )
})
