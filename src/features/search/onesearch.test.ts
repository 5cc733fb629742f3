import { expect, test } from 'vitest'
import { CallError, fail } from '#core/errors.ts'
import type { ModelRouter } from '#core/model-router.ts'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { type SearchedFacet, selectableFacets } from './facets.ts'
import { createOnesearch, onesearchCents } from './onesearch.ts'
import {
  answers,
  catalog,
  createSearchContext,
  pages,
  type Script,
} from './search-context.fixture.ts'
import { ladderOf } from './sources/ladders.ts'

const now = Date.parse('2026-11-22T12:00:00Z')

interface SearchOptions {
  readonly script?: Script
  readonly available?: (id: string) => boolean
  readonly router?: ModelRouter
}

/** One search on a clock of its own, to its end. */
async function search(sent: object, { router, ...options }: SearchOptions = {}) {
  const virtual = createVirtualClock()
  virtual.set(now)
  const { clock } = virtual
  const action = createOnesearch({ catalog: () => catalog, clock, pages, router })
  const input = action.input.parse(sent)
  action.check?.(input)
  const searching = createSearchContext({ ...options, input, clock })
  let tookMs = 0
  const run = Promise.resolve(action.run(searching.context as never)).finally(() => {
    tookMs = clock.now() - now
  })
  const [ended] = await Promise.allSettled([run, virtual.run()])
  const { hops, refused, spentCents } = searching
  const base = { hops, refused, cents: spentCents(), tookMs }
  if (ended.status === 'rejected')
    return { ...base, error: ended.reason as CallError, data: undefined }
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of the answer.
  return { ...base, error: undefined, data: action.output.parse(ended.value) as any }
}

const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, emptied(each)]))
}
const nothing: Script = async (id) => emptied(answers[id])

const searched: readonly SearchedFacet[] = [...selectableFacets, 'social']

function* subsets<Item>(items: readonly Item[], sizeMax: number): Generator<readonly Item[]> {
  if (sizeMax === 0 || items.length === 0) return
  const [first, ...rest] = items as [Item, ...Item[]]
  yield [first]
  for (const others of subsets(rest, sizeMax - 1)) yield [first, ...others]
  yield* subsets(rest, sizeMax)
}

const query = 'patents and assets of Apple Inc., ticker AAPL, EIN 14-2007220, 10-K'

test('the flat price covers what the internal calls of every path cost by the catalog', async () => {
  let dearest = 0
  for (const facets of subsets(searched, 3)) {
    for (const flags of [0, 1, 2, 3, 4, 5]) {
      const frame = {
        ...(flags % 2 === 1 && { timeCritical: true }),
        ...(flags >= 2 && { fidelityRequired: true }),
        ...(flags >= 4 && { asOf: '20200101' }),
      }
      for (const script of flags >= 4 ? [undefined] : [undefined, nothing]) {
        const { cents, refused } = await search(
          { query, facets, ...frame, ...(facets.includes('social') && { platform: 'tiktok' }) },
          script && { script },
        )
        expect(refused).toEqual([])
        expect(cents, JSON.stringify({ facets, frame })).toBeLessThanOrEqual(onesearchCents)
        dearest = Math.max(dearest, cents)
      }
    }
  }
  // Otherwise the calls were not counted.
  expect(dearest).toBe(onesearchCents)
}, 120_000)

test('five facets each ask a source for their share', async () => {
  let at = 0
  for (const facets of subsets(searched, 5)) {
    at += 1
    if (facets.length < 5 || at % 23 !== 0) continue
    const { cents, hops } = await search({ query, facets, fidelityRequired: true })
    expect(cents).toBeLessThanOrEqual(onesearchCents)
    expect(hops.length).toBeGreaterThanOrEqual(5)
  }
}, 60_000)

test.each([
  [{ urls: ['https://a.example/1', 'https://a.example/2', 'https://b.example/3'] }],
  [{ urls: Array.from({ length: 5 }, (_, at) => `https://a.example/${at}`), facets: ['scrape'] }],
  [{ urls: ['https://a.example/1'], facets: ['scrape-hard'] }],
  [{ urls: Array.from({ length: 5 }, (_, at) => `https://a.example/${at}`), asOf: '20200101' }],
])('the price covers the pages that are read: %j', async (sent) => {
  const { cents, data, hops } = await search(sent)
  expect(cents).toBeLessThanOrEqual(onesearchCents)
  expect(data.count).toBeGreaterThan(0)
  expect(data.evidence[0].content).toMatch(/Text|Old/)
  expect(hops.every(({ provider }) => ['ns_semantic', 'ns_archive'].includes(provider))).toBe(true)
})

test('a search lasts as long as its slowest lane', async () => {
  const virtual = createVirtualClock()
  virtual.set(now)
  const { clock } = virtual
  const delays: Readonly<Record<string, number>> = {
    'ns_semantic/search': 3_000,
    'ns_scholar/works': 5_000,
    'ns_fedrules/search': 4_000,
  }
  const action = createOnesearch({ catalog: () => catalog, clock, pages })
  const input = action.input.parse({
    query: 'solar cells',
    facets: ['web', 'academic', 'regulatory'],
  })
  const { context } = createSearchContext({
    ...{ input, clock },
    script: async (id, _, signal) => {
      await clock.sleep(delays[id] ?? 0, signal)
      return answers[id]
    },
  })
  const run = Promise.resolve(action.run(context as never)).then(() => clock.now() - now)
  await Promise.all([run, virtual.run()])
  expect(await run).toBe(5_000)
})

const faults: Readonly<Record<string, Script>> = {
  refused: async () => Promise.reject(fail('upstream_error')),
  limited: async () => Promise.reject(fail('rate_limited', { retryAfterSeconds: 30 })),
  busy: async () => Promise.reject(fail('upstream_busy')),
  missing: async () => Promise.reject(fail('not_found')),
  forbidden: async () => Promise.reject(fail('provider_not_configured')),
  wall: async () => Promise.reject(fail('all_blocked')),
  silent: (_, __, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    ),
  deaf: () => new Promise(() => {}),
  broken: async () => Promise.reject(new TypeError('undefined is not iterable')),
  empty: nothing,
  nothing: async () => null,
  text: async () => '<html>',
  wrongTypes: async (id) =>
    JSON.parse(JSON.stringify(answers[id]).replaceAll(/"(\w+)":\[/g, '"$1":7,"x":[')),
  badAddresses: async (id) =>
    JSON.parse(JSON.stringify(answers[id]).replaceAll(/"https?:[^"]*"/g, '"javascript:alert(1)"')),
  huge: async (id) => {
    const grown = (value: unknown): unknown =>
      Array.isArray(value)
        ? Array.from({ length: 20_000 }, () => value[0])
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, grown(each)]))
          : value
    return grown(answers[id])
  },
}

test.each(Object.keys(faults))(
  'no source that is %s fails a search in which another works',
  async (name) => {
    const fault = faults[name] as Script
    for (const facet of searched) {
      const { steps, race = [] } = ladderOf(facet, 'twitter')
      const failing = new Set(
        [...steps.flat(), ...race].flatMap(({ id, chain = [] }) => [id, ...chain]),
      )
      const other = failing.has('ns_scholar/works') ? 'nonprofits' : 'academic'
      const script: Script = (id, ...rest) =>
        failing.has(id) ? fault(id, ...rest) : Promise.resolve(answers[id])
      for (const timeCritical of [true, undefined]) {
        const { data, error } = await search(
          { query, facets: [facet, other], timeCritical },
          { script },
        )
        expect(error, `${facet} ${name}`).toBeUndefined()
        expect(data.evidence.length).toBeGreaterThan(0)
      }
    }
  },
  60_000,
)

/** Long answers are answers, and some sources compose the addresses of documents from their numbers. */
const useful = ['huge', 'badAddresses']

test.each(Object.keys(faults).filter((name) => !useful.includes(name)))(
  'a search is free when every source is %s',
  async (name) => {
    for (const facet of searched) {
      const { error, data } = await search(
        { query, facets: [facet] },
        { script: faults[name] as Script },
      )
      expect(data, `${facet} ${name}`).toBeUndefined()
      expect(error).toBeInstanceOf(CallError)
      expect(error?.message).toContain('Nothing was charged')
    }
  },
  60_000,
)

test('a source that fails often is not asked for a while', async () => {
  const virtual = createVirtualClock()
  const { clock } = virtual
  const action = createOnesearch({ catalog: () => catalog, clock, pages })
  let asked = 0
  const script: Script = async (id) => {
    if (id !== 'ns_semantic/search') return answers[id]
    asked += 1
    throw fail('upstream_error')
  }
  for (let at = 0; at < 12; at += 1) {
    const input = action.input.parse({ query: 'solar cells', facets: ['web'] })
    const { context } = createSearchContext({ input, clock, script })
    await action.run(context as never)
  }
  expect(asked).toBe(5)
})

test('two indexes are raced when time is critical, and the slower one is given up', async () => {
  const virtual = createVirtualClock()
  const { clock } = virtual
  const action = createOnesearch({ catalog: () => catalog, clock, pages })
  const input = action.input.parse({ query: 'solar cells', timeCritical: true })
  const startedAt = clock.now()
  const { context, hops } = createSearchContext({
    ...{ input, clock },
    script: async (id, _, signal) => {
      await clock.sleep(id === 'ns_semantic/search' ? 3_000 : 400, signal)
      return answers[id]
    },
  })
  const run = Promise.resolve(action.run(context as never)).then((data) => ({
    data: data as { routing: { asked: unknown[] } },
    tookMs: clock.now() - startedAt,
  }))
  const [{ data, tookMs }] = await Promise.all([run, virtual.run()])
  expect(tookMs).toBe(650)
  expect(data.routing.asked).toMatchObject([
    { source: 'ns_semantic/search', outcome: 'failed', reason: 'the other index was faster' },
    { source: 'ns_indep/search', outcome: 'found' },
  ])
  expect(hops.map(({ ok }) => ok)).toEqual([true, false])
})

test('the same document of two sources is one item that cites both', async () => {
  const { data } = await search({ query: 'one', timeCritical: true })
  const [first] = data.evidence
  expect(first).toMatchObject({
    url: 'https://a.example/one',
    source: 'ns_semantic/search',
    corroborated_by: ['ns_indep/search'],
    transaction_id: '01970000-0000-7000-8000-000000000001',
    content: null,
  })
})

const keyless = (id: string) =>
  /^ns_(encyclopedia|knowledge|press|scholar|filings|nonprofit|fedrules|archive|regs)\//.test(id)

test('without a vendor the web facet asks what needs no key, and says so', async () => {
  const { data } = await search(
    { query: 'who founded the Red Cross?', facets: ['web'] },
    { available: keyless },
  )
  expect(data.count).toBe(4)
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
    ...{ upstream: 'u', model: 'small', costUsd: undefined },
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

test.each([
  [{}, 'Send query'],
  [{ query: 'q', facets: ['scrape'] }, 'send urls'],
  [{ urls: ['a.example', 'b.example'], facets: ['scrape-hard'] }, 'one page'],
  [{ urls: ['a.example'], facets: ['social'] }, 'leave out urls'],
  [{ query: 'q', platform: 'tiktok' }, 'facets ["social"]'],
  [{ query: 'q', urls: ['a.example'], facets: ['scrape', 'web'] }, 'asked alone'],
  [{ query: 'q', asOf: '20200101', facets: ['web', 'news', 'code', 'docs'] }, 'name fewer'],
])('%j is refused for free', async (sent, message) => {
  await expect(search(sent)).rejects.toThrow(message)
})

test.each([
  { query: 'q', facets: ['nothing'] },
  { query: 'q', asOf: '20200231' },
  { query: 'q', domains: ['no host'] },
  { query: 'q', facets: ['web', 'docs', 'news', 'code', 'legal', 'funding'] },
  { query: 'q', other: 1 },
])('%j does not fit the schema', async (sent) => {
  await expect(search(sent)).rejects.toThrow()
})
