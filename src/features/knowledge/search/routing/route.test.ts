import { expect, test } from 'vitest'
import { selectableFacets } from '../facets.ts'
import { route } from './route.ts'

const wednesday = Date.UTC(2026, 10, 18, 12)
const ask = (question: string) => route(question, wednesday)
const firstOf = (question: string) => ask(question).facets[0]?.facet

test.each([
  ['10.1234/abcd.5678', 'academic'],
  ['arXiv:2401.01234', 'academic'],
  ['0001234567-24-000012', 'public-filings'],
  ['CIK 1234567', 'public-filings'],
  ['31 CFR 1010.100', 'regulatory'],
  ['90 FR 12001', 'regulatory'],
  ['2:24-cv-01234', 'legal'],
  ['512 U.S. 77', 'legal'],
  ['12-3456789', 'nonprofits'],
  ['Q4242', 'compliance'],
  ['$ABCD', 'financials'],
])('a bare identifier needs one kind of source: %s', (question, facet) => {
  expect(ask(question)).toMatchObject({ facets: [{ facet, confidence: 1 }], margin: 1 })
})

test.each([
  ['how to descale a kettle', 'web'],
  ['annual report on form 10-K of a paper maker', 'public-filings'],
  ['was the ferry operator sued in federal court', 'legal'],
  ['github repository with a b-tree in rust', 'code'],
  ['randomised controlled trial of light therapy', 'academic'],
  ['breaking news ferry strike', 'news'],
  ['net income and total assets of Acme in 2023', 'financials'],
  ['nvidia lei', 'compliance'],
  ['kyc MSFT LEI', 'compliance'],
  ['10-Q Nvidia Q2 2026', 'public-filings'],
  ['revenue visa fiscal year 2024 10-K', 'financials'],
])('a clear question goes to its source first: %s', (question, facet) => {
  expect(firstOf(question)).toBe(facet)
})

test('a question goes to one to three facets, once each, with the likeliest first', () => {
  for (const question of [
    '',
    '?',
    'bees',
    'x'.repeat(10_000),
    '蜂蜜',
    'court paper news code fund',
  ]) {
    const { facets } = ask(question)
    const confidences = facets.map(({ confidence }) => confidence)
    expect(facets.length).toBeGreaterThanOrEqual(1)
    expect(facets.length).toBeLessThanOrEqual(3)
    expect(new Set(facets.map(({ facet }) => facet)).size).toBe(facets.length)
    expect(facets.every(({ facet }) => selectableFacets.includes(facet))).toBe(true)
    expect(confidences.every((each) => each > 0 && each <= 1)).toBe(true)
  }
})

test('a question without words is unsure and keeps the web as a safety lane', () => {
  const { facets, isUnsure } = ask('')
  expect(isUnsure).toBe(true)
  expect(facets.map(({ facet }) => facet)).toContain('web')
})

test('the slots name years, countries, names and the age of results', () => {
  expect(ask('revenue of "Acme Tools" in France, 2022 and last year').slots).toMatchObject({
    entities: ['Acme Tools', 'France'],
    years: [2022, 2025],
    places: ['France'],
  })
  expect(ask('reports on Acme from the past 48 hours').slots.recencyDays).toBe(2)
  expect(ask('articles about the strike since Monday').slots.recencyDays).toBe(3)
  expect(ask('how to knit a scarf').slots.recencyDays).toBeUndefined()
})

test('the same question gives the same answer', () => {
  expect(ask('form D of a robotics startup')).toEqual(ask('form D of a robotics startup'))
})
