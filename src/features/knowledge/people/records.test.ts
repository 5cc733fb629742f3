import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseOptOut } from './opt-out.ts'
import { isOfListed, leaveOutListed, leftOut } from './records.ts'

const list = parseOptOut(
  'jane@acme.example\nhttps://www.linkedin.com/in/jane-doe\nJane Doe, Acme Inc.',
)
const other = { full_name: 'John Roe', email: 'john@acme.example', company: 'Acme' }

test.each([
  ['by address', { email: 'Jane@Acme.example' }],
  ['by profile', { url: 'linkedin.com/in/Jane-Doe/', headline: 'CMO' }],
  ['by name and company', { full_name: 'Jane Doe', company: { name: 'ACME' } }],
  ['by the parts of the name', { first_name: 'Jane', last_name: 'Doe', company_name: 'Acme Inc' }],
  ['by name and domain', { name: 'Dr. Jane Doe', domain: 'acme.com' }],
  ['by one of her addresses', { full_name: 'J. D.', work_email: ['jane@acme.example'] }],
])('of a list of people a listed one is left out: %s', (_, person) => {
  expect(isOfListed(person, list)).toBe(true)
  const answer = { people: [person, other], metadata: { total: 2 } }
  expect(leaveOutListed(answer, list)).toEqual({ people: [other], metadata: { total: 2 } })
  expect(leaveOutListed({ profile: person }, list)).toBe(leftOut)
  expect(leaveOutListed({ data: { ...person, phones: [{ number: '1' }] } }, list)).toBe(leftOut)
})

test('of a list of addresses the listed one is left out, and the company stays', () => {
  const answer = { domain: 'acme.example', emails: ['jane@acme.example', 'info@acme.example'] }
  expect(leaveOutListed(answer, list)).toEqual({ ...answer, emails: ['info@acme.example'] })
})

test.each([
  ['a namesake elsewhere', { full_name: 'Jane Doe', company: 'Other' }],
  ['a name alone', { name: 'Jane Doe' }],
  ['her company', { name: 'Acme Inc.', domain: 'acme.com' }],
  ['a text that names her', { note: 'Written by jane@acme.example, edited by others' }],
])('%s stays', (_, person) => {
  expect(leaveOutListed({ people: [person] }, list)).toEqual({ people: [person] })
})

test('an answer about other people stays as it is', () => {
  const strangers = parseOptOut('someone@else.example')
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (answer) => {
      fc.pre(!JSON.stringify(answer).includes('someone@else.example'))
      expect(leaveOutListed(answer, strangers)).toEqual(answer)
    }),
  )
})
