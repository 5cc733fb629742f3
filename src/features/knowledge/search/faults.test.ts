// A search never fails while one of its sources works, and is free when none does.
import { expect, test } from 'vitest'
import { CallError, fail } from '#core/errors.ts'
import type { SearchedFacet } from './facets.ts'
import {
  answers,
  ownNamespace,
  type Script,
  pages as scriptedPages,
} from './search-context.fixture.ts'
import { createSearches, nothing, query, search, searchedFacets } from './search-run.fixture.ts'
import { ladderOf } from './sources/ladders.ts'
import { ownPages } from './sources/own.ts'
import { questionOf } from './sources/question.fixture.ts'
import type { SearchSource } from './sources/source.ts'

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
        ? Array.from({ length: 2_000 }, () => value[0])
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, grown(each)]))
          : value
    return grown(answers[id])
  },
}

const named = Object.entries(faults)

const idsOf = ({ id, chain = [] }: SearchSource) => [id, ...chain]
const sourcesOf = (facet: SearchedFacet) => {
  const { steps, race = [] } = ladderOf(facet, { platform: 'twitter', own: ownPages(ownNamespace) })
  return [...new Set([...steps.flat(), ...race])]
}

/** The actions with these ids answer as the fault says. */
const failing =
  (ids: ReadonlySet<string>, fault: Script): Script =>
  async (id, ...rest) =>
    ids.has(id) ? fault(id, ...rest) : answers[id]

test.each(named)(
  'a lane whose sources are all %s does not fail a search in which another lane works',
  async (_, fault) => {
    for (const facet of searchedFacets) {
      const ids = new Set(sourcesOf(facet).flatMap(idsOf))
      const other = ids.has('ns_scholar/works') ? 'nonprofits' : 'academic'
      for (const timeCritical of [true, undefined]) {
        const { data, error } = await search(
          { query, facets: [facet, other], timeCritical },
          { script: failing(ids, fault) },
        )
        expect(error, facet).toBeUndefined()
        expect(data.evidence.length).toBeGreaterThan(0)
      }
    }
  },
)

/** Each source can be asked one of these. */
const questions = [query, 'CIK 320193']

test.each(named)('any one source of a lane is enough when the others are %s', async (_, fault) => {
  for (const facet of searchedFacets) {
    const sources = sourcesOf(facet)
    for (const working of sources) {
      const question = questions.find((text) => isFit(working, text)) ?? ''
      const others = sources.flatMap(idsOf).filter((id) => !idsOf(working).includes(id))
      const { data, error } = await search(
        { query: question, facets: [facet] },
        { script: failing(new Set(others), fault) },
      )
      // Answers without a result are paid too, and the price may not cover what comes after many of them.
      if (error !== undefined && isOverPrice(error, working)) continue
      expect(error, `${facet} by ${working.id}`).toBeUndefined()
      expect(data.evidence.length).toBeGreaterThan(0)
    }
  }
})

const isFit = ({ unfit }: SearchSource, text: string) => unfit?.(questionOf(text)) === undefined

function isOverPrice({ code, data }: CallError, { id }: SearchSource): boolean {
  const { asked } = (data as { routing: { asked: { source: string; reason?: string }[] } }).routing
  const { reason = '' } = asked.find(({ source }) => source === id) ?? {}
  return code === 'not_found' && reason.startsWith('the price')
}

/** Long answers are answers, and some sources compose the addresses of documents from their numbers. */
const useful = ['huge', 'badAddresses']

test.each(named.filter(([name]) => !useful.includes(name)))(
  'a search is free when every source is %s',
  async (_, script) => {
    for (const facet of searchedFacets) {
      const { error, data } = await search({ query, facets: [facet] }, { script })
      expect(data, facet).toBeUndefined()
      expect(error).toBeInstanceOf(CallError)
      expect(error?.message).toContain('Nothing was charged')
    }
  },
)

test.each(named)('a search by address reads the copies that are not %s', async (_, fault) => {
  const urls = ['https://a.example/good', 'https://a.example/bad']
  const script: Script = (id, input, signal) =>
    (input as { url: string }).url === urls[0]
      ? Promise.resolve(answers[id])
      : fault(id, input, signal)
  const { data, error } = await search({ urls, asOf: '20200101' }, { script })
  expect(error).toBeUndefined()
  expect(data.evidence[0]).toMatchObject({ source: 'ns_archive/fetch', content: '<p>Old</p>' })
})

test('without an archived copy there is nothing to sell, and an archive that fails is another matter', async () => {
  const sent = { urls: ['https://a.example/'], asOf: '20200101' }
  const missing = await search(sent, { script: faults.missing as Script })
  expect(missing.error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('no archived copy'),
  })
  const refused = await search(sent, { script: faults.refused as Script })
  expect(refused.error).toMatchObject({ code: 'upstream_error' })
})

test('pages that cannot be read do not fail a search that has found them', async () => {
  const pages = { ...scriptedPages, read: async () => Promise.reject(fail('rate_limited')) }
  const { data, error } = await search({ query, fidelityRequired: true }, { pages })
  expect(error).toBeUndefined()
  expect(data.count).toBeGreaterThan(0)
})

test('a source that does not answer is given up after its deadline, and the next one is asked', async () => {
  const { data, tookMs } = await search(
    { query, facets: ['academic'] },
    { delaysMs: { 'ns_scholar/works': 60_000, 'ns_semantic/search': 1_000 } },
  )
  expect(data.routing.asked).toMatchObject([
    { source: 'ns_scholar/works', outcome: 'failed', latency_ms: 8_000 },
    { source: 'ns_semantic/search', outcome: 'found', latency_ms: 1_000 },
  ])
  expect(tookMs).toBe(9_000)
})

test('a source that fails often is not asked for a while', async () => {
  const searchOnce = createSearches()
  let asked = 0
  const script: Script = async (id) => {
    if (id !== 'ns_semantic/search') return answers[id]
    asked += 1
    throw fail('upstream_error')
  }
  for (let at = 0; at < 12; at += 1)
    await searchOnce({ query: 'solar cells', facets: ['web'] }, { script })
  expect(asked).toBe(5)
})

test('a search whose sources are all paused tells the caller to try again', async () => {
  const searchOnce = createSearches()
  const options = { script: faults.refused as Script }
  for (let at = 0; at < 6; at += 1) await searchOnce({ query, facets: ['academic'] }, options)
  const { error } = await searchOnce({ query, facets: ['academic'] }, options)
  expect(error).toMatchObject({ code: 'upstream_error' })
})
