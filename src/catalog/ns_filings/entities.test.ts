import { expect, onTestFinished, test } from 'vitest'
import type { JobContext } from '#core/action.ts'
import { systemClock } from '#platform/clock.ts'
import { createService } from '#platform/http/service.ts'
import { startReplayServer } from '#test/replay-server.ts'
import { replayAction } from '#test/run-action.ts'
import { silentLog } from '#test/silent-log.ts'
import { readCompanyFeed, readCompanyPage } from './lib/company-search.ts'
import { filings } from './provider.ts'

const listed = {
  0: { cik_str: 1652044, ticker: 'GOOGL', title: 'Alphabet Inc.' },
  1: { cik_str: 1652044, ticker: 'GOOG', title: 'Alphabet Inc.' },
  2: { cik_str: 886982, ticker: 'GS', title: 'GOLDMAN SACHS GROUP INC' },
  3: { cik_str: 34088, ticker: 'XOM', title: 'EXXON MOBIL CORP' },
}
const get = (path: string, query: Record<string, string>) => ({
  method: 'GET',
  host: { host: 'www' },
  path,
  query,
})
const search = (company: string, output?: string) =>
  get('/cgi-bin/browse-edgar', {
    action: 'getcompany',
    company,
    owner: 'include',
    count: '100',
    ...(output === undefined ? {} : { output }),
  })
const tickers = {
  request: get('/files/company_tickers.json', {}),
  reply: { status: 200, body: listed },
}
// The forms of the search's answers, as seen in 2026: one match has its name, several have none, no match is a page.
const single = `<?xml version="1.0" encoding="ISO-8859-1"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <author><email>webmaster@sec.gov</email></author>
  <company-info>
    <assigned-sic>2911</assigned-sic>
    <cik>0000034088</cik>
    <conformed-name>EXXON MOBIL CORP</conformed-name>
    <state-location>TX</state-location>
  </company-info>
  <entry><title>SCHEDULE 13G - Statement of Beneficial Ownership</title></entry>
</feed>`
const noMatch =
  '<!DOCTYPE HTML><html lang="ENG"><head><title>Company Information: </title></head></html>'

const ask = (q: string, feed: string) =>
  replayAction(filings, 'entities', {
    exchanges: [tickers, { request: search(q, 'atom'), reply: { status: 200, text: feed } }],
    input: { q },
  })

test('a company in both the list and the search is one entity with the data of both', async () => {
  const { output } = await ask('exxon', single)
  expect(output.entities).toEqual([
    { cik: '0000034088', name: 'EXXON MOBIL CORP', tickers: ['XOM'], state: 'TX', sic: '2911' },
  ])
})

test('a ticker finds its company with all its tickers', async () => {
  const { output } = await ask('goog', noMatch)
  expect(output.entities).toMatchObject([{ cik: '0001652044', tickers: ['GOOGL', 'GOOG'] }])
  const byName = await ask('alphabet', noMatch)
  expect(byName.output.entities).toMatchObject([{ tickers: ['GOOGL', 'GOOG'] }])
})

test('beginnings of words find a name only in its word order', async () => {
  expect((await ask('gold sachs', noMatch)).output.total).toBe(1)
  expect((await ask('sachs gold', noMatch)).output.total).toBe(0)
  expect((await ask('old', noMatch)).output.total).toBe(0)
})

const others = {
  0: { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' },
  1: { cik_str: 37996, ticker: 'F', title: 'FORD MOTOR CO' },
  2: { cik_str: 27419, ticker: 'TGT', title: 'TARGET CORP' },
  3: { cik_str: 794367, ticker: 'M', title: "Macy's, Inc." },
  4: { cik_str: 19617, ticker: 'JPM', title: 'JPMORGAN CHASE & CO' },
  5: { cik_str: 1418121, ticker: 'APLE', title: 'Apple Hospitality REIT, Inc.' },
  6: { cik_str: 38264, ticker: 'FORD', title: 'Forward Industries, Inc.' },
}
const firstOf = async (q: string) => {
  const { output } = await replayAction(filings, 'entities', {
    exchanges: [
      { ...tickers, reply: { status: 200, body: others } },
      // The search reads the beginning of a name, which is not a possessive.
      {
        request: search(q.replace(/['’]s$/, ''), 'atom'),
        reply: { status: 200, text: noMatch },
      },
    ],
    input: { q },
  })
  return output.entities[0]?.name
}

test.each([
  ['apple', 'Apple Inc.'],
  ["Apple's", 'Apple Inc.'],
  ['Apple', 'Apple Inc.'],
  ['AAPL', 'Apple Inc.'],
  ['aapl', 'Apple Inc.'],
  ['apple hospitality', 'Apple Hospitality REIT, Inc.'],
  ['ford', 'FORD MOTOR CO'],
  ['FORD', 'Forward Industries, Inc.'],
  ['macys', "Macy's, Inc."],
  ['Macy’s', "Macy's, Inc."],
  ['jp morgan', 'JPMORGAN CHASE & CO'],
  ['revenue of apple last year', 'Apple Inc.'],
  ['the target price of Apple', 'Apple Inc.'],
  ['how much did JPM earn', 'JPMORGAN CHASE & CO'],
  ['aapl iphone sales', 'Apple Inc.'],
  ['iphone sales', undefined],
])('%s is %s', async (q, name) => {
  expect(await firstOf(q)).toBe(name)
})

test('an unknown name gives an empty list', async () => {
  const { output } = await ask('no such company', noMatch)
  expect(output).toMatchObject({ total: 0, truncated: false, entities: [] })
})

test('the feed without a name falls back to its title', () => {
  const feed = `<feed><company-info><cik>0000895126</cik></company-info>
    <title>EXPAND ENERGY Corp  (0000895126)</title></feed>`
  expect(readCompanyFeed(feed)).toMatchObject([{ cik: '0000895126', name: 'EXPAND ENERGY Corp' }])
})

test('names are read from both forms of the page, without the industry after them', () => {
  const many = `<table class="tableFile2"><tr><th>CIK</th></tr>
    <tr><td scope="row"><a href="/cgi-bin/browse-edgar?action=getcompany&amp;CIK=0000077182&amp;owner=include">0000077182</a></td>
    <td scope="row">J C PENNEY &amp; CO INC<br />SIC: <a href="#">5311</a> - Retail-Department Stores</td><td>TX</td></tr></table>`
  const one = `<span class="companyName">Snowflake Inc. <acronym title="Central Index Key">CIK</acronym>#:
    <a href="/cgi-bin/browse-edgar?action=getcompany&amp;CIK=0001640147">0001640147</a></span>`
  expect([...readCompanyPage(many)]).toEqual([['0000077182', 'J C PENNEY & CO INC']])
  expect([...readCompanyPage(one)]).toEqual([['0001640147', 'Snowflake Inc.']])
})

test('the list of traded companies is fetched once for many questions', async () => {
  const { baseUrlFor, add, problems, close } = await startReplayServer([tickers])
  const service = createService(filings, {
    variables: new Map([['NS_FILINGS_BASE_URL', baseUrlFor(filings.upstream?.baseUrl ?? '')]]),
    userAgent: 'Tollway/test (tests@example.org)',
    clock: systemClock,
    log: silentLog,
  })
  onTestFinished(async () => {
    await service.close()
    await close()
  })
  const entities = filings.actions.find(({ name }) => name === 'entities')
  for (const q of ['goldman', 'alphabet', 'exxon']) {
    add([{ request: search(q, 'atom'), reply: { status: 200, text: noMatch } }])
    const context = { input: { q }, http: service.http } as unknown as JobContext<unknown>
    expect(await entities?.run(context)).toMatchObject({ total: 1 })
  }
  expect(problems()).toEqual([])
})
