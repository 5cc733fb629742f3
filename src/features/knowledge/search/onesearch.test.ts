import { expect, test } from 'vitest'
import { fail } from '#core/errors.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import { platforms, selectableFacets } from './facets.ts'
import { onesearchCents } from './onesearch.ts'
import { answers, type Script, pages as scriptedPages } from './search-context.fixture.ts'
import { query, search } from './search-run.fixture.ts'

test('a search lasts as long as its slowest lane, and a lane as long as its steps', async () => {
  const script: Script = async (id) => (id === 'ns_scholar/works' ? { results: [] } : answers[id])
  const { data, tookMs } = await search(
    { query: 'solar cells', facets: ['academic', 'web', 'regulatory', 'legal'] },
    {
      script,
      delaysMs: {
        'ns_semantic/search': 4_000,
        'ns_indep/search': 4_000,
        'ns_scholar/works': 2_000,
        'ns_fedrules/search': 4_500,
        'ns_courts/cases': 3_000,
        'ns_courts/dockets': 5_500,
      },
    },
  )
  expect(data.routing.asked).toHaveLength(8)
  expect(tookMs).toBe(6_000)
})

test.each([
  ['web', 'ns_semantic/search', 'ns_indep/search'],
  ['news', 'ns_indep/news', 'ns_rag/search'],
])(
  'where time is critical, %s races %s and %s, and the slower one is given up',
  async (facet, slow, fast) => {
    const { data, hops, tookMs } = await search(
      { query: 'solar cells', facets: [facet], timeCritical: true },
      { delaysMs: { [slow]: 3_000, [fast]: 400 } },
    )
    expect(tookMs).toBe(650)
    expect(data.routing.asked).toMatchObject([
      { source: slow, outcome: 'failed', reason: 'the other index was faster' },
      { source: fast, outcome: 'found' },
    ])
    expect(hops.map(({ ok }) => ok)).toEqual([true, false])
  },
)

test('a race is open for two indexes that answer soon after each other', async () => {
  const { data } = await search(
    { query: 'solar cells', timeCritical: true },
    { delaysMs: { 'ns_semantic/search': 600, 'ns_indep/search': 400 } },
  )
  expect(data.routing.asked).toMatchObject([{ outcome: 'found' }, { outcome: 'found' }])
})

test('the web is asked by two independent indexes', async () => {
  const { data } = await search(
    { query: 'solar cells', facets: ['web'] },
    { delaysMs: { 'ns_semantic/search': 3_000, 'ns_indep/search': 400 } },
  )
  expect(data.routing.asked).toMatchObject([
    { source: 'ns_semantic/search', outcome: 'found' },
    { source: 'ns_indep/search', outcome: 'found' },
  ])
})

test('without one of them, the next index takes its place', async () => {
  const available = (id: string) => id !== 'ns_semantic/search'
  const { data } = await search({ query: 'solar cells', facets: ['web'] }, { available })
  expect(data.routing.asked).toMatchObject([
    { source: 'ns_semantic/search', outcome: 'not_asked' },
    { source: 'ns_indep/search', outcome: 'found' },
    { source: 'ns_rag/search', outcome: 'found' },
  ])
})

test.each([
  [{}, ['compliance', 'code']],
  [{ asOf: '20200101' }, ['legal', 'funding', 'compliance', 'code']],
])(
  'facets that the price does not cover are named, and the others are asked: %j',
  async (frame, leftOut) => {
    const facets = ['web', 'docs', 'news', 'legal', 'funding', 'own', 'compliance', 'code']
    const { data, cents } = await search({ query, facets, ...frame })
    expect(data.routing.left_out).toEqual(leftOut)
    expect(data.routing.note).toContain(`${leftOut.join(', ')} were not asked`)
    expect(data.routing.facets.map(({ facet }: { facet: string }) => facet)).toEqual(
      facets.filter((facet) => !leftOut.includes(facet)),
    )
    expect(cents).toBeLessThanOrEqual(onesearchCents)
  },
)

test.each(selectableFacets)('every item of %s has a text and cites its calls', async (facet) => {
  const { data, kept } = await search({ query, facets: [facet] })
  for (const { snippet, citations, transaction_id } of data.evidence) {
    expect(snippet).toMatch(/\S/)
    expect(citations.length).toBeGreaterThan(0)
    expect(transaction_id).toBe(citations[0].transaction_id)
    for (const { source, transaction_id } of citations)
      expect(kept).toContainEqual(expect.objectContaining({ id: transaction_id, action: source }))
  }
})

const long = (subject: string) =>
  `${'Nothing of interest stands here. '.repeat(60)}The ${subject} rotates its keys every ninety days. ${'More words follow. '.repeat(60)}`

test('the text of an item is the part that answers the question', async () => {
  const script: Script = async (id) =>
    id === 'ns_semantic/search'
      ? { results: [{ id: '1', url: 'https://a.example/', title: 'A', text: long('vault') }] }
      : { web: { results: [] } }
  const { data } = await search(
    { query: 'how often does the vault rotate keys?', facets: ['web'] },
    { script },
  )
  expect(data.evidence[0].snippet).toContain('The vault rotates its keys every ninety days.')
  expect(data.evidence[0].snippet.length).toBeLessThanOrEqual(600)
})

test('what has no text and cannot be read is not sold', async () => {
  const script: Script = async (id) =>
    id === 'ns_semantic/search'
      ? { results: [{ id: '1', url: 'https://a.example/', title: 'A' }] }
      : { web: { results: [] } }
  const pages = { ...scriptedPages, read: async () => [] }
  const { error } = await search({ query: 'vault', facets: ['web'] }, { script, pages })
  expect(error?.message).toContain('Nothing was charged')
})

test('documentation is read by our own reader where the index has no text', async () => {
  const script: Script = async (id) =>
    id === 'ns_semantic/search'
      ? { results: [{ id: '1', url: 'https://docs.example/', title: 'Docs' }] }
      : answers[id]
  const { data } = await search({ query: 'rotate keys', facets: ['docs'] }, { script })
  expect(data.evidence[0]).toMatchObject({ content: 'Text.', facet: 'docs' })
  expect(data.evidence[0].citations).toHaveLength(2)
})

test('one text under two titles on two hosts is one item with both sources', async () => {
  const text = Array.from({ length: 80 }, (_, at) => `word${at}`).join(' ')
  const script: Script = async (id) =>
    id === 'ns_semantic/search'
      ? {
          results: [
            { id: '1', url: 'https://a.example/1', title: 'Storm closes port', text: `A. ${text}` },
            { id: '2', url: 'https://b.example/2', title: 'Harbour shut', text: `${text} B.` },
          ],
        }
      : { web: { results: [] } }
  const { data } = await search({ query: 'storm', facets: ['web'] }, { script })
  expect(data.count).toBe(1)
  expect(data.evidence[0].citations.map(({ url }: { url: string }) => url)).toEqual([
    'https://a.example/1',
    'https://b.example/2',
  ])
})

test.each([200, 400, 1_000, 100_000])('evidence within %d tokens', async (max_tokens) => {
  const results = Array.from({ length: 8 }, (_, at) => ({
    id: `${at}`,
    url: `https://site${at}.example/`,
    title: `Vault ${at}`,
    text: long(`vault of site ${at}`),
  }))
  const script: Script = async (id) =>
    id === 'ns_semantic/search' ? { results } : { web: { results: [] } }
  const sent = { query: 'vault keys', fidelityRequired: true, max_tokens }
  const { data } = await search(sent, { script })
  expect(data.count).toBeGreaterThan(0)
  for (const { snippet } of data.evidence) expect(snippet).toMatch(/\S/)
  expect(Buffer.byteLength(JSON.stringify(data.evidence)) / 3).toBeLessThanOrEqual(max_tokens + 10)
  if (max_tokens === 100_000) expect(data.count).toBe(8)
})

test('the same document of two sources is one item that cites both', async () => {
  const { data, kept } = await search({ query: 'one', timeCritical: true })
  const [first] = data.evidence
  const [semantic, independent] = kept
  expect(first).toMatchObject({
    url: 'https://a.example/one',
    source: 'ns_semantic/search',
    corroborated_by: ['ns_indep/search'],
    transaction_id: semantic?.id,
    citations: [
      { source: 'ns_semantic/search', url: 'https://a.example/one', transaction_id: semantic?.id },
      {
        source: 'ns_indep/search',
        url: 'https://a.example/one?utm_source=x',
        transaction_id: independent?.id,
      },
    ],
    content: null,
  })
})

const keyless = (id: string) =>
  /^(ns_(encyclopedia|knowledge|press|scholar|filings|nonprofit|fedrules|archive|regs)|tollway)\//.test(
    id,
  )

test('without a vendor the web facet asks what needs no key, and says so', async () => {
  const { data } = await search(
    { query: 'who founded the Red Cross?', facets: ['web'] },
    { available: keyless },
  )
  expect(data.count).toBe(5)
  expect(data.routing.note).toContain('ns_semantic/search')
})

test.each(selectableFacets)(
  'without a vendor the facet %s still finds something',
  async (facet) => {
    const { data } = await search({ query, facets: [facet] }, { available: keyless })
    expect(data.count).toBeGreaterThan(0)
  },
)

test('the wording of a query alone chooses the facets, and never those that only a caller names', async () => {
  const { data } = await search({ query: 'tax return of the nonprofit with EIN 14-2007220' })
  expect(data.routing).toMatchObject({ decided_by: 'wording' })
  expect(data.routing.facets[0].facet).toBe('nonprofits')
  const framed = await search({ query: 'tax return of EIN 14-2007220', recencyDays: 30 })
  expect(framed.data.routing).toMatchObject({ decided_by: 'caller', facets: [{ facet: 'web' }] })
})

const routerSaying = (content: string): ModelRouter => ({
  offers: () => [{ model: 'small', price: { prompt: 100_000, completion: 400_000 } }],
  complete: async () => ({
    upstream: 'u',
    model: 'small',
    costUsd: undefined,
    completion: { choices: [{ message: { content } }] },
    usage: {
      promptTokens: 200,
      completionTokens: 9,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    } as never,
  }),
})
const unclear = 'tell me about mercury'

test.each([
  ['["compliance","news"]', 'model'],
  ['["scrape-hard","social"]', 'wording'],
  ['I cannot help with that.', 'wording'],
  ['', 'wording'],
])('a model that says %s about an unclear question: decided by the %s', async (said, by) => {
  const { data, error, cents } = await search({ query: unclear }, { router: routerSaying(said) })
  expect(error).toBeUndefined()
  expect(data.routing.decided_by).toBe(by)
  expect(cents).toBeLessThanOrEqual(onesearchCents - 1)
})

test('a model that does not answer costs a second and no more', async () => {
  const router = { ...routerSaying(''), complete: () => new Promise<never>(() => {}) }
  const { data, tookMs } = await search({ query: unclear }, { router })
  expect(data.routing.decided_by).toBe('wording')
  expect(tookMs).toBe(1_000)
})

const counting = (router: ModelRouter) => {
  let asked = 0
  const complete: ModelRouter['complete'] = (...request) => {
    asked += 1
    return router.complete(...request)
  }
  return { router: { ...router, complete }, asked: () => asked }
}

test.each([
  [1, { query: unclear }],
  [0, { query: 'tax return of the nonprofit with EIN 14-2007220' }],
  [0, { query: unclear, facets: ['news'] }],
  [0, { query: unclear, recencyDays: 7 }],
])('a model is asked %d times about %j', async (times, sent) => {
  const { router, asked } = counting(routerSaying('["news"]'))
  await search(sent, { router })
  expect(asked()).toBe(times)
})

test.each([
  { facets: ['web'] },
  { timeCritical: true },
  { fidelityRequired: true },
  { recencyDays: 90 },
  { domains: ['a.example'] },
  { excludeDomains: ['b.example'] },
  { asOf: '20200101' },
])('%j frames a search, so the web is asked', async (frame) => {
  const { data } = await search({ query: 'tax return of EIN 14-2007220', ...frame })
  expect(data.routing).toMatchObject({ decided_by: 'caller', facets: [{ facet: 'web' }] })
})

const urlsOf = ({ data }: Awaited<ReturnType<typeof search>>): string[] =>
  data.evidence.map(({ url }: { url: string }) => url)

test('only the sites that are asked for are in the answer', async () => {
  const asked = { query: 'one', facets: ['web'] }
  expect(urlsOf(await search(asked))).toEqual(['https://a.example/one', 'https://b.example/two'])
  expect(urlsOf(await search({ ...asked, domains: ['b.example'] }))).toEqual([
    'https://b.example/two',
  ])
  expect(urlsOf(await search({ ...asked, excludeDomains: ['b.example'] }))).toEqual([
    'https://a.example/one',
  ])
})

test('maxResults cuts the merged list', async () => {
  const asked = { query: 'one', facets: ['web', 'academic', 'legal'] }
  const all = urlsOf(await search(asked))
  expect(all.length).toBeGreaterThan(2)
  expect(urlsOf(await search({ ...asked, maxResults: 2 }))).toEqual(all.slice(0, 2))
})

const dated: Script = async (id) =>
  id === 'ns_semantic/search'
    ? {
        results: [
          { id: '1', url: 'https://a.example/', title: 'Old', publishedDate: '2026-09-01' },
          { id: '2', url: 'https://b.example/', title: 'New', publishedDate: '2026-11-20' },
        ],
      }
    : { results: [] }

test.each([
  [{ query: 'solar cells' }, ['https://a.example/', 'https://b.example/']],
  [{ query: 'solar cells this week' }, ['https://b.example/', 'https://a.example/']],
  [{ query: 'solar cells', recencyDays: 180 }, ['https://b.example/', 'https://a.example/']],
  [{ query: 'solar cells', recencyDays: 30 }, ['https://b.example/']],
])('recent pages come first only when they are asked for: %j', async (sent, urls) => {
  expect(urlsOf(await search({ facets: ['web'], ...sent }, { script: dated }))).toEqual(urls)
})

test.each(platforms)('the facet social asks %s', async (platform) => {
  const { data } = await search({ query: 'solar cells', facets: ['social'], platform })
  expect(data.routing.asked).toHaveLength(1)
  expect(data.routing.asked[0].source).toMatch(new RegExp(`^${platform}/`))
  expect(data.evidence[0]).toMatchObject({ content: 'A post.', primary: true })
})

test('the facet own searches the indexes of the caller, and takes nothing of the price from the others', async () => {
  // The last source of regulatory costs 3 cents, after one for the first.
  const script: Script = async (id) => (id === 'ns_fedrules/search' ? { results: [] } : answers[id])
  const asked = { query: 'rotate keys', facets: ['own', 'regulatory'] }
  const { data, hops } = await search(asked, { script })
  expect(data.evidence).toContainEqual(
    expect.objectContaining({
      facet: 'own',
      source: 'tollway/search-index',
      url: 'https://docs.example/keys#rotate',
      title: 'Keys · Rotate a key',
      content: 'Rotate keys every month.',
    }),
  )
  expect(hops.map(({ id }) => id)).toEqual([
    'tollway/search-index',
    'ns_fedrules/search',
    'ns_regs/search',
  ])
})

test('a caller without an index finds nothing in it, for free', async () => {
  const script: Script = async () => Promise.reject(fail('not_found'))
  const { error } = await search({ query: 'rotate keys', facets: ['own'] }, { script })
  expect(error).toMatchObject({ code: 'not_found' })
})

test('an empty source beside sources that failed is a failure to repeat, not an answer', async () => {
  const script: Script = async (id) =>
    Promise.reject(fail(id === 'tollway/search-index' ? 'not_found' : 'upstream_error'))
  const asked = { query: 'rotate keys', facets: ['own', 'web'] }
  const { error } = await search(asked, { script })
  expect(error).toMatchObject({
    code: 'upstream_error',
    message: expect.stringContaining('Some sources have failed'),
  })
})

test('the facet social asks twitter by default', async () => {
  const { data } = await search({ query: 'solar cells', facets: ['social'] })
  expect(data.routing.asked).toMatchObject([{ source: 'twitter/search' }])
})

test('texts are returned when they are required', async () => {
  const contents = async (frame: object) => {
    const { data } = await search({ query: 'one', facets: ['web'], ...frame })
    return data.evidence.map(({ content }: { content: string | null }) => content)
  }
  expect(await contents({})).toEqual([null, null])
  expect(await contents({ fidelityRequired: true })).toEqual(['One is here.', 'Text.'])
})

test('with asOf the best results are read as they were that day', async () => {
  const { data, hops } = await search({ query: 'one', asOf: '20200101', facets: ['docs'] })
  expect(data.evidence[0]).toMatchObject({
    facet: 'docs',
    source: 'ns_archive/fetch',
    url: expect.stringContaining('/20200101000000/'),
    published_at: '2020-01-01T00:00:00Z',
  })
  expect(hops.map(({ id }) => id)).toContain('ns_archive/fetch')
})

test('the facet scrape-hard reads by the ways that pass harder walls', async () => {
  const asked: boolean[] = []
  const pages: PageTexts = {
    ...scriptedPages,
    read(urls, request) {
      asked.push(request.isHard)
      return scriptedPages.read(urls, request)
    },
  }
  await search({ urls: ['https://a.example/'], facets: ['scrape-hard'] }, { pages })
  await search({ urls: ['https://a.example/'], facets: ['scrape'] }, { pages })
  await search({ urls: ['https://a.example/'] }, { pages })
  expect(asked).toEqual([true, false, false])
})

test.each([
  [{}, 'Send query'],
  [{ query: 'q', facets: ['scrape'] }, 'send urls'],
  [{ urls: ['a.example', 'b.example'], facets: ['scrape-hard'] }, 'one page'],
  [{ urls: ['a.example'], facets: ['social'] }, 'leave out urls'],
  [{ query: 'q', platform: 'tiktok' }, 'facets ["social"]'],
  [{ query: 'q', urls: ['a.example'], facets: ['scrape', 'web'] }, 'asked alone'],
])('%j is refused for free', async (sent, message) => {
  await expect(search(sent)).rejects.toThrow(message)
})

test.each([
  { query: 'q', facets: ['nothing'] },
  { query: 'q', asOf: '20200231' },
  { query: 'q', domains: ['no host'] },
  { query: 'q', max_tokens: 10 },
  { query: 'q', other: 1 },
])('%j does not fit the schema', async (sent) => {
  await expect(search(sent)).rejects.toThrow()
})
