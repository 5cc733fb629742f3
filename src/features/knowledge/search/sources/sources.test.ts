import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { namedFacets, platforms, type SearchedFacet, selectableFacets } from '../facets.ts'
import { keepFindings } from '../lanes/findings.ts'
import { answers, createSearchContext, ownNamespace } from '../search-context.fixture.ts'
import { ladderOf } from './ladders.ts'
import { ownPages } from './own.ts'
import { questionOf } from './question.fixture.ts'
import type { SearchQuestion, SearchSource } from './source.ts'

const { clock } = createVirtualClock()
const own = ownPages(ownNamespace)
const catalogFolder = path.join(import.meta.dirname, '../../../../catalog')

const texts = [
  'what is Apple Inc. worth, and who invested in its patents?',
  'a',
  '机器学习是什么',
  '"quoted \\ text" OR (10-K) AND site:x -y "unbalanced',
  'word '.repeat(400),
  'x'.repeat(2_000),
  'DOI 10.1038/nphys1170',
  'CIK 320193 form D and 10-Q',
  'ticker AAPL revenue 2024',
  'EIN 14-2007220',
  'docket 3:20-cv-06754 of Apple',
  '40 CFR 60.1',
  'Q42',
  '🦀 crates, and % & ? # /',
]
const frames: Partial<SearchQuestion>[] = [
  {},
  { recencyDays: 1, withContent: true },
  {
    recencyDays: 3_650,
    domains: Array.from({ length: 20 }, (_, at) => `${'a'.repeat(60)}${at}.example.com`),
  },
  { excludeDomains: ['example.com', 'b.example'] },
]

const facets: readonly SearchedFacet[] = [...selectableFacets, ...namedFacets]
const sourcesOf = (facet: SearchedFacet): SearchSource[] =>
  (facet === 'social' ? platforms : (['twitter'] as const)).flatMap((platform) => {
    const { steps, race = [] } = ladderOf(facet, { platform, own })
    return [...new Set([...steps.flat(), ...race])]
  })

test.each(facets)('the sources of %s send only inputs that their actions accept', async (facet) => {
  const { context, refused } = createSearchContext({ input: {}, clock })
  for (const source of sourcesOf(facet)) {
    for (const text of texts) {
      for (const frame of frames) {
        const question = questionOf(text, frame)
        if (source.unfit?.(question) !== undefined) continue
        await source.search(question, context.call).catch(() => {})
      }
    }
  }
  expect(refused).toEqual([])
})

/** Each has a source's identifier, and is about patents. */
const fitting = ['Apple Inc. patents', 'CIK 320193', 'EIN 14-2007220']

test.each(facets)('each source of %s reads the answer of its action', async (facet) => {
  const { context } = createSearchContext({ input: {}, clock })
  for (const source of sourcesOf(facet)) {
    const text = fitting.find((each) => source.unfit?.(questionOf(each)) === undefined) ?? ''
    const question = questionOf(text, { recencyDays: 60 })
    const results = await source.search(question, context.call)
    expect(results, source.id).not.toEqual([])
    const [first] = keepFindings(results, { ...question, recencyDays: undefined }, source)
    expect(first, source.id).toMatchObject({
      url: expect.stringMatching(/^https?:/),
      title: expect.stringMatching(/\S/),
    })
  }
})

/** What the action returns for the reply that its vendor documents, or that was recorded. */
function documentedAnswer(id: string): unknown {
  const [provider = '', action] = id.split('/')
  if (provider === ownNamespace) return answers[id]
  const file = path.join(catalogFolder, provider, 'fixtures', `${action}.json`)
  return JSON.parse(readFileSync(file, 'utf8')).output
}

test.each(selectableFacets)('each source of %s reads what the vendors document', async (facet) => {
  const { context } = createSearchContext({
    input: {},
    clock,
    script: async (id) => documentedAnswer(id),
  })
  for (const source of sourcesOf(facet)) {
    const text = fitting.find((each) => source.unfit?.(questionOf(each)) === undefined) ?? ''
    const question = questionOf(text)
    const found = await source.search(question, context.call)
    const kept = keepFindings(found, question, source)
    expect(kept, source.id).not.toEqual([])
    for (const { title, url } of kept) expect(title, source.id).not.toBe(url)
  }
})

test.each([
  [
    'tiktok',
    {
      webVideoUrl: 'https://tiktok.example/1',
      text: 'A dance',
      createTimeISO: '2026-07-05T00:00:00.000Z',
    },
    { title: 'A dance', content: 'A dance', published_at: '2026-07-05T00:00:00.000Z' },
  ],
  [
    'instagram',
    { url: 'https://instagram.example/p/1', caption: 'Tea', timestamp: '2026-07-05T10:00:00.000Z' },
    { title: 'Tea', content: 'Tea', published_at: '2026-07-05T10:00:00.000Z' },
  ],
  [
    'youtube',
    {
      url: 'https://youtube.example/watch?v=1',
      title: 'How to pour',
      text: 'We pour.',
      date: '2 years ago',
    },
    { title: 'How to pour', content: 'We pour.' },
  ],
  [
    'twitter',
    {
      url: 'https://x.example/1',
      text: 'It flew…',
      fullText: 'It flew today.',
      createdAt: 'Wed Aug 26 18:29:06 +0000 2026',
    },
    {
      title: 'It flew today.',
      content: 'It flew today.',
      published_at: '2026-08-26T18:29:06.000Z',
    },
  ],
  [
    'reddit',
    {
      url: 'https://reddit.example/1',
      title: 'Which kettle?',
      body: 'Mine broke.',
      createdAt: '2026-07-05T00:00:00.000Z',
    },
    { title: 'Which kettle?', content: 'Mine broke.', published_at: '2026-07-05T00:00:00.000Z' },
  ],
] as const)('a post of %s is read by the names of its fields', async (platform, row, post) => {
  const rows = [{ noResults: true }, row, { url: 'https://no-text.example' }]
  const { context } = createSearchContext({
    input: {},
    clock,
    script: async () => ({ rows, row_count: rows.length, requested: 20 }),
  })
  const [source] = ladderOf('social', { platform, own }).steps.flat()
  const found = await source?.search(questionOf('tea', { platform }), context.call)
  expect(found).toMatchObject([post])
})

test('a source calls only the actions that it declares', async () => {
  for (const source of facets.flatMap(sourcesOf)) {
    const { context, hops } = createSearchContext({ input: {}, clock })
    for (const text of [...fitting, ...texts]) {
      const question = questionOf(text, { withContent: true })
      if (source.unfit?.(question) === undefined)
        await source.search(question, context.call).catch(() => {})
    }
    const called = new Set(hops.map(({ id }) => id))
    expect([...called].filter((id) => ![source.id, ...(source.chain ?? [])].includes(id))).toEqual(
      [],
    )
  }
})

test('results of other sites, of an earlier time and without a web address are left out', () => {
  const source: SearchSource = { id: 'a/b', search: async () => [] }
  const at = (url: string, published_at?: string) => ({
    url,
    title: url,
    ...(published_at && { published_at }),
  })
  const results = [
    at('https://docs.example.com/1', '2026-11-21'),
    at('https://example.com/2', '2026-11-01'),
    at('https://example.com/3'),
    at('https://badexample.com/4', '2026-11-21'),
    at('https://private.example.com/5', '2026-11-21'),
    at('javascript:alert(1)', '2026-11-21'),
    at('not an address', '2026-11-21'),
  ]
  const frame = {
    domains: ['example.com'],
    excludeDomains: ['private.example.com'],
    recencyDays: 7,
  }
  const kept = keepFindings(results, questionOf('q', frame), source)
  expect(kept.map(({ url }) => url)).toEqual(['https://docs.example.com/1'])
  const dated = keepFindings(results, questionOf('q', frame), { ...source, isDated: true })
  expect(dated.map(({ url }) => url)).toEqual([
    'https://docs.example.com/1',
    'https://example.com/3',
  ])
})
