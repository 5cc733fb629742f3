import { expect, test } from 'vitest'
import { gloss } from './gloss.ts'

const english = new Set([
  'who',
  'raised',
  'money',
  'last',
  'week',
  'verify',
  'email',
  'page',
  'fax',
  'to',
  'a',
])
const read = (question: string) => gloss(question, (word) => english.has(word))

test.each([
  ['Wer hat letzte Woche Geld eingesammelt?', /raised money/],
  ['entreprises similaires à Stripe', /similar companies.*stripe/],
  ['¿qué tecnologías usa esta empresa?', /technologies company uses/],
  ['Stellenangebote für Krankenpfleger', /jobs vacancies.*nurse/],
  ['кто вложил деньги в стартап', /invested.*startup/],
  ['e-posta adresini doğrula', /email address verify/],
  ['会社の資金調達ニュース', /company funding raised money news/],
  ['查找类似的公司', /similar companies/],
  ['이메일 주소 확인', /email address verify/],
  ['أخبار الشركة', /news.*company/],
  ['कंपनी के बारे में समाचार', /company news/],
])('in English words: %s', (question, expected) => {
  expect(read(question)).toMatch(expected)
})

test('the parts of a compound count as words', () => {
  expect(read('Gerichtsverfahren gegen ein Unternehmen')).toMatch(/court.*lawsuit.*company/)
})

test.each([
  'who raised money last week',
  'verify email',
  'fax a page to 10.1000/xyz',
  'xqzv',
  '',
  '42',
])('English, names and numbers stay as they are: %s', (question) => {
  expect(read(question)).toBeUndefined()
})
