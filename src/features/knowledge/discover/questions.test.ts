// The whole catalog, with the weights and vectors of the repository.
import { afterAll, expect, test } from 'vitest'
import { openWholeCatalog } from '../../../../training/discover-catalog.ts'
import { independentFile, readQuestions } from '../../../../training/discover-examples.ts'
import { createDiscover } from './discover.ts'
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

const action = createDiscover({
  catalog: () => catalog,
  ownNamespace: 'tollway',
  loadEncoder: () => encoder,
}).action
const caller = { accountId: 'an account without plans' }
const hitsOf = async (query: string) => {
  const answer = action.output.parse(
    await action.run({ input: action.input.parse({ query }), caller } as never),
  ) as { hits: { service: string; action: string; weak: boolean }[] }
  return answer.hits.map(({ service, action: name, weak }) => ({ id: `${service}/${name}`, weak }))
}

/** Actions that delete, cancel or end something of the caller. */
const removing = catalog.entries.filter((entry) => entry.action.removes).map(({ id }) => id)

test.each([
  'cancel my Netflix subscription',
  'remove my photo from Google Images',
  'delete old branches on GitLab',
  'stop my EC2 instance',
  'delete a Slack channel',
  'erase my hard disk',
  'revoke access of a colleague to Dropbox',
  'delete this kubernetes namespace',
  'remove duplicates from my playlist',
  'shut down my laptop at 10 pm',
  'delete the wikipedia article about me',
])('no action that removes something answers: %s', async (query) => {
  const hits = await hitsOf(query)
  expect(hits.filter(({ id }) => removing.includes(id))).toEqual([])
})

test.each([
  ['delete the repository demo', 'ns_repo/repo-delete'],
  ['get rid of a file that I uploaded', 'files/delete'],
  ['drop the site index', 'tollway/delete-index'],
  ['cancel a running job', 'tollway/cancel'],
  ['kill a sandbox', 'ns_sandbox/sandbox-terminate'],
])('"%s" is answered by %s', async (query, id) => {
  expect((await hitsOf(query))[0]).toEqual({ id, weak: false })
})

test.each([
  ['delte my repositry', 'ns_repo/repo-delete'],
  ['Datei löschen', 'files/delete'],
])('"%s" is not taken for something that is not sold', async (query, id) => {
  expect((await hitsOf(query)).map((hit) => hit.id)).toContain(id)
})

test('of the questions of independent authors, most hits that are not weak are right', async () => {
  const asked = readQuestions(independentFile).filter(({ labels }) => labels.length > 0)
  let right = 0
  let certain = 0
  for (const { question, labels } of asked.filter((_, at) => at % 4 === 0)) {
    const sure = (await hitsOf(question)).filter(({ weak }) => !weak)
    certain += sure.length
    right += sure.filter(({ id }) => labels.includes(id)).length
  }
  expect(certain).toBeGreaterThan(asked.length / 5)
  expect(right / certain).toBeGreaterThan(0.75)
})
