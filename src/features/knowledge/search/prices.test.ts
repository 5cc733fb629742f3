// The flat price of a search covers what its internal calls cost by the catalog, on every path.
import { expect, test } from 'vitest'
import { onesearchCents } from './onesearch.ts'
import { createSearches, nothing, query, search, searchedFacets } from './search-run.fixture.ts'

function* subsets<Item>(items: readonly Item[], sizeMax: number): Generator<readonly Item[]> {
  if (sizeMax === 0 || items.length === 0) return
  const [first, ...rest] = items as [Item, ...Item[]]
  yield [first]
  for (const others of subsets(rest, sizeMax - 1)) yield [first, ...others]
  yield* subsets(rest, sizeMax)
}

const frames = [
  {},
  { timeCritical: true },
  { fidelityRequired: true },
  { timeCritical: true, fidelityRequired: true },
  { asOf: '20200101' },
  { asOf: '20200101', timeCritical: true, fidelityRequired: true },
]

test('every combination of up to three facets, every pair with every frame, found or not', async () => {
  const searchOnce = createSearches()
  let dearest = 0
  for (const [at, facets] of [...subsets(searchedFacets, 3)].entries()) {
    const platform = facets.includes('social') ? { platform: 'tiktok' } : {}
    // Each triple has one of the frames in turn: all of them take twenty seconds of processor.
    for (const frame of frames.filter((_, of) => facets.length < 3 || of === at % frames.length)) {
      for (const script of 'asOf' in frame ? [undefined] : [undefined, nothing]) {
        const sent = { query, facets, ...platform, ...frame }
        const { cents, refused } = await searchOnce(sent, script && { script })
        expect(refused).toEqual([])
        expect(cents, JSON.stringify(sent)).toBeLessThanOrEqual(onesearchCents)
        dearest = Math.max(dearest, cents)
      }
    }
  }
  // Otherwise the calls were not counted.
  expect(dearest).toBe(onesearchCents)
})

test('five facets each ask a source for their share', async () => {
  const fives = [...subsets(searchedFacets, 5)].filter(({ length }) => length === 5)
  for (const facets of fives.filter((_, at) => at % 23 === 0)) {
    const { cents, hops } = await search({ query, facets, fidelityRequired: true })
    expect(cents).toBeLessThanOrEqual(onesearchCents)
    expect(hops.length).toBeGreaterThanOrEqual(5)
  }
})

const addresses = Array.from({ length: 5 }, (_, at) => `https://a.example/${at}`)

test.each([
  { urls: ['https://a.example/1', 'https://a.example/2', 'https://b.example/3'] },
  { urls: addresses, facets: ['scrape'] },
  { urls: ['https://a.example/1'], facets: ['scrape-hard'] },
  { urls: addresses, asOf: '20200101' },
])('pages that are read: %j', async (sent) => {
  const { cents, data, hops } = await search(sent)
  expect(cents).toBeLessThanOrEqual(onesearchCents)
  expect(data.count).toBeGreaterThan(0)
  expect(data.evidence[0].content).toMatch(/Text|Old/)
  expect(hops.every(({ provider }) => ['ns_semantic', 'ns_archive'].includes(provider))).toBe(true)
})
