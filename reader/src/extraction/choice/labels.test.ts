import { expect, test } from 'vitest'
import { readBody } from '../../read-body.ts'

const frame = (main: string) =>
  `<title>Changelog | Tidepool</title><header><a href="/">Tidepool</a> <a href="/pricing">Pricing</a></header><div class="wrap"><h1>Changelog</h1>${main}</div><footer><p>Tidepool Ltd</p></footer>`

function read(main: string): string {
  const page = {
    kind: 'html',
    body: frame(main),
    finalUrl: 'https://tide.example/changelog',
  } as const
  return readBody(page, { format: 'markdown', mainContent: true }).content
}

const entries = [
  [
    'v4.12',
    'May 2',
    'Exports of boards as PDF, with a page for each column and the colours of your theme.',
  ],
  ['v4.11', 'Apr 18', 'Guests can comment on cards without an account when the board is public.'],
  [
    'v4.10',
    'Apr 2',
    'The search finds archived cards too and marks them as such in the list of results.',
  ],
  ['v4.9', 'Mar 20', 'Reminders arrive in the time zone of their reader.'],
] as const

test('versions and dates stay above the texts of a changelog', () => {
  const content = read(
    entries
      .map(
        ([version, date, text]) =>
          `<div class="entry"><div class="meta"><span class="ver">${version}</span> <time>${date}</time></div><div class="body"><h3>Changed</h3><p>${text}</p></div></div>`,
      )
      .join(''),
  )
  for (const [version, date, text] of entries)
    expect(content).toContain(`${version} ${date}\n\n### Changed\n\n${text}`)
})

test('dates that are headings stay, in any language', () => {
  const dates = ['2026年3月4日', '2026年2月18日', '2026年1月30日']
  const content = read(
    dates
      .map(
        (date) =>
          `<section><h4 class="d">${date}</h4><ul><li>検索画面の表示速度を改善しました。</li></ul></section>`,
      )
      .join(''),
  )
  for (const date of dates) expect(content).toContain(`#### ${date}`)
})
