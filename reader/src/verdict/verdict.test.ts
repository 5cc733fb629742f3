import { describe, expect, test } from 'vitest'
import { seePage } from '../page/see-page.ts'
import { surveyPage } from '../page/survey.ts'
import { pages, type ReplySample, shells, walls } from './replies.fixture.ts'
import { judgePage } from './verdict.ts'

function judge({
  html,
  status = 200,
  headers = {},
  finalUrl = 'https://shop.example/p/1',
}: ReplySample) {
  const survey = surveyPage(seePage(html))
  return judgePage({ kind: 'html', html, status, headers, finalUrl, survey })
}

const named = (samples: readonly ReplySample[]) =>
  samples.map((sample) => [sample.name, sample] as const)

describe('a wall is blocked with any status', () => {
  test.each(named(walls))('%s', (_name, sample) => {
    expect(judge(sample)).toMatchObject({ read: false, flags: ['blocked'] })
  })
})

describe('a shell, an error or a form is not read', () => {
  test.each(named(shells))('%s', (_name, sample) => {
    const verdict = judge(sample)
    expect(verdict).toMatchObject({ read: false })
    expect(verdict.yield).toBeLessThan(0.3)
  })
})

describe('a page is read, however short', () => {
  test.each(named(pages))('%s', (_name, sample) => {
    expect(judge(sample)).toMatchObject({ read: true, flags: [] })
  })
})

test('a longer page yields more', () => {
  const yields = [20, 60, 200].map((count) => {
    const html = `<title>Mill</title><p>${'word '.repeat(count)}</p>`
    return judge({ name: '', html }).yield
  })
  expect(yields).toEqual(yields.toSorted((one, other) => one - other))
  expect(yields.at(-1)).toBeGreaterThan(0.95)
})

test.each(['json', 'text', 'xml'] as const)('a short file of %s is read', (kind) => {
  const survey = surveyPage(seePage('{"ok":true}'))
  const evidence = {
    html: '{"ok":true}',
    status: 200,
    headers: {},
    finalUrl: 'https://api.example/',
  }
  expect(judgePage({ kind, survey, ...evidence })).toMatchObject({ read: true })
})

test.each(['html', 'text'] as const)('a %s page of undecodable text is not read', (kind) => {
  const judged = (text: string) => {
    const survey = surveyPage(seePage(text))
    const reply = { status: 200, headers: {}, finalUrl: 'https://mill.example/' }
    return judgePage({ kind, html: text, survey, ...reply })
  }
  const sentence = 'The miller counted his sacks of flour every evening. '.repeat(10)
  expect(judged(`<p>${sentence} \ufffd`)).toMatchObject({ read: true })
  expect(judged(`<p>${sentence.replaceAll('e', '\ufffd')}`)).toMatchObject({
    read: false,
    kind: 'undecodable',
  })
})
