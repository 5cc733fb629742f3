// The whole catalog, with the weights and vectors of the repository.
import { afterAll, expect, test } from 'vitest'
import { openWholeCatalog } from '../../../../training/discover-catalog.ts'
import { loadEncoder } from './encoder.ts'
import { createRanker } from './rank.ts'

const { catalog, close } = openWholeCatalog()
const encoder = loadEncoder()
const open = (withModel: boolean) =>
  createRanker({
    entries: catalog.entries,
    ownNamespace: 'tollway',
    ...(withModel && { encoder }),
  })
const [both, words] = [await open(true), await open(false)]
afterAll(close)
const idsOf = async (query: string, ranker = both) =>
  (await ranker.rank(query, 5)).map(({ entry }) => entry.id)

// The texts of the right action contain no word of these questions.
test.each([
  ['which shows the best-rated plumbers near me?', 'google_maps/places'],
  ['did the plane from Madrid land yet?', 'ns_flights/flights'],
  ['which employers in Denver look for nurses?', 'indeed/jobs'],
  ['Gerichtsverfahren gegen ein Unternehmen finden', 'ns_courts/dockets'],
  ['フライトの遅延を調べる', 'ns_flights/flights'],
  ['10.7717/peerj.4375', 'ns_scholar/work'],
])('among the first five for "%s": %s', async (query, id) => {
  expect(await idsOf(query)).toContain(id)
})

test('without meanings only words decide', async () => {
  expect(await idsOf('court dockets', words)).toContain('ns_courts/dockets')
  expect(await idsOf('EIN 13-1837418', words)).toContain('ns_nonprofit/nonprofit')
  expect(await idsOf('asdfghjkl qwerty', words)).toEqual([])
})

test('a guess has a lower likelihood than a hit, and nonsense has no hits', async () => {
  const sureness = async (query: string) => (await both.rank(query, 1))[0]?.confidence ?? 0
  expect(await sureness('search clinical trials')).toBeGreaterThan(0.8)
  expect(await sureness('which colours go with dark green')).toBeLessThan(0.5)
  expect(await idsOf('asdfghjkl qwerty')).toEqual([])
})

test('many concurrent questions are all answered', async () => {
  const asked = Array.from({ length: 100 }, (_, at) => idsOf(`patents about battery number ${at}`))
  for (const ids of await Promise.all(asked)) expect(ids).toContain('ns_patents/patents')
})
