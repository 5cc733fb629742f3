import { expect, test } from 'vitest'
import { headersOfVisit, lackingSkill, ownHeadersOf, type VisitWish } from './visit.ts'

test.each<[VisitWish, object]>([
  [{}, {}],
  [{ language: 'de' }, { 'accept-language': 'de,en;q=0.9' }],
  [{ language: 'pt-BR' }, { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }],
  [{ language: 'de', country: 'ch' }, { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' }],
  [{ country: 'GB' }, { 'accept-language': 'en-GB,en;q=0.9' }],
  [{ isMobile: true }, { 'user-agent': expect.stringContaining('Mobile Safari') }],
])('%j is asked for with %j', (visit, headers) => {
  expect(headersOfVisit(visit)).toEqual(headers)
})

test('cookies are one header, beside the own headers', () => {
  expect(ownHeadersOf({ headers: { 'x-team': 'mill' }, cookies: { a: '1', b: '2' } })).toEqual({
    'x-team': 'mill',
    cookie: 'a=1; b=2',
  })
  expect(ownHeadersOf({ cookies: {} })).toEqual({})
})

test.each<[VisitWish, string | undefined]>([
  [{}, undefined],
  [{ headers: {}, cookies: {}, language: 'de', country: 'CH' }, undefined],
  [{ headers: { a: 'b' } }, 'headers'],
  [{ cookies: { a: 'b' } }, 'cookies'],
  [{ isMobile: true }, 'mobile'],
  [{ waitFor: 0 }, 'wait'],
  [{ waitFor: '#late' }, 'wait_selector'],
])('for %j a rung without skills lacks %s', (visit, skill) => {
  expect(lackingSkill(visit)).toBe(skill)
  if (skill !== undefined) expect(lackingSkill(visit, [skill as never])).toBeUndefined()
})
