import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EvidenceList, SourceResult } from '../evidence.ts'
import { fuse } from './fuse.ts'
import { pageAddress } from './page-address.ts'

const list = (source: string, ...findings: SourceResult[]): EvidenceList => ({
  facet: 'web',
  source,
  confidence: 1,
  findings,
})
const page = (url: string, own: Partial<SourceResult> = {}): SourceResult => ({
  url,
  title: url,
  ...own,
})
const urlsOf = (...lists: EvidenceList[]) => fuse(lists).map(({ url }) => url)

test('a page that two sources have comes before the first page of either', () => {
  const [first] = fuse([
    list('a/search', page('https://one.example/'), page('https://both.example/x')),
    list('b/search', page('https://two.example/'), page('https://both.example/x')),
  ])
  expect(first).toMatchObject({
    url: 'https://both.example/x',
    source: 'a/search',
    corroborated_by: ['b/search'],
  })
})

test('the source of a likelier facet comes first', () => {
  const lists = [
    { ...list('a/search', page('https://a.example/')), confidence: 0.4 },
    { ...list('b/search', page('https://b.example/')), facet: 'news', confidence: 1 },
  ]
  expect(fuse(lists)[0]?.source).toBe('b/search')
})

test.each([
  ['https://shop.example/p?utm_source=x&id=7&fbclid=1', 'http://www.shop.example/p/?id=7'],
  ['https://forum.example/t/1?notification_referrer_id=NT_x', 'https://forum.example/t/1'],
  ['https://en.m.wikipedia.org/wiki/Bee', 'https://en.wikipedia.org/wiki/Bee#Honey'],
  ['https://www.google.com/amp/s/paper.example/story/amp/', 'https://paper.example/story'],
  [
    'https://paper-example.cdn.ampproject.org/c/s/paper.example/story.amp.html',
    'https://paper.example/story.html',
  ],
  [
    'https://www.sec.gov/ix?doc=/Archives/edgar/data/1/000000000124000001/a.htm',
    'https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a.htm',
  ],
  ['https://doi.org/10.1000/ABC', 'https://journal.example/doi/full/10.1000/abc'],
  ['https://arxiv.org/abs/2106.09685', 'https://arxiv.org/pdf/2106.09685v2.pdf'],
  ['https://doi.org/10.48550/arXiv.2106.09685', 'https://arxiv.org/abs/2106.09685v1'],
  [
    'https://www.federalregister.gov/documents/2024/05/07/2024-08988/a-rule',
    'https://www.govinfo.gov/content/pkg/FR-2024-05-07/pdf/2024-08988.pdf',
  ],
])('%s and %s are one document', (one, other) => {
  expect(fuse([list('a/search', page(one)), list('b/search', page(other))])).toHaveLength(1)
})

test.each([
  ['https://docs.example/3.11/http.html', 'https://docs.example/3.12/http.html'],
  ['https://forum.example/t/100', 'https://forum.example/t/101'],
  ['https://records.example/#/case/1', 'https://records.example/#/case/2'],
  [
    'https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a.htm',
    'https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a-ex991.htm',
  ],
])('%s and %s are two documents, also under one title', (one, other) => {
  const own = { title: 'The same long title of two pages', snippet: 'The same words.' }
  expect(fuse([list('a/search', page(one, own)), list('b/search', page(other, own))])).toHaveLength(
    2,
  )
})

const headline = 'Ferry crews end their strike after nine days'
test('a wire story on two hosts is one document', () => {
  const lists = [
    list('a/news', page('https://one.example/1', { title: headline, published_at: '2026-11-17' })),
    list(
      'b/news',
      page('https://two.example/2', {
        title: `${headline} - Two Daily`,
        published_at: '2026-11-18',
      }),
    ),
  ]
  expect(fuse(lists)).toHaveLength(1)
})

const lead =
  'The council approved the new harbour bridge on Tuesday after a debate of six hours, and work starts in spring.'
const titled = (url: string, title: string, snippet = lead) => page(url, { title, snippet })

test.each([
  ['Council approves harbour bridge', 'Harbour bridge: council says yes'],
  ['Wels v. Hippe, 360 Or 807', 'Wels v. Hippe, Supreme Court'],
  [
    '港湾の新しい橋を市議会が承認、春に着工へ',
    '港湾の新しい橋を市議会が承認、春に着工へ（港湾新聞）',
  ],
])('one text on two hosts is one document under the titles %s and %s', (one, other) => {
  const cut = `${lead.slice(0, 90)} ...`
  const lists = [
    list('a/search', titled('https://one.example/1', one)),
    list('b/search', titled('https://two.example/2', other, cut)),
  ]
  expect(fuse(lists)).toHaveLength(1)
})

test.each([
  ['Harbour report 2024', 'Harbour report 2025', lead, lead],
  [
    'Harbour report',
    'Harbour report of the port',
    `${lead} It costs 7.5 million.`,
    `${lead} It costs 8.1 million.`,
  ],
  ['Tide tables of the northern coast', 'A recipe for fish soup', lead, lead],
  [
    'Council approves bridge',
    'Council approves bridge',
    'The council said yes.',
    'The council said yes.',
  ],
])('%s and %s on two hosts are two documents', (one, other, said, saidThere) => {
  const lists = [
    list('a/search', titled('https://one.example/1', one, said)),
    list('b/search', titled('https://two.example/2', other, saidThere)),
  ]
  expect(fuse(lists)).toHaveLength(2)
})

test('the same headline of another year is another document', () => {
  const lists = [
    list('a/news', page('https://one.example/1', { title: headline, published_at: '2026-11-17' })),
    list('b/news', page('https://two.example/2', { title: headline, published_at: '2025-11-17' })),
  ]
  expect(fuse(lists)).toHaveLength(2)
})

test('alike texts with different DOIs are different documents', () => {
  const own = { title: 'A study of bees in cold climates' }
  const lists = [
    list('a/works', page('https://one.example/1', { ...own, doi: '10.1000/1' })),
    list('b/works', page('https://two.example/2', { ...own, doi: '10.1000/2' })),
  ]
  expect(fuse(lists)).toHaveLength(2)
})

test('where records are asked for, the primary document comes first', () => {
  const filings = (source: string, ...findings: SourceResult[]) => ({
    ...list(source, ...findings),
    facet: 'public-filings',
  })
  const [first] = fuse([
    filings(
      'a/search',
      page('https://blog.example/about-it'),
      page('https://www.sec.gov/Archives/edgar/data/1/000000000124000001/a.htm'),
    ),
  ])
  expect(first).toMatchObject({ primary: true })
})

test('recent documents come first only when they are asked for', () => {
  const lists = [
    list(
      'a/news',
      page('https://one.example/', { published_at: '2025-01-01' }),
      page('https://two.example/', { published_at: '2026-11-17' }),
    ),
  ]
  const recency = { now: Date.parse('2026-11-18'), halfLifeDays: 7 }
  expect(fuse(lists)[0]?.url).toBe('https://one.example/')
  expect(fuse(lists, { recency })[0]?.url).toBe('https://two.example/')
})

test('the wording of a document has a vote', () => {
  const lists = [
    list('a/search', page('https://one.example/', { title: 'Bees' })),
    list('b/search', page('https://two.example/', { title: 'How bees make honey' })),
  ]
  expect(fuse(lists)[0]?.title).toBe('Bees')
  expect(fuse(lists, { question: 'how do bees make honey' })[0]?.title).toBe('How bees make honey')
})

test('a host has three results before those of others', () => {
  const many = ['1', '2', '3', '4'].map((name) => page(`https://one.example/${name}`))
  expect(urlsOf(list('a/search', ...many, page('https://two.example/')))).toEqual([
    ...many.slice(0, 3).map(({ url }) => url),
    'https://two.example/',
    'https://one.example/4',
  ])
})

const findings = fc.array(
  fc.record(
    {
      url: fc
        .tuple(
          fc.constantFrom('one.example', 'www.one.example', 'm.two.example', 'arxiv.org'),
          fc.constantFrom('/a', '/b/', '/abs/2106.09685', '/c?utm_source=x', '/#/d'),
        )
        .map(([host, path]) => `https://${host}${path}`),
      title: fc.constantFrom('Bees', headline, 'A study of bees in cold climates'),
      snippet: fc.constantFrom(
        'Bees live in hives and make honey.',
        'Crews return on Monday morning.',
      ),
      published_at: fc.constantFrom('2026-11-17', '2025-01-01'),
      doi: fc.constantFrom('10.1000/1', '10.1000/2'),
      primary: fc.boolean(),
    },
    { requiredKeys: ['url', 'title'] },
  ),
  { maxLength: 8 },
)
const manyLists = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom('a/search', 'b/news', 'c/works'), fc.constantFrom('web', 'legal')),
    {
      selector: String,
      maxLength: 5,
    },
  )
  .chain((names) =>
    fc.tuple(
      ...names.map(([source, facet]) =>
        fc.record({
          facet: fc.constant(facet),
          source: fc.constant(source),
          confidence: fc.constantFrom(0.1, 0.3, 0.7),
          findings,
        }),
      ),
    ),
  )

test('the order of the lists does not matter', () => {
  fc.assert(
    fc.property(manyLists, (lists) => {
      const options = { question: 'bees and honey' }
      expect(fuse(lists.toReversed(), options)).toEqual(fuse(lists, options))
    }),
  )
})

test('each address occurs once, every document is from a list, and none is lost', () => {
  fc.assert(
    fc.property(manyLists, (lists) => {
      const given = new Set(lists.flatMap((each) => each.findings.map(({ url }) => url)))
      const fused = fuse(lists)
      const addresses = fused.map(({ url }) => pageAddress(url))
      expect(new Set(addresses).size).toBe(addresses.length)
      expect(fused.every(({ url }) => given.has(url))).toBe(true)
      expect(fused.length > 0).toBe(given.size > 0)
    }),
  )
})
