// Measures the search of site indexes on known-item questions, beside PostgreSQL full text and MiniSearch over the same
// passages. `npm run bench site-index FILE` asks the questions of FILE (JSON lines with `question` and `urls`, the
// pages that answer it) about the 2,000 pages of lib/documentation-pages.ts; bench/site-index/known-items.jsonl is such
// a file. The manuals are fetched with apt and kept in the folder of --manuals. Latencies are those of an index of
// 100,000 passages; --latency measures nothing else. --misses lists the questions without a hit among five.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { passagesOfHtml } from '@tollway/reader'
import { createIndexRows } from '#features/web/site-index/index-rows.ts'
import { createPageStore } from '#features/web/site-index/page-store.ts'
import { createIndexSearch } from '#features/web/site-index/search.ts'
import { createSpelling } from '#features/web/site-index/spelling.ts'
import { createStems } from '#features/web/site-index/stems.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { readDocumentation } from './lib/documentation-pages.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { openFullText, openMiniSearch, type PageSearch } from './lib/site-index-baselines.ts'

interface KnownItem {
  readonly question: string
  readonly urls: readonly string[]
}

const depth = 10
const passagesWanted = 100_000
const warmUps = 100
const rounds = 5
const site = 'https://manuals.example/'
const owner = { kind: 'wallet', accountId: '01970000-0000-7000-8000-000000000001' } as const
const indexId = '01970000-0000-7000-8000-000000000002'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    manuals: { type: 'string' },
    misses: { type: 'boolean' },
    latency: { type: 'boolean' },
  },
})
const [file = path.join(import.meta.dirname, 'site-index/known-items.jsonl')] = positionals
const questions = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): KnownItem => JSON.parse(line))

const pages = readDocumentation(values.manuals ?? path.join(tmpdir(), 'tollway-manuals')).map(
  ({ url, title, content }) => ({ url, title, passages: passagesOfHtml(content, url) }),
)
const known = new Set(pages.map(({ url }) => url))
const asked = questions.filter(({ urls }) => urls.some((url) => known.has(url)))
const passageCount = pages.reduce((sum, { passages }) => sum + passages.length, 0)
console.log(`${pages.length} pages, ${passageCount} passages, ${asked.length} questions\n`)

const { database, close } = await openMeasuredDatabase()
const stems = createStems(database)
const rows = createIndexRows({ database, clock })
const store = createPageStore({ database, stems, clock })
const spelling = createSpelling(database)
const { search } = createIndexSearch({ database, rows, stems, spelling })
const ours: PageSearch = async (question, limit) =>
  ((await search(owner, question, { limit })) ?? []).map(({ url }) => url)

const saver = { callId: undefined, effect: async () => {} }

try {
  const index = await rows.create(owner, { id: indexId, site }, async () => {})
  const startedAt = performance.now()
  for (const page of pages) await store.save(index, { site, ...page }, saver)
  const perPageMs = (performance.now() - startedAt) / pages.length
  console.log(`Indexing takes ${perPageMs.toFixed(0)} ms for a page.`)
  await database.query('vacuum analyze')
  await reportLatency()
  await database.query("delete from indexed_page where url like '%?copy=%'")
  if (!values.latency) await reportAllHits()
} finally {
  await close()
}

async function reportAllHits() {
  const fullText = await openFullText(database, pages)
  const miniSearch = openMiniSearch(pages)
  const ways: Readonly<Record<string, PageSearch>> = {
    'site index': ours,
    'PostgreSQL full text, any word': fullText.anyWord,
    'PostgreSQL full text, all words': fullText.allWords,
    MiniSearch: miniSearch.words,
    'MiniSearch with prefixes and fuzzy words': miniSearch.prefixes,
  }
  console.log('| | hit@1 | hit@5 | MRR@10 |\n| --- | --- | --- | --- |')
  for (const [name, way] of Object.entries(ways)) await reportHits(name, way)
}

async function reportHits(name: string, way: PageSearch) {
  const ranks: number[] = []
  for (const { question, urls } of asked) {
    const found = await way(question, depth)
    const rank = found.findIndex((url) => urls.includes(url)) + 1
    ranks.push(rank)
    if (values.misses && way === ours && (rank === 0 || rank > 5))
      console.log(`- ${rank} ${question} [${urls[0]}] -> ${found.slice(0, 3).join(' ')}`)
  }
  const share = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0)
  const cells = [share(1), share(5), reciprocal].map((sum) => (sum / ranks.length).toFixed(3))
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

/** With copies of the pages under other addresses, so that each word is in as many pages as in a larger site. */
async function reportLatency() {
  let passages = passageCount
  for (let copy = 1; passages < passagesWanted; copy += 1) {
    const ids = `select id, (select max(id) from indexed_page) + row_number() over (order by id) as copy
      from indexed_page where url not like '%?copy=%' order by id limit ${Math.ceil(((passagesWanted - passages) / passageCount) * pages.length)}`
    await database.transaction(async (client) => {
      await client.query(`create temp table copied on commit drop as ${ids}`)
      await client.query(`insert into indexed_page overriding system value
        select copy, index_id, site, url || '?copy=${copy}', title, dictionary, hash, characters, indexed_at
        from indexed_page join copied using (id)`)
      await client.query(`insert into indexed_passage select copy, position, headings, anchor, text, words, search
        from indexed_passage join copied on id = page_id`)
      await client.query(`insert into indexed_posting select index_number, word, copy, impact
        from indexed_posting join copied on id = page_id`)
      await client.query(`insert into indexed_mention select index_number, word, target, copy, impact
        from indexed_mention join copied on id = page_id`)
    })
    const [counted] = await database.query<{ count: number }>(
      'select count(*)::int as count from indexed_passage',
    )
    passages = counted?.count ?? passagesWanted
  }
  await database.query('vacuum analyze')
  // Others first: the words of the questions are as new to the gateway as those of callers.
  for (const { title } of pages.slice(0, warmUps)) await ours(title, depth)
  const [first, best, baseline] = [[], [], []] as [number[], number[], number[]]
  for (const { question } of asked) {
    const took = []
    for (let round = 0; round < rounds; round += 1)
      took.push(await timeOf(() => ours(question, depth)))
    first.push(took[0] ?? 0)
    best.push(Math.min(...took))
    baseline.push(await timeOf(() => database.query('select 1')))
  }
  console.log(`\nWith ${passages} passages:\n\n| ms | median | p95 |\n| --- | --- | --- |`)
  console.log(percentiles('a search, asked for the first time', first))
  console.log(percentiles(`the fastest of ${rounds} searches`, best))
  console.log(`${percentiles('`select 1` between them', baseline)}\n`)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function percentiles(name: string, times: number[]): string {
  times.sort((one, other) => one - other)
  const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1)
  return `| ${name} | ${at(0.5)} | ${at(0.95)} |`
}
